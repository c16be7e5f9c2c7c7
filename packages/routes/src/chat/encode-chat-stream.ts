import { isRecord, type GatewayError } from '@tollgate/contract';
import { doneEvent } from '@tollgate/sse';
import type { OperationRecord } from '@tollgate/storage';
import { errorText } from '../render-error.ts';
import { divideMessage, type ChatPiece, type WholeMessage } from './chat-division.ts';
import { encodeStream, receiptOf, usageOf } from './encode-completion.ts';

/** JSON text holds no line end, so an event needs no look at its text. */
const dataEvent = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`;

/** What every chunk of one answer begins with. */
const headOf = ({ id, createdAtMs, model }: Pick<OperationRecord, 'id' | 'createdAtMs' | 'model'>) => ({
  id: `chatcmpl-${id}`,
  object: 'chat.completion.chunk',
  created: Math.floor(createdAtMs / 1_000),
  model,
});

const absentIfEmpty = (text: string): string | undefined => (text === '' ? undefined : text);

/** Writes the chunks of one answer in their order. The first one comes with the chunk that names the role. */
export const createChunkEncoder = (
  operation: Pick<OperationRecord, 'id' | 'createdAtMs' | 'model'>,
): ((piece: ChatPiece) => string) => {
  const start = JSON.stringify(headOf(operation)).slice(0, -1);
  const chunk = (delta: object): string =>
    `data: ${start},"choices":[{"index":0,"delta":${JSON.stringify(delta)},"finish_reason":null}]}\n\n`;
  let opening = chunk({ role: 'assistant', content: '' });
  let calls = 0;
  return (piece) => {
    const tool_calls = piece.calls.map(({ id, name, arguments: text }) => ({
      index: calls++,
      id,
      type: 'function',
      function: { name, arguments: text },
    }));
    const before = opening;
    opening = '';
    const delta = {
      content: absentIfEmpty(piece.content),
      reasoning_content: absentIfEmpty(piece.reasoning),
      tool_calls: tool_calls.length === 0 ? undefined : tool_calls,
    };
    return before + chunk(delta);
  };
};

/** What a stored message says beside its pieces. */
interface StoredMessage extends WholeMessage {
  readonly context: string | undefined;
  readonly finishReason: string;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

const callOf = (value: unknown): WholeMessage['calls'][number] => {
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
  return {
    content: textOf(message['content']),
    reasoning: textOf(message['reasoning_content']),
    calls: calls.map(callOf),
    context: typeof message['context'] === 'string' ? message['context'] : undefined,
    finishReason: textOf(choice['finish_reason']),
  };
};

/** The end of a stream: why it ended, the usage if the client asked for it, and the credits in the last chunk. */
const encodeEnd = (brand: string, operation: OperationRecord, stored: StoredMessage, rest: string): string => {
  const head = headOf(operation);
  const receipt = { [brand]: receiptOf(operation) };
  const delta = { content: absentIfEmpty(rest), context: stored.context };
  const last = { ...head, choices: [{ index: 0, delta, finish_reason: stored.finishReason }] };
  if (operation.answerForm !== 'sse_usage') return dataEvent({ ...last, ...receipt }) + doneEvent;
  return dataEvent(last) + dataEvent({ ...head, choices: [], usage: usageOf(operation), ...receipt }) + doneEvent;
};

/** What follows the chunks that were sent, once they are settled. */
export const encodeChatEnd = (
  brand: string,
  operation: OperationRecord,
  { body, division }: { readonly body: string; readonly division: string | null },
): string => {
  const stored = readStored(body);
  const divided = division === null ? null : divideMessage(division, stored);
  return encodeEnd(brand, operation, stored, divided?.rest ?? '');
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
export const encodeChatError = (error: GatewayError): string => `data: ${errorText(error)}\n\n`;
