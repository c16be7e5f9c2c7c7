import { z } from 'zod';
import { chatBounds } from './limits.ts';

/** Letters, digits and `_.:-`, beginning with a letter or an underscore, at most 128 characters. */
const functionName = z.string().regex(/^[A-Za-z_][A-Za-z0-9_.:-]{0,127}$/);
const declaration = {
  name: functionName,
  description: z.string().exactOptional(),
  /** A JSON Schema; only its depth is checked here. */
  parameters: z.record(z.string(), z.unknown()).exactOptional(),
};

const codeExecution = z.strictObject({ type: z.literal('code_execution') });
const urlContext = z.strictObject({ type: z.literal('url_context') });

const StrictTool = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('function'), function: z.strictObject(declaration) }),
  codeExecution,
  urlContext,
]);
const CompatTool = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('function'),
    function: z.strictObject({ ...declaration, strict: z.boolean().nullable().exactOptional() }),
  }),
  codeExecution,
  urlContext,
]);
/** A declared tool [chat:tools:function-shape]. */
export type ChatTool = z.infer<typeof CompatTool>;

/** The tools list in both forms. */
export const strictTools = z.array(StrictTool).max(chatBounds.toolsMax);
export const compatTools = z.array(CompatTool).max(chatBounds.toolsMax);

/** Which tool the model is to call [chat:tool-choice:values]. */
export const ToolChoice = z.union([
  z.enum(['auto', 'none', 'required']),
  z.strictObject({ type: z.literal('function'), function: z.strictObject({ name: functionName }) }),
]);
export type ToolChoice = z.infer<typeof ToolChoice>;
