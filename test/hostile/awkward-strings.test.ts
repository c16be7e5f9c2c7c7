import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Generation, GenerationCall, Provider } from '../../packages/provider/src/index.ts';
import { memoryStorage } from '../../packages/storage-memory/src/index.ts';
import { sqliteStorage } from '../../packages/storage-sqlite/src/index.ts';
import { chatBody, choiceIn, eventsIn, getPath, postChat, type Answered } from '../clients/chat-call.ts';
import { lastOf, startGateway, type RunningGateway } from '../clients/running-gateway.ts';
import { awkwardStrings, awkwardStringsCount, nameOfString } from './awkward-strings.ts';

const lastParts = (call: GenerationCall) => call.contents.at(-1)?.parts ?? [];

const textOf = (call: GenerationCall): string =>
  lastParts(call)
    .map((part) => (part.kind === 'text' ? part.text : part.kind === 'function_response' ? part.response : ''))
    .join('');

/** Says back what it heard: as text, or where a function is declared, as the argument, id and state of a call. */
const echoProvider: Provider = {
  name: 'echo',
  generate: (call) => {
    const text = textOf(call);
    const calls = lastParts(call).some((part) => part.kind === 'function_response') ? [] : call.tools;
    const generation: Generation = {
      text: calls.length === 0 ? text : '',
      functionCalls: calls.map((_tool, index) => ({
        kind: 'function_call',
        id: text,
        name: `f${index}`,
        // Raw as far as JSON allows, escaped where it does not.
        arguments: JSON.stringify({ [text]: text }),
        context: JSON.stringify(text),
      })),
      finish: 'stop',
      usage: [{ unit: 'input_text_tokens', quantity: 1, confirmed: true }],
    };
    return Promise.resolve(generation);
  },
};

/** Runs a check over every string and names all that failed, not only the first. */
const failing = async (check: (text: string, index: number) => Promise<boolean>): Promise<readonly string[]> => {
  const failed: string[] = [];
  for (const [index, text] of awkwardStrings.entries())
    if (!(await check(text, index))) failed.push(nameOfString(text));
  return failed;
};

const identity = (kind: string, index: number) => ({ 'idempotency-key': `${kind}-${index}` });

const refused = (answer: Answered): boolean =>
  [404, 422].includes(answer.status) &&
  answer.text.length < 500 &&
  // What is printable may be repeated, nothing else.
  /^[\x20-\x7e]*$/.test(answer.text);

test('the list is whole, and no string stands in it twice', () => {
  expect(awkwardStrings).toHaveLength(awkwardStringsCount);
  expect(new Set(awkwardStrings).size).toBe(awkwardStringsCount);
  expect(awkwardStrings.some((text) => text === '')).toBe(false);
});

describe.each([
  ['memory', () => memoryStorage()],
  ['SQLite', () => sqliteStorage({ path: ':memory:' })],
] as const)('awkward strings, kept in %s', (_, open) => {
  let running: RunningGateway;
  beforeAll(async () => {
    running = await startGateway({
      options: { storage: open(), provider: echoProvider, compatibility: { openai: true } },
    });
  });
  afterAll(async () => {
    expect(running.errors).toEqual([]);
    await running.close();
  });

  test('come back as they went in, at once, in a replay and on the record [idempotency:replay:equal-answer] [requests:record:response-chat]', async () => {
    const failed = await failing(async (text, index) => {
      const ask = () => postChat(running, chatBody(text), identity('unary', index));
      const [first, second] = [await ask(), await ask()];
      const record = await getPath(running, `/requests/${first.headers.get('x-request-id')}`);
      const { response } = JSON.parse(record.text) as { response: unknown };
      return (
        choiceIn(first).message.content === text &&
        second.text === first.text &&
        second.headers.get('idempotency-replayed') === 'true' &&
        JSON.stringify(response) === JSON.stringify(JSON.parse(first.text))
      );
    });
    expect(failed).toEqual([]);
  });

  test('come back as they went in over the stream, whose events they cannot break [stream:chat:three-events] [stream:sse:blank-line]', async () => {
    const failed = await failing(async (text, index) => {
      const ask = () => postChat(running, chatBody(text, { stream: true }), identity('stream', index));
      const [first, second] = [await ask(), await ask()];
      const events = eventsIn(first);
      const [chunk = '{}'] = events;
      const { choices } = JSON.parse(chunk) as { choices: [{ delta: { content: string } }] };
      return (
        events.length === 3 &&
        events[2] === '[DONE]' &&
        choices[0].delta.content === text &&
        second.text === first.text &&
        !first.text.includes('\r')
      );
    });
    expect(failed).toEqual([]);
  });

  test('come back as the arguments, names of arguments, ids and results of tool calls, and find their state again [chat:message:tool-calls-shape] [chat:message:context-fallback]', async () => {
    const tools = [{ type: 'function', function: { name: 'f0' } }];
    const failed = await failing(async (text) => {
      const first = await postChat(running, chatBody(text, { tools }));
      const [call] = first.status === 200 ? (choiceIn(first).message.tool_calls ?? []) : [];
      if (call === undefined || call.id !== text || call.function.arguments !== JSON.stringify({ [text]: text }))
        return false;
      // An id above the bound of a name cannot be sent back; what an upstream makes is far below it.
      if (text.length > 512) return true;
      const messages = [
        { role: 'user', content: 'Hi' },
        { role: 'assistant', content: null, tool_calls: [call] },
        { role: 'tool', tool_call_id: text, content: text },
      ];
      const second = await postChat(running, JSON.stringify({ messages, tools }));
      const part = lastOf(running.calls).contents[1]?.parts[0];
      return (
        second.status === 200 &&
        choiceIn(second).message.content === text &&
        part?.kind === 'function_call' &&
        part.context === JSON.stringify(text)
      );
    });
    expect(failed).toEqual([]);
  });
});

