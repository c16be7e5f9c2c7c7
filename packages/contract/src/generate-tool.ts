import { z } from 'zod';
import { JsonRecord } from './json-record.ts';
import { generateBounds } from './limits.ts';

const { toolsMax, declarationsMax, safetySettingsMax } = generateBounds;

/** Letters, digits and `_.:-`, beginning with a letter or an underscore, at most 128 characters. */
const functionName = z.string().regex(/^[A-Za-z_][A-Za-z0-9_.:-]{0,127}$/);

/** A declared function; its schema stands in one of two forms [generate:tools:declarations]. */
const FunctionDeclaration = z.strictObject({
  name: functionName,
  description: z.string().exactOptional(),
  /** The OpenAPI form, with type names in upper or lower case. */
  parameters: JsonRecord.exactOptional(),
  parametersJsonSchema: JsonRecord.exactOptional(),
});
export type FunctionDeclaration = Readonly<z.infer<typeof FunctionDeclaration>>;

/** One tools object may hold several tools [generate:tools:several-per-object]. */
const GenerateTool = z.strictObject({
  functionDeclarations: z.array(FunctionDeclaration).max(declarationsMax).exactOptional(),
  codeExecution: z.strictObject({}).exactOptional(),
  urlContext: z.strictObject({}).exactOptional(),
});
export const GenerateTools = z.array(GenerateTool).max(toolsMax);
export type GenerateTools = readonly Readonly<z.infer<typeof GenerateTool>>[];

/** Which functions the model may or must call [generate:tools:tool-config]. */
export const GenerateToolConfig = z.strictObject({
  functionCallingConfig: z
    .strictObject({
      mode: z.enum(['AUTO', 'ANY', 'NONE', 'VALIDATED']).exactOptional(),
      allowedFunctionNames: z.array(functionName).min(1).max(declarationsMax).exactOptional(),
    })
    .exactOptional(),
});
export type GenerateToolConfig = Readonly<z.infer<typeof GenerateToolConfig>>;

/** Categories and thresholds that models know [generate:safety-settings]. */
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
