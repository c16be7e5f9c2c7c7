import { isRecord, type GatewayError } from '@tollgate/contract';
import { doneEvent } from '@tollgate/sse';
import type { OperationRecord } from '@tollgate/storage';
import type { WrittenCall } from '../call-order.ts';
import { errorText } from '../render-error.ts';
import { dataEvent } from '../stream-in-time.ts';
import { divideMessage, type CallText, type ChatPiece } from './chat-division.ts';
import { shownTier } from '../service-tier.ts';
import { chunkHead, encodeStream, receiptOf, usageOf } from './encode-completion.ts';

const absentIfEmpty = (text: string): string | undefined => (text === '' ? undefined : text);

/** Writes the chunks of one answer in their order. The first one comes with the chunk that names the role. */
export const createChunkEncoder = (
  operation: Pick<OperationRecord, 'id' | 'createdAtMs' | 'model'>,
): ((piece: ChatPiece) => string) => {
  const start = JSON.stringify(chunkHead(operation)).slice(0, -1);
  const chunk = (delta: object): string =>
    `data: ${start},"choices":[{"index":0,"delta":${JSON.stringify(delta)},"finish_reason":null}]}\n\n`;
  let opening = chunk({ role: 'assistant', content: '' });
  let calls = 0;
  const callDelta = ({ id, name, arguments: text }: WrittenCall): object => ({
    index: calls++,
    id,
    type: 'function',
    function: { name, arguments: text },
  });
  const textDelta = ({ begins, text }: CallText): object =>
    begins === null ? { index: calls - 1, function: { arguments: text } } : callDelta({ ...begins, arguments: text });
  return (piece) => {
    const tool_calls = piece.callText === undefined ? piece.calls.map(callDelta) : [textDelta(piece.callText)];
    const before = opening;
    opening = '';
    const delta = {
      content: absentIfEmpty(piece.content),
      reasoning_content: absentIfEmpty(piece.reasoning),
      tool_calls: tool_calls.length === 0 ? undefined : tool_calls,
      annotations: piece.citations.length === 0 ? undefined : piece.citations,
    };
    return before + chunk(delta);
  };
};

/** What a stored message says beside its pieces. */
interface StoredMessage extends ChatPiece {
  readonly context: string | undefined;
  readonly finishReason: string;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

const callOf = (value: unknown): ChatPiece['calls'][number] => {
  const call = isRecord(value) ? value : {};
  const named = isRecord(call['function']) ? call['function'] : {};
  return { id: textOf(call['id']), name: textOf(named['name']), arguments: textOf(named['arguments']) };
};

/** A completion as `planAnswer` wrote it. */
const readStored = (body: string): StoredMessage => {
  const stored: unknown = JSON.parse(body);
  const choices: readonly unknown[] = isRecord(stored) && Array.isArray(stored['choices']) ? stored['choices'] : [];
  const choice = isRecord(choices[0]) ? choices[0] : {};
  const message = isRecord(choice['message']) ? choice['message'] : {};
  const calls: readonly unknown[] = Array.isArray(message['tool_calls']) ? message['tool_calls'] : [];
  const citations: readonly unknown[] = Array.isArray(message['annotations']) ? message['annotations'] : [];
  return {
    content: textOf(message['content']),
    reasoning: textOf(message['reasoning_content']),
    calls: calls.map(callOf),
    citations: citations.filter(isRecord),
    context: typeof message['context'] === 'string' ? message['context'] : undefined,
    finishReason: textOf(choice['finish_reason']),
  };
};

/** The end of a stream: why it ended, the usage if the client asked for it, and the credits in the last chunk. */
const encodeEnd = (brand: string, operation: OperationRecord, stored: StoredMessage, rest: string): string => {
  const head = chunkHead(operation);
  const receipt = { service_tier: shownTier(operation), [brand]: receiptOf(operation) };
  const delta = { content: absentIfEmpty(rest), context: stored.context };
  const last = { ...head, choices: [{ index: 0, delta, finish_reason: stored.finishReason }] };
  if (operation.answerForm !== 'sse_usage') return dataEvent(JSON.stringify({ ...last, ...receipt })) + doneEvent;
  const closing = { ...head, choices: [], usage: usageOf(operation), ...receipt };
  return dataEvent(JSON.stringify(last)) + dataEvent(JSON.stringify(closing)) + doneEvent;
};

/** What follows the chunks that were sent, which had so many characters of content, once they are settled. */
export const encodeChatEnd = (brand: string, operation: OperationRecord, body: string, sentChars: number): string => {
  const stored = readStored(body);
  return encodeEnd(brand, operation, stored, stored.content.slice(sentChars));
};

/** A stream once more: the chunks as they were sent where that was noted, else the message in one chunk. */
export const encodeReplayedChat = (
  brand: string,
  operation: OperationRecord,
  { body, division }: { readonly body: string; readonly division: string | null },
): string => {
  if (division === null) return encodeStream(brand, operation, body);
  const stored = readStored(body);
  const divided = divideMessage(division, stored);
  if (divided === null) return encodeStream(brand, operation, body);
  const encode = createChunkEncoder(operation);
  return divided.pieces.map(encode).join('') + encodeEnd(brand, operation, stored, divided.rest);
};

/** How a stream fails after its first chunk: OpenAI's clients read an `error` in the data, and no `[DONE]` follows. */
export const encodeChatError = (error: GatewayError): string => dataEvent(errorText(error));
