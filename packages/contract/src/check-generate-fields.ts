import { GatewayError } from './gateway-error.ts';
import type { GenerationConfig } from './generate-config.ts';
import type { GenerateFields } from './generate-request-body.ts';
import type { FunctionDeclaration } from './generate-tool.ts';
import { isDeeperThan } from './json-depth.ts';
import { generateBounds } from './limits.ts';

const invalid = (detail: string): GatewayError => new GatewayError('invalid_request', { detail });

const checkDepth = (schema: unknown, path: string): void => {
  if (isDeeperThan(schema, generateBounds.jsonDepthMax)) throw invalid(`The field ${path} is nested too deeply.`);
};

const checkDeclaration = (declaration: FunctionDeclaration, path: string): void => {
  const { parameters, parametersJsonSchema } = declaration;
  if (parameters !== undefined && parametersJsonSchema !== undefined)
    throw invalid(`The field ${path}.parametersJsonSchema cannot stand beside parameters.`);
  checkDepth(parameters, `${path}.parameters`);
  checkDepth(parametersJsonSchema, `${path}.parametersJsonSchema`);
};

/** Answers the names that are declared [generate:tools:schema-exclusive] [generate:tools:declaration-limits]. */
const checkTools = (tools: NonNullable<GenerateFields['tools']>): ReadonlySet<string> => {
  const names = new Set<string>();
  for (const [index, tool] of tools.entries()) {
    if (Object.keys(tool).length === 0) throw invalid(`The field tools[${index}] is empty.`);
    for (const [place, declaration] of (tool.functionDeclarations ?? []).entries()) {
      const path = `tools[${index}].functionDeclarations[${place}]`;
      if (names.has(declaration.name)) throw invalid(`The field ${path}.name repeats an earlier name.`);
      names.add(declaration.name);
      checkDeclaration(declaration, path);
    }
  }
  if (names.size > generateBounds.declarationsMax)
    throw invalid(`The field tools declares more than ${generateBounds.declarationsMax} functions.`);
  return names;
};

const checkToolConfig = (config: GenerateFields['toolConfig'], declared: ReadonlySet<string>): void => {
  const { mode = 'AUTO', allowedFunctionNames } = config?.functionCallingConfig ?? {};
  if (allowedFunctionNames === undefined) return;
  const path = 'toolConfig.functionCallingConfig.allowedFunctionNames';
  if (mode !== 'ANY' && mode !== 'VALIDATED') throw invalid(`The field ${path} needs the mode ANY or VALIDATED.`);
  if (!allowedFunctionNames.every((name) => declared.has(name)))
    throw invalid(`The field ${path} names a function that tools does not declare.`);
};

const checkSpeech = (speech: GenerationConfig['speechConfig']): void => {
  if (speech === undefined) return;
  const path = 'generationConfig.speechConfig';
  if ((speech.voiceConfig === undefined) === (speech.multiSpeakerVoiceConfig === undefined))
    throw invalid(`The field ${path} must hold either voiceConfig or multiSpeakerVoiceConfig.`);
};

const checkConfig = (config: GenerationConfig): void => {
  const { responseSchema, responseJsonSchema, responseMimeType } = config;
  if (responseSchema !== undefined && responseJsonSchema !== undefined)
    throw invalid('The field generationConfig.responseJsonSchema cannot stand beside responseSchema.');
  if ((responseSchema ?? responseJsonSchema) !== undefined && responseMimeType === 'text/plain')
    throw invalid('The field generationConfig.responseMimeType must be application/json where a schema is given.');
  checkDepth(responseSchema, 'generationConfig.responseSchema');
  checkDepth(responseJsonSchema, 'generationConfig.responseJsonSchema');
  checkSpeech(config.speechConfig);
};

const checkSafety = (settings: NonNullable<GenerateFields['safetySettings']>): void => {
  const categories = new Set<string>();
  for (const [index, { category }] of settings.entries()) {
    if (categories.has(category)) throw invalid(`The field safetySettings[${index}].category repeats an earlier one.`);
    categories.add(category);
  }
};

/** The rules between fields, and the depth of the schemas that a client brings along. */
export const checkGenerateFields = (fields: GenerateFields): void => {
  checkToolConfig(fields.toolConfig, checkTools(fields.tools ?? []));
  checkConfig(fields.generationConfig ?? {});
  checkSafety(fields.safetySettings ?? []);
};
