import { z } from 'zod';
import { FunctionName } from '../fields/function-name.ts';
import { JsonRecord } from '../json/json-record.ts';
import { generateBounds } from '../limits.ts';

const { toolsMax, declarationsMax, safetySettingsMax } = generateBounds;

// generate:tools:declarations
/** A declared function; its schema stands in one of two forms. */
const declaration = {
  name: FunctionName,
  description: z.string().exactOptional(),
  /** The OpenAPI form, with type names in upper or lower case. */
  parameters: JsonRecord.exactOptional(),
  parametersJsonSchema: JsonRecord.exactOptional(),
};
const FunctionDeclaration = z.strictObject(declaration);
/** The function's result goes to the model where its upstream has a place for it. */
const CompatFunctionDeclaration = z.strictObject({
  ...declaration,
  response: JsonRecord.exactOptional(),
  responseJsonSchema: JsonRecord.exactOptional(),
});
export type FunctionDeclaration = Readonly<z.infer<typeof CompatFunctionDeclaration>>;

const ownTools = { codeExecution: z.strictObject({}).exactOptional(), urlContext: z.strictObject({}).exactOptional() };

// generate:tools:several-per-object
/** One tools object may hold several tools. */
const GenerateTool = z.strictObject({
  functionDeclarations: z.array(FunctionDeclaration).max(declarationsMax).exactOptional(),
  ...ownTools,
});
const CompatGenerateTool = z.strictObject({
  functionDeclarations: z.array(CompatFunctionDeclaration).max(declarationsMax).exactOptional(),
  ...ownTools,
  googleSearch: z.strictObject({}).exactOptional(),
  /** The name that older clients have for the same. */
  googleSearchRetrieval: z.strictObject({}).exactOptional(),
  /** None: what a list of them is refused with says where they are taken. */
  mcpServers: z.array(z.unknown()).exactOptional().meta({ deprecated: true }),
  /** Refused: what says so names the route that searches stores. */
  fileSearch: z.unknown().optional().meta({ deprecated: true }),
});
export const StrictGenerateTools = z.array(GenerateTool).max(toolsMax);
export const CompatGenerateTools = z.array(CompatGenerateTool).max(toolsMax);
export type GenerateTools = readonly Readonly<z.infer<typeof CompatGenerateTool>>[];

const calling = {
  mode: z.enum(['AUTO', 'ANY', 'NONE', 'VALIDATED']).exactOptional(),
  allowedFunctionNames: z.array(FunctionName).min(1).max(declarationsMax).exactOptional(),
};

// generate:tools:tool-config
/** Which functions the model may or must call. */
export const StrictToolConfig = z.strictObject({
  functionCallingConfig: z.strictObject(calling).exactOptional(),
});
export const CompatToolConfig = z.strictObject({
  functionCallingConfig: z
    .strictObject({
      ...calling,
      /** Whether calls may come in pieces. They come whole, which every client that asks for it takes too. */
      streamFunctionCallArguments: z.boolean().exactOptional(),
    })
    .exactOptional(),
});
export type GenerateToolConfig = Readonly<z.infer<typeof CompatToolConfig>>;

// generate:safety-settings
/** Categories and thresholds that models know. */
const SafetySetting = z.strictObject({
  category: z.enum([
    'HARM_CATEGORY_HARASSMENT',
    'HARM_CATEGORY_HATE_SPEECH',
    'HARM_CATEGORY_SEXUALLY_EXPLICIT',
    'HARM_CATEGORY_DANGEROUS_CONTENT',
    'HARM_CATEGORY_CIVIC_INTEGRITY',
    'HARM_CATEGORY_JAILBREAK',
  ]),
  threshold: z.enum(['BLOCK_LOW_AND_ABOVE', 'BLOCK_MEDIUM_AND_ABOVE', 'BLOCK_ONLY_HIGH', 'BLOCK_NONE', 'OFF']),
});
export type SafetySettings = readonly Readonly<z.infer<typeof SafetySetting>>[];

export const StrictSafetySettings = z.array(SafetySetting).min(1).max(safetySettingsMax);
export const CompatSafetySettings = z.array(SafetySetting).max(safetySettingsMax);
