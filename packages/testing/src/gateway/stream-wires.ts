import assert from 'node:assert/strict';
import { jsonOf, type Answer, type Json } from './answer.ts';
import { streaming } from './chat-in-time-reading.ts';
import { messagesWire, namedEvents, responsesWire } from './dialect-wires.ts';
import { helloBody } from './generate-ask.ts';
import { blocksOf } from './generate-stream-reading.ts';
import type { GatewayWorld } from './gateway-world.ts';
import { suiteModel } from './suite-tariff.ts';
import type { GatewaySettings } from './gateway-under-test.ts';

/** A call as the events of a stream told of it. */
export interface StreamedCall {
  readonly id: string;
  readonly name: string;
  /** Its arguments, delta by delta. */
  readonly deltas: string[];
}

/** A wire that streams an answer, as a client of it reads the stream. */
export interface StreamWire {
  readonly name: string;
  readonly path: string;
  readonly settings: GatewaySettings;
  readonly headers: Readonly<Record<string, string>>;
  /** A request for a stream that may call a function. */
  readonly body: object;
  readonly callsIn: (stream: string) => readonly StreamedCall[];
  readonly textIn: (stream: string) => string;
  /** What the stream came to, as its clients tell; `open` where it says neither. */
  readonly endOf: (stream: string) => 'success' | 'failure' | 'open';
}

/** The data of every event so far; half an event is not read. */
const dataIn = (stream: string): readonly Json[] =>
  blocksOf(stream.slice(0, stream.lastIndexOf('\n\n') + 2)).flatMap((block) => {
    const data = /^data: (\{.*)$/m.exec(block)?.[1];
    return data === undefined ? [] : [jsonOf(JSON.parse(data))];
  });

const textAt = (value: Json, ...path: readonly (string | number)[]): string => {
  const found = value.at(...path).value;
  return typeof found === 'string' ? found : '';
};

const joined = (stream: string, ...path: readonly (string | number)[]): string =>
  dataIn(stream)
    .map((event) => textAt(event, ...path))
    .join('');

const chatCalls = (stream: string): readonly StreamedCall[] => {
  const calls: StreamedCall[] = [];
  for (const chunk of dataIn(stream)) {
    const delta = chunk.at('choices', 0, 'delta', 'tool_calls').value;
    if (!Array.isArray(delta)) continue;
    for (const call of chunk.at('choices', 0, 'delta', 'tool_calls').list()) {
      const index = call.at('index').number();
      const text = call.at('function', 'arguments').text();
      if (calls[index] === undefined) {
        assert.equal(call.at('type').value, 'function');
        calls[index] = { id: call.at('id').text(), name: call.at('function', 'name').text(), deltas: [] };
      } else assert.deepEqual(call.value, { index, function: { arguments: text } });
      if (text !== '') calls[index].deltas.push(text);
    }
  }
  return calls;
};

export const chatStream: StreamWire = {
  name: 'chat',
  path: '/chat/completions',
  settings: { compatibility: { openai: true } },
  headers: {},
  body: { ...streaming, tools: [{ type: 'function', function: { name: 'look' } }] },
  callsIn: chatCalls,
  textIn: (stream) => joined(stream, 'choices', 0, 'delta', 'content'),
  endOf: (stream) => {
    if (stream.endsWith('data: [DONE]\n\n')) return 'success';
    return dataIn(stream).at(-1)?.at('error').value === undefined ? 'open' : 'failure';
  },
};

/** Blocks come one at a time: a block that begins before another has ended is read by no client. */
const messageCalls = (stream: string): readonly StreamedCall[] => {
  const calls: StreamedCall[] = [];
  let open: number | null = null;
  for (const { type, data } of namedEvents(stream)) {
    if (type === 'content_block_start') {
      assert.equal(open, null, 'a block begins within another');
      open = data.at('index').number();
      const block = data.at('content_block');
      if (block.at('type').value === 'tool_use')
        calls.push({ id: block.at('id').text(), name: block.at('name').text(), deltas: [] });
    } else if (type === 'content_block_delta') {
      assert.equal(data.at('index').value, open);
      if (data.at('delta', 'type').value === 'input_json_delta')
        calls.at(-1)?.deltas.push(data.at('delta', 'partial_json').text());
    } else if (type === 'content_block_stop') {
      assert.equal(data.at('index').value, open);
      open = null;
    }
  }
  return calls;
};

const lastType = (stream: string): unknown => dataIn(stream).at(-1)?.at('type').value;

export const messagesStream: StreamWire = {
  name: 'messages',
  path: messagesWire.path,
  settings: messagesWire.settings,
  headers: messagesWire.headers,
  body: messagesWire.saying('Hello', { stream: true, tools: [messagesWire.tool] }),
  callsIn: (stream) => messageCalls(stream.slice(0, stream.lastIndexOf('\n\n') + 2)),
  textIn: (stream) => joined(stream, 'delta', 'text'),
  endOf: (stream) => {
    const type = lastType(stream);
    return type === 'message_stop' ? 'success' : type === 'error' ? 'failure' : 'open';
  },
};

const responseCalls = (stream: string): readonly StreamedCall[] => {
  const calls = new Map<unknown, StreamedCall>();
  for (const event of dataIn(stream)) {
    const type = event.at('type').value;
    const item = event.at('item');
    if (type === 'response.output_item.added' && item.at('type').value === 'function_call')
      calls.set(item.at('id').value, { id: item.at('call_id').text(), name: item.at('name').text(), deltas: [] });
    const call = calls.get(event.at('item_id').value);
    if (type === 'response.function_call_arguments.delta') call?.deltas.push(event.at('delta').text());
    if (type === 'response.function_call_arguments.done')
      assert.equal(call?.deltas.join(''), event.at('arguments').value);
  }
  return [...calls.values()];
};

export const responsesStream: StreamWire = {
  name: 'responses',
  path: responsesWire.path,
  settings: responsesWire.settings,
  headers: {},
  body: responsesWire.saying('Hello', { stream: true, tools: [responsesWire.tool] }),
  callsIn: responseCalls,
  textIn: (stream) =>
    dataIn(stream)
      .filter((event) => event.at('type').value === 'response.output_text.delta')
      .map((event) => event.at('delta').text())
      .join(''),
  endOf: (stream) => {
    const type = lastType(stream);
    if (type === 'response.completed' || type === 'response.incomplete') return 'success';
    return type === 'response.failed' ? 'failure' : 'open';
  },
};

export const completionsStream: StreamWire = {
  ...chatStream,
  name: 'completions',
  path: '/completions',
  body: { model: suiteModel, prompt: 'Hello', stream: true },
  callsIn: () => [],
  textIn: (stream) => joined(stream, 'choices', 0, 'text'),
};

export const generateStream: StreamWire = {
  name: 'generate',
  path: `/models/${suiteModel}:streamGenerateContent`,
  settings: {},
  headers: {},
  body: helloBody,
  callsIn: () => [],
  textIn: (stream) => joined(stream, 'candidates', 0, 'content', 'parts', 0, 'text'),
  endOf: (stream) => {
    if (stream.includes('event: content.completed')) return 'success';
    return stream.includes('event: error') ? 'failure' : 'open';
  },
};

/** Asks for a stream, and reads it to its end. */
export const askStream = (world: GatewayWorld, wire: StreamWire, key: string): Promise<Answer> =>
  world.send({ path: wire.path, body: wire.body, headers: { ...wire.headers, 'idempotency-key': key } });
