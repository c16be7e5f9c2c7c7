import { z } from 'zod';
import { CompatPart, StrictPart, type ChatPart } from './chat-part.ts';
import { chatBounds } from './limits.ts';

const text = z.string().min(1);
const id = z.string().min(1).max(chatBounds.textFieldCharsMax);
const functionName = z.string().min(1).max(chatBounds.nameCharsMax);
const speaker = { name: z.string().min(1).max(chatBounds.nameCharsMax).exactOptional() };

const call = { name: functionName, arguments: z.string() };
/** A stream numbers its calls, and its one message may be sent back as it came. */
const numbered = { index: z.int().min(0).exactOptional() };
const StrictCall = z.strictObject({ ...numbered, id, type: z.literal('function'), function: z.strictObject(call) });
/** The client library's parse helper writes `parsed_arguments` beside the text it comes from and sends it back. */
const CompatCall = z.strictObject({
  ...numbered,
  id,
  type: z.literal('function'),
  function: z.strictObject({ ...call, parsed_arguments: z.unknown().exactOptional() }),
});

const system = { role: z.literal('system'), content: text };
const assistant = {
  role: z.literal('assistant'),
  content: z.string().nullable().exactOptional(),
  context: z.string().max(chatBounds.contextCharsMax).exactOptional(),
};
/** What client libraries add to an assistant message that they send back; it says nothing and is dropped. */
const resent = {
  refusal: z.null().exactOptional(),
  annotations: z.array(z.unknown()).exactOptional(),
  audio: z.null().exactOptional(),
  function_call: z.null().exactOptional(),
  parsed: z.unknown().exactOptional(),
};
const tool = { role: z.literal('tool'), tool_call_id: id, content: z.string() };

/** A message as the contract writes it [chat:messages:role]. */
export const StrictMessage = z.discriminatedUnion('role', [
  z.strictObject(system),
  z.strictObject({
    role: z.literal('user'),
    content: z.union([text, z.array(StrictPart).min(1).max(chatBounds.partsPerMessageMax)]),
  }),
  z.strictObject({
    ...assistant,
    tool_calls: z.array(StrictCall).min(1).max(chatBounds.toolCallsPerMessageMax).exactOptional(),
  }),
  z.strictObject(tool),
]);

/** The same with what the compatibility option adds. */
export const CompatMessage = z.discriminatedUnion('role', [
  z.strictObject({ ...system, ...speaker }),
  z.strictObject({
    role: z.literal('user'),
    content: z.union([text, z.array(CompatPart).min(1).max(chatBounds.partsPerMessageMax)]),
    ...speaker,
  }),
  z.strictObject({
    ...assistant,
    ...resent,
    tool_calls: z.array(CompatCall).max(chatBounds.toolCallsPerMessageMax).exactOptional(),
    ...speaker,
  }),
  z.strictObject({ ...tool, ...speaker }),
]);
/** A message as it was sent, its shape checked. */
export type WireMessage = z.infer<typeof CompatMessage>;

export interface ChatToolCall {
  readonly id: string;
  readonly type: 'function';
  /** `arguments` is JSON text, known to parse. */
  readonly function: { readonly name: string; readonly arguments: string };
}

/** A checked message. An assistant message without text has content null and at least one tool call. `name` is present
 * only with the compatibility option. */
export type ChatMessage =
  | { readonly role: 'system'; readonly content: string; readonly name?: string }
  | { readonly role: 'user'; readonly content: string | readonly ChatPart[]; readonly name?: string }
  | {
      readonly role: 'assistant';
      readonly content: string | null;
      readonly tool_calls?: readonly ChatToolCall[];
      /** Opaque to this package; its seal is checked by whoever made it [chat:message:context-sealed]. */
      readonly context?: string;
      readonly name?: string;
    }
  | { readonly role: 'tool'; readonly tool_call_id: string; readonly content: string; readonly name?: string };
