import { checkClientSchema } from '../fields/client-schema.ts';
import { checkResponseSchema } from '../fields/response-schema.ts';
import { GatewayError } from '../http/gateway-error.ts';
import type { GenerationConfig } from './generate-config.ts';
import type { GenerateFields } from './generate-request-body.ts';
import type { FunctionDeclaration } from './generate-tool.ts';
import { generateBounds } from '../limits.ts';

const invalid = (detail: string): GatewayError => new GatewayError('invalid_request', { detail });

const checkDeclaration = (declaration: FunctionDeclaration, path: string): void => {
  const { parameters, parametersJsonSchema, response, responseJsonSchema } = declaration;
  if (parameters !== undefined && parametersJsonSchema !== undefined)
    throw invalid(`The field ${path}.parametersJsonSchema cannot stand beside parameters; accepted is one of the two.`);
  checkClientSchema(parameters, [path, 'parameters']);
  checkClientSchema(parametersJsonSchema, [path, 'parametersJsonSchema']);
  if (response !== undefined && responseJsonSchema !== undefined)
    throw invalid(`The field ${path}.responseJsonSchema cannot stand beside response; accepted is one of the two.`);
  checkClientSchema(response, [path, 'response']);
  checkClientSchema(responseJsonSchema, [path, 'responseJsonSchema']);
};

/** Servers of tools are run by the gateway, which this route does not do. */
const checkServers = (servers: readonly unknown[] | undefined, path: string): void => {
  if (servers !== undefined && servers.length > 0)
    throw new GatewayError('unsupported_parameter', {
      detail:
        `The field ${path}.mcpServers is not supported on this route; accepted are functionDeclarations, codeExecution and ` +
        'urlContext, and POST /interactions takes tools of the type mcp_server.',
    });
};

/** Stores are searched by a tool that the gateway runs, which this route does not do. */
const checkFileSearch = (search: unknown, path: string): void => {
  if (search !== undefined)
    throw new GatewayError('unsupported_parameter', {
      detail:
        `The field ${path}.fileSearch is not supported on this route; accepted are functionDeclarations, codeExecution and ` +
        'urlContext, and POST /interactions takes tools of the type file_search.',
    });
};

// generate:tools:schema-exclusive, generate:tools:declaration-limits
/** Returns the names that are declared. */
const checkTools = (tools: NonNullable<GenerateFields['tools']>): ReadonlySet<string> => {
  const names = new Set<string>();
  for (const [index, tool] of tools.entries()) {
    if (Object.keys(tool).length === 0)
      throw invalid(`The field tools[${index}] is an empty object; accepted is one that holds a tool.`);
    checkServers(tool.mcpServers, `tools[${index}]`);
    checkFileSearch(tool.fileSearch, `tools[${index}]`);
    for (const [place, declaration] of (tool.functionDeclarations ?? []).entries()) {
      const path = `tools[${index}].functionDeclarations[${place}]`;
      if (names.has(declaration.name))
        throw invalid(`The field ${path}.name repeats an earlier name; accepted are names that differ.`);
      names.add(declaration.name);
      checkDeclaration(declaration, path);
    }
  }
  if (names.size > generateBounds.declarationsMax)
    throw invalid(
      `The field tools declares ${names.size} functions; accepted are at most ${generateBounds.declarationsMax}.`,
    );
  return names;
};

const checkToolConfig = (config: GenerateFields['toolConfig'], declared: ReadonlySet<string>): void => {
  const { mode = 'AUTO', allowedFunctionNames } = config?.functionCallingConfig ?? {};
  if (allowedFunctionNames === undefined) return;
  const path = 'toolConfig.functionCallingConfig.allowedFunctionNames';
  if (mode !== 'ANY' && mode !== 'VALIDATED')
    throw invalid(`The field ${path} stands beside the mode ${mode}; accepted is one beside ANY or VALIDATED.`);
  if (!allowedFunctionNames.every((name) => declared.has(name)))
    throw invalid(
      `The field ${path} names a function that tools does not declare; accepted are names that it declares.`,
    );
};

const checkSpeech = (speech: GenerationConfig['speechConfig']): void => {
  if (speech === undefined) return;
  const path = 'generationConfig.speechConfig';
  if ((speech.voiceConfig === undefined) === (speech.multiSpeakerVoiceConfig === undefined))
    throw invalid(
      `The field ${path} holds neither or both of voiceConfig and multiSpeakerVoiceConfig; accepted is one of the two.`,
    );
};

const checkConfig = (config: GenerationConfig): void => {
  const { responseSchema, responseJsonSchema, responseMimeType } = config;
  if (responseSchema !== undefined && responseJsonSchema !== undefined)
    throw invalid(
      'The field generationConfig.responseJsonSchema cannot stand beside responseSchema; accepted is one of the two.',
    );
  if ((responseSchema ?? responseJsonSchema) !== undefined && responseMimeType === 'text/plain')
    throw invalid(
      'The field generationConfig.responseMimeType is text/plain beside a schema; accepted is application/json.',
    );
  checkResponseSchema(responseSchema, ['generationConfig', 'responseSchema']);
  checkResponseSchema(responseJsonSchema, ['generationConfig', 'responseJsonSchema']);
  checkSpeech(config.speechConfig);
};

const checkSafety = (settings: NonNullable<GenerateFields['safetySettings']>): void => {
  const categories = new Set<string>();
  for (const [index, { category }] of settings.entries()) {
    if (categories.has(category))
      throw invalid(
        `The field safetySettings[${index}].category repeats an earlier one; accepted is each category once.`,
      );
    categories.add(category);
  }
};

/** The rules between fields, and the depth of the schemas that a client brings along. */
export const checkGenerateFields = (fields: GenerateFields): void => {
  checkToolConfig(fields.toolConfig, checkTools(fields.tools ?? []));
  checkConfig(fields.generationConfig ?? {});
  checkSafety(fields.safetySettings ?? []);
};
