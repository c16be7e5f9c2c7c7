import { z } from 'zod';
import { StrictPart, type ChatPart } from './chat-part.ts';
import { chatBounds } from '../limits.ts';

/** Text of a message that says something. */
export const messageText = z.string().min(1);
export const callId = z.string().min(1).max(chatBounds.textFieldCharsMax);
export const calledName = z.string().min(1).max(chatBounds.nameCharsMax);
/** The upstream's sealed state of an assistant message. */
export const sealedContext = z.string().max(chatBounds.contextCharsMax);
/** A stream numbers its calls, and its one message may be sent back as it came. */
export const callIndex = z.int().min(0);

const StrictCall = z.strictObject({
  index: callIndex.exactOptional(),
  id: callId,
  type: z.literal('function'),
  function: z.strictObject({ name: calledName, arguments: z.string() }),
});

// chat:messages:role
/** A message as the contract writes it. */
export const StrictMessage = z.discriminatedUnion('role', [
  z.strictObject({ role: z.literal('system'), content: messageText }),
  z.strictObject({
    role: z.literal('user'),
    content: z.union([messageText, z.array(StrictPart).min(1).max(chatBounds.partsPerMessageMax)]),
  }),
  z.strictObject({
    role: z.literal('assistant'),
    content: z.string().nullable().exactOptional(),
    context: sealedContext.exactOptional(),
    tool_calls: z.array(StrictCall).min(1).max(chatBounds.toolCallsPerMessageMax).exactOptional(),
  }),
  z.strictObject({ role: z.literal('tool'), tool_call_id: callId, content: z.string() }),
]);

export interface ChatToolCall {
  readonly id: string;
  readonly type: 'function';
  /** `arguments` is JSON text; in what the service returned, whatever the model wrote. */
  readonly function: { readonly name: string; readonly arguments: string };
}

/**
 * A checked message. An assistant message without text has content null; it has no tool calls either where the model said nothing.
 * `name` is present only with the compatibility option.
 */
export type ChatMessage =
  | { readonly role: 'system'; readonly content: string; readonly name?: string }
  | { readonly role: 'user'; readonly content: string | readonly ChatPart[]; readonly name?: string }
  | {
      readonly role: 'assistant';
      readonly content: string | null;
      readonly tool_calls?: readonly ChatToolCall[] | undefined;
      // chat:message:context-sealed
      /** Opaque to this package; its seal is checked by the package that made it. */
      readonly context?: string;
      readonly name?: string;
    }
  | { readonly role: 'tool'; readonly tool_call_id: string; readonly content: string; readonly name?: string };
