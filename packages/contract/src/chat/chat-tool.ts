import { z } from 'zod';
import { JsonRecord } from '../json/json-record.ts';
import { FunctionName } from '../fields/function-name.ts';
import { chatBounds } from '../limits.ts';

const declaration = {
  name: FunctionName,
  description: z.string().exactOptional(),
  /** A JSON Schema; only its depth is checked here. */
  parameters: JsonRecord.exactOptional(),
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
    /** Where a cache may begin; dropped. */
    cache_control: z.unknown().exactOptional(),
  }),
  codeExecution,
  urlContext,
]);
// chat:tools:function-shape
/** A declared tool. */
export type ChatTool = z.infer<typeof CompatTool>;

/** The tools list in both forms. */
export const strictTools = z.array(StrictTool).max(chatBounds.toolsMax);
export const compatTools = z.array(CompatTool).max(chatBounds.toolsMax);

/** Functions of the form that came before tools. */
export const LegacyFunctions = z.array(z.strictObject(declaration)).min(1).max(chatBounds.toolsMax);
/** Which of them the model is to call. */
export const LegacyChoice = z.union([z.enum(['auto', 'none']), z.strictObject({ name: FunctionName })]);

// chat:tool-choice:values
/** Which tool the model is to call. */
export const ToolChoice = z.union([
  z.enum(['auto', 'none', 'required']),
  z.strictObject({ type: z.literal('function'), function: z.strictObject({ name: FunctionName }) }),
]);
export type ToolChoice = z.infer<typeof ToolChoice>;
