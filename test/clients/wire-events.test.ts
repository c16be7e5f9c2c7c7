import type Anthropic from '@anthropic-ai/sdk';
import type OpenAI from 'openai';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { serveOwnGateway } from '../gateway/served-gateway.ts';

type Own = Awaited<ReturnType<typeof serveOwnGateway>>;
type Fields = Readonly<Record<string, unknown>>;

interface SentEvent {
  /** Null where the event has no name. */
  readonly name: string | null;
  readonly data: string;
}

/** What a wire may send, in the types of its own client: one that it does not know breaks it. */
const messageEvents = {
  message_start: true,
  message_delta: true,
  message_stop: true,
  content_block_start: true,
  content_block_delta: true,
  content_block_stop: true,
  ping: true,
  error: true,
} satisfies Record<Anthropic.Messages.RawMessageStreamEvent['type'] | 'ping' | 'error', true>;

const responseEvents = {
  'response.created': true,
  'response.in_progress': true,
  'response.output_item.added': true,
  'response.output_item.done': true,
  'response.content_part.added': true,
  'response.content_part.done': true,
  'response.output_text.delta': true,
  'response.output_text.done': true,
  'response.output_text.annotation.added': true,
  'response.reasoning_summary_part.added': true,
  'response.reasoning_summary_part.done': true,
  'response.reasoning_summary_text.delta': true,
  'response.reasoning_summary_text.done': true,
  'response.function_call_arguments.delta': true,
  'response.function_call_arguments.done': true,
  'response.completed': true,
  'response.incomplete': true,
  'response.failed': true,
} satisfies Partial<Record<OpenAI.Responses.ResponseStreamEvent['type'], true>>;

const model = 'flash-2.5';
const messages = [{ role: 'user', content: 'Hello' }];
const parameters = { type: 'object', properties: { at: { type: 'number' } } };
const done = '[DONE]';

const fieldsOf = (data: string): Fields => JSON.parse(data) as Fields;

/** Every event has a name that is its type, and is one that the client knows. */
const isNamed =
  (known: object) =>
  ({ name, data }: SentEvent): boolean =>
    name !== null && name === fieldsOf(data)['type'] && Object.hasOwn(known, name);

/** No event has a name, and each holds a list that clients read, or an error. */
const isPlain =
  (list: string) =>
  ({ name, data }: SentEvent): boolean => {
    const fields = fieldsOf(data);
    return name === null && (Array.isArray(fields[list]) || 'error' in fields);
  };

interface Wire {
  readonly path: string;
  readonly body: object;
  readonly isKnown: (event: SentEvent) => boolean;
  /** Whether `[DONE]` ends a stream that succeeded. */
  readonly saysDone: boolean;
}

const wires: Readonly<Record<string, Wire>> = {
  chat: {
    path: '/chat/completions',
    body: { model, messages, stream: true, tools: [{ type: 'function', function: { name: 'look', parameters } }] },
    isKnown: isPlain('choices'),
    saysDone: true,
  },
  Messages: {
    path: '/messages',
    body: { model, messages, stream: true, max_tokens: 100, tools: [{ name: 'look', input_schema: parameters }] },
    isKnown: isNamed(messageEvents),
    saysDone: false,
  },
  Responses: {
    path: '/responses',
    body: { model, input: 'Hello', stream: true, tools: [{ type: 'function', name: 'look', parameters }] },
    isKnown: isNamed(responseEvents),
    saysDone: false,
  },
  Google: {
    path: `/models/${model}:streamGenerateContent?alt=sse`,
    body: {
      contents: [{ role: 'user', parts: [{ text: 'Hello' }] }],
      tools: [{ functionDeclarations: [{ name: 'look', parameters }] }],
    },
    isKnown: isPlain('candidates'),
    saysDone: false,
  },
};

let own: Own;
beforeAll(async () => {
  own = await serveOwnGateway({ drainMs: 0, compatibility: { openai: true, anthropic: true, google: true } });
});
afterAll(() => own.server.close());

/** Reads a whole stream; each of its blocks is one event and nothing else. */
const read = async ({ path, body }: Wire): Promise<readonly SentEvent[]> => {
  const response = await fetch(`${own.url}${path}`, {
    method: 'POST',
    headers: { 'x-goog-api-key': own.key, authorization: `Bearer ${own.key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const stream = await response.text();
  expect(stream.endsWith('\n\n')).toBe(true);
  return stream
    .slice(0, -2)
    .split('\n\n')
    .map((block) => {
      const [, name = null, data] = /^(?:event: ([^\n]+)\n)?data: ([^\n]+)$/.exec(block) ?? [];
      if (data === undefined) throw new Error(`no event: ${block}`);
      return { name, data };
    });
};

const pieces = [
  { kind: 'text', text: 'A thought.', thought: true },
  { kind: 'text', text: 'One ' },
  { kind: 'text', text: 'two.' },
  { kind: 'function_call', id: 'a', name: 'look', arguments: '{"at":1}' },
] as const;

test.each(Object.entries(wires))('%s: sends what its clients know and nothing else, to the end', async (_, wire) => {
  own.provider.script({ kind: 'answer', pieces });
  const events = await read(wire);
  const ends = events.filter(({ data }) => data === done);
  expect(ends).toHaveLength(wire.saysDone ? 1 : 0);
  const told = wire.saysDone ? events.slice(0, -1) : events;
  expect(told.filter((event) => !wire.isKnown(event))).toEqual([]);
  expect(told.some(({ data }) => data.includes('"look"'))).toBe(true);
  // What the gateway adds is a member of an event that the client knows.
  expect(told.some(({ data }) => data.includes('"service":{'))).toBe(true);
});

test.each(Object.entries(wires))('%s: sends a failure as an event that its clients know', async (_, wire) => {
  own.provider.script({ kind: 'unknown', pieces: pieces.slice(0, 2) });
  const events = await read(wire);
  expect(events.filter(({ data }) => data === done)).toEqual([]);
  expect(events.filter((event) => !wire.isKnown(event))).toEqual([]);
  expect(events.at(-1)?.data).toContain('"error"');
});

test('Responses: counts its events from 0, without a gap', async () => {
  own.provider.script({ kind: 'answer', pieces });
  const { Responses: wire } = wires;
  const numbers = (wire === undefined ? [] : await read(wire)).map(({ data }) => fieldsOf(data)['sequence_number']);
  expect(numbers).toEqual(numbers.map((_, at) => at));
  expect(numbers.length).toBeGreaterThan(10);
});
