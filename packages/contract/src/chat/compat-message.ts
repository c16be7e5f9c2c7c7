import { z } from 'zod';
import { callId, callIndex, calledName, messageText, sealedContext } from './chat-message.ts';
import { CompatPart, partHints } from './chat-part.ts';
import { chatBounds } from '../limits.ts';

const { partsPerMessageMax, toolCallsPerMessageMax, textFieldCharsMax } = chatBounds;

const speaker = { name: z.string().max(chatBounds.nameCharsMax).nullable().exactOptional() };

/** Text that may be empty: a tool may have printed nothing, and a model may have said nothing. */
const TextPart = z.strictObject({ type: z.literal('text'), text: z.string(), ...partHints });
const RefusalPart = z.strictObject({ type: z.literal('refusal'), refusal: z.string() });

const call = { name: calledName, arguments: z.string() };
/** The client library's parse helper writes `parsed_arguments` beside the text it comes from and sends it back. */
const CompatCall = z.strictObject({
  index: callIndex.exactOptional(),
  id: callId,
  type: z.literal('function'),
  function: z.strictObject({ ...call, parsed_arguments: z.unknown().exactOptional() }),
});

/**
 * What client libraries add to an assistant message that they send back, and what says nothing to a model. Reasoning is among it:
 * an upstream that wants its own back gets it by the sealed `context`, or by what the service kept.
 */
const resent = {
  annotations: z.array(z.unknown()).nullable().exactOptional(),
  audio: z.null().exactOptional(),
  parsed: z.unknown().exactOptional(),
  reasoning: z.string().nullable().exactOptional(),
  reasoning_content: z.string().nullable().exactOptional(),
  reasoning_text: z.string().nullable().exactOptional(),
  reasoning_details: z.array(z.unknown()).nullable().exactOptional(),
};

const content = <T extends z.ZodType>(text: z.ZodString, part: T) =>
  z.union([text, z.array(part).min(1).max(partsPerMessageMax)]);

// chat:compat:openai
/** A message with what the compatibility option adds to the contract. */
export const CompatMessage = z.discriminatedUnion('role', [
  z.strictObject({ role: z.literal('system'), content: content(messageText, TextPart), ...speaker }),
  z.strictObject({ role: z.literal('developer'), content: content(messageText, TextPart), ...speaker }),
  z.strictObject({ role: z.literal('user'), content: content(messageText, CompatPart), ...speaker }),
  z.strictObject({
    role: z.literal('assistant'),
    content: z
      .union([
        z.string(),
        z.array(z.discriminatedUnion('type', [TextPart, RefusalPart])).max(partsPerMessageMax),
        z.null(),
      ])
      .optional(),
    context: sealedContext.exactOptional(),
    refusal: z.string().nullable().exactOptional(),
    tool_calls: z.array(CompatCall).max(toolCallsPerMessageMax).nullable().exactOptional(),
    function_call: z.strictObject(call).nullable().exactOptional(),
    ...resent,
    ...speaker,
  }),
  z.strictObject({
    role: z.literal('tool'),
    tool_call_id: callId,
    content: z.union([z.string(), z.array(TextPart).max(partsPerMessageMax)]),
    ...speaker,
  }),
  z.strictObject({
    role: z.literal('function'),
    name: z.string().min(1).max(textFieldCharsMax),
    content: z.union([z.string(), z.null()]),
  }),
]);
/** A message as it was sent, its shape checked. What the contract takes is a part of it. */
export type WireMessage = z.infer<typeof CompatMessage>;
