import assert from 'node:assert/strict';
import { jsonOf, type Answer, type Json } from './answer.ts';
import { blocksOf } from './generate-stream-reading.ts';
import type { Ask, GatewayWorld } from './gateway-world.ts';
import { suiteModel } from './suite-tariff.ts';

/** One event of a stream, whose name is its type. */
export interface NamedEvent {
  readonly type: string;
  readonly data: Json;
}

export const namedEvents = (stream: string): readonly NamedEvent[] =>
  blocksOf(stream).map((block) => {
    const [, name = '', data = ''] = /^event: ([^\n]+)\ndata: ([^\n]+)$/.exec(block) ?? assert.fail(block);
    const parsed = jsonOf(JSON.parse(data));
    assert.equal(parsed.at('type').value, name);
    return { type: name, data: parsed };
  });

/** What the gateway suite asks of a wire of generations, in the words of each. */
export interface DialectWire {
  readonly name: string;
  readonly path: string;
  readonly settings: { readonly compatibility: { readonly openai?: true; readonly anthropic?: true } };
  readonly headers: Readonly<Record<string, string>>;
  /** A request that says one text. */
  readonly saying: (text: string, more?: object) => object;
  /** Requests that go on after an answer with one call: the answer sent back, and the result of the call. */
  readonly answering: (first: Json, callId: string, result: string) => object;
  readonly tool: object;
  /** The text of a whole response, and what its end says. */
  readonly textOf: (body: Json) => string;
  readonly endOf: (body: Json) => unknown;
  /** The text that the events of a stream add up to. */
  readonly streamedText: (events: readonly NamedEvent[]) => string;
  /** The whole response in the last event of a stream that has one, else the members of its end. */
  readonly creditsIn: (events: readonly NamedEvent[]) => unknown;
  readonly inputTokens: (body: Json) => number;
  /** The sealed state of a thought in a whole response. */
  readonly sealedIn: (body: Json) => string;
  /** The code of an error of the contract that the last event of a failed stream holds. */
  readonly failureIn: (event: NamedEvent) => string;
}

const joined = (events: readonly NamedEvent[], type: string, ...at: readonly string[]): string =>
  events
    .filter((event) => event.type === type)
    .map(({ data }) => data.at(...at).value)
    .filter((part) => typeof part === 'string')
    .join('');

const textsIn = (list: readonly Json[], type: string): string =>
  list
    .filter((entry) => entry.at('type').value === type)
    .map((entry) => entry.at('text').text())
    .join('');

const firstOf = (list: readonly Json[], type: string): Json =>
  list.find((entry) => entry.at('type').value === type) ?? assert.fail(`no ${type}`);

const schema = { type: 'object', properties: { at: { type: 'string' } } };

export const messagesWire: DialectWire = {
  name: 'messages',
  path: '/messages',
  settings: { compatibility: { anthropic: true } },
  headers: { 'anthropic-version': '2023-06-01' },
  saying: (text, more = {}) => ({
    model: suiteModel,
    max_tokens: 100,
    messages: [{ role: 'user', content: text }],
    ...more,
  }),
  answering: (first, callId, result) => ({
    model: suiteModel,
    max_tokens: 100,
    messages: [
      { role: 'user', content: 'Hello' },
      { role: 'assistant', content: first.at('content').value },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: callId, content: result }] },
    ],
  }),
  tool: { name: 'look', input_schema: schema },
  textOf: (body) => textsIn(body.at('content').list(), 'text'),
  endOf: (body) => body.at('stop_reason').value,
  streamedText: (events) => joined(events, 'content_block_delta', 'delta', 'text'),
  creditsIn: (events) => events.find(({ type }) => type === 'message_delta')?.data.at('service', 'credits').value,
  inputTokens: (body) => body.at('usage', 'input_tokens').number(),
  sealedIn: (body) => firstOf(body.at('content').list(), 'thinking').at('signature').text(),
  failureIn: ({ type, data }) => {
    assert.equal(type, 'error');
    return data.at('error', 'code').text();
  },
};

export const responsesWire: DialectWire = {
  name: 'responses',
  path: '/responses',
  settings: { compatibility: { openai: true } },
  headers: {},
  saying: (text, more = {}) => ({ model: suiteModel, input: text, ...more }),
  answering: (first, callId, result) => ({
    model: suiteModel,
    input: [
      { role: 'user', content: 'Hello' },
      ...first
        .at('output')
        .list()
        .map(({ value }) => value),
      { type: 'function_call_output', call_id: callId, output: result },
    ],
  }),
  tool: { type: 'function', name: 'look', parameters: schema },
  textOf: (body) =>
    body
      .at('output')
      .list()
      .filter((item) => item.at('type').value === 'message')
      .map((item) => textsIn(item.at('content').list(), 'output_text'))
      .join(''),
  endOf: (body) => body.at('incomplete_details', 'reason').value ?? body.at('status').value,
  streamedText: (events) => joined(events, 'response.output_text.delta', 'delta'),
  creditsIn: (events) => events.at(-1)?.data.at('response', 'service', 'credits').value,
  inputTokens: (body) => body.at('usage', 'input_tokens').number(),
  sealedIn: (body) => firstOf(body.at('output').list(), 'reasoning').at('encrypted_content').text(),
  failureIn: ({ type, data }) => {
    assert.equal(type, 'response.failed');
    return data.at('response', 'error', 'reason').text();
  },
};

/** What every wire does. */
export type WireCase = (world: GatewayWorld, wire: DialectWire) => Promise<void>;

/** A case of one wire. */
export const wireCase =
  (run: WireCase, wire: DialectWire) =>
  (world: GatewayWorld): Promise<void> =>
    run(world, wire);

/** Sends a request of a wire. */
export const ask = (
  world: GatewayWorld,
  wire: DialectWire,
  body: unknown,
  more: Omit<Ask, 'path' | 'body'> = {},
): Promise<Answer> => world.send({ ...more, path: wire.path, body, headers: { ...wire.headers, ...more.headers } });