describe('awkward strings, elsewhere in a request', () => {
  let running: RunningGateway;
  beforeAll(async () => {
    running = await startGateway({ options: { provider: echoProvider, compatibility: { openai: true } } });
  });
  afterAll(async () => {
    expect(running.errors).toEqual([]);
    await running.close();
  });

  test('reach the provider as they are, wherever free text stands [chat:message:system-merged] [chat:tools:function-shape] [chat:response-format:json-schema]', async () => {
    const failed = await failing(async (text) => {
      const short = text.slice(0, 128);
      const body = JSON.stringify({
        messages: [
          { role: 'system', content: text },
          { role: 'user', content: [{ type: 'text', text }], name: short },
          { role: 'assistant', content: text },
          { role: 'user', content: '{}' },
        ],
        tools: [
          {
            type: 'function',
            function: {
              name: 'f0',
              description: text,
              parameters: { type: 'object', properties: { [text]: { const: text } }, required: [text] },
            },
          },
        ],
        response_format: {
          type: 'json_schema',
          json_schema: { name: short, description: text, schema: { title: text } },
        },
        stop: [short],
        user: short,
      });
      const answer = await postChat(running, body);
      const call = lastOf(running.calls);
      return (
        answer.status === 200 &&
        call.systemInstruction === text &&
        JSON.stringify(call.contents.slice(0, 2)) ===
          JSON.stringify([
            { role: 'user', parts: [{ kind: 'text', text }] },
            { role: 'model', parts: [{ kind: 'text', text }] },
          ]) &&
        JSON.stringify(call.tools[0]).includes(JSON.stringify({ [text]: { const: text } })) &&
        call.responseFormat.kind === 'json_schema' &&
        call.responseFormat.name === short &&
        call.responseFormat.schema['title'] === text &&
        call.sampling.stopSequences?.[0] === short &&
        call.endUser === short
      );
    });
    expect(failed).toEqual([]);
  });

  test('are refused where a name or an id is expected, with a message of plain ASCII [errors:code:unsupported-parameter] [errors:code:model-key-mismatch]', async () => {
    const user = { role: 'user', content: 'Hi' };
    const failed = await failing(async (text) => {
      const bodies = [
        { messages: [user], [text]: 1 },
        { messages: [user], model: `${text}x` },
        { messages: [{ ...user, [text]: 1 }] },
        { messages: [{ role: text, content: 'Hi' }] },
        { messages: [{ role: 'user', content: [{ type: text, text }] }] },
        { messages: [{ role: 'user', content: [{ type: 'file', file: { file_id: text } }] }] },
        { messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: text } }] }] },
        { messages: [user], tools: [{ type: 'function', function: { name: ` ${text}` } }] },
        { messages: [user], tool_choice: text },
        { messages: [user], stream: text },
        { messages: [user, { role: 'assistant', content: 'a', context: `${text}!` }] },
        { messages: [user, { role: 'tool', tool_call_id: text, content: 'a' }] },
      ];
      const answers = await Promise.all(bodies.map((body) => postChat(running, JSON.stringify(body))));
      return answers.every(refused);
    });
    expect(failed).toEqual([]);
  });
});
