import { afterAll, expect, test } from 'vitest';
import { z } from 'zod';
import { chatCompletionChunkSchema, chatCompletionSchema, errorTable } from '../../packages/contract/src/index.ts';
import { eventsIn, postChat, type Answered } from '../clients/chat-call.ts';
import { mediaSamples } from '../clients/media-samples.ts';
import { startGateway } from '../clients/running-gateway.ts';
import { dropDatabase, storages } from '../clients/storages.ts';
import { chooseFrom, createRandom, mutate } from './mutations.ts';

const requestsCount = 600 * Number(process.env['TEST_SCALE'] ?? '1');
const atOnce = 8;
const seed = 20_261_120;

const weather = {
  type: 'function',
  function: { name: 'get_weather', description: 'Weather.', parameters: { type: 'object', properties: {} } },
};
const schema = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'], additionalProperties: false };
const user = { role: 'user', content: 'Hello' };

const validBodies: readonly object[] = [
  { messages: [user] },
  { model: 'flash-3.8', messages: [{ role: 'system', content: 'Be kind.' }, user], temperature: 1, stream: false },
  { messages: [user], stream: true, stream_options: { include_usage: true } },
  {
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Look.' },
          { type: 'image_url', image_url: { url: `data:image/png;base64,${mediaSamples.png}` } },
          { type: 'file', file: { filename: 'a.pdf', file_data: `data:application/pdf;base64,${mediaSamples.pdf}` } },
          { type: 'input_audio', input_audio: { data: mediaSamples.wav, format: 'wav' } },
        ],
      },
    ],
  },
  { messages: [{ role: 'user', content: '[[sandbox: tool get_weather {}]]' }], tools: [weather], tool_choice: 'auto' },
  {
    messages: [
      user,
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'get_weather', arguments: '{"a":[1]}' } }],
      },
      { role: 'tool', tool_call_id: 'call_1', content: 'Sunny.' },
    ],
    tools: [weather, { type: 'code_execution' }, { type: 'url_context' }],
    tool_choice: { type: 'function', function: { name: 'get_weather' } },
  },
  { messages: [user], response_format: { type: 'json_schema', json_schema: { name: 'n', schema } } },
  { messages: [user], response_format: { type: 'json_object' } },
  {
    messages: [{ ...user, name: 'ana' }],
    max_tokens: 10,
    top_p: 0.5,
    stop: ['a', 'b'],
    seed: 1,
    user: 'ana',
    parallel_tool_calls: true,
    n: 1,
    store: false,
    metadata: { a: 'b' },
  },
];

const codes: Readonly<Record<string, { readonly status: number } | undefined>> = errorTable;
const internals = /node_modules|\.ts\b|\.js\b|zod|sqlite|stack|Error|undefined|\[object|packages\//i;

const Completion = chatCompletionSchema('service');
const Chunk = chatCompletionChunkSchema('service');

/** The chunk of the usage of a stream that is sent in time. */
const UsageChunk = z.looseObject({ choices: z.tuple([]), usage: z.object({ total_tokens: z.int() }) });
const AnyChunk = z.union([Chunk, UsageChunk]);

const isComplete = (answer: Answered, openai: boolean): boolean => {
  if (answer.headers.get('content-type') === 'application/json')
    return Completion.safeParse(JSON.parse(answer.text)).success;
  const chunks = [...eventsIn(answer)];
  return (
    chunks.pop() === '[DONE]' &&
    (openai ? chunks.length >= 2 : chunks.length === 2) &&
    chunks.every((data) => (openai ? AnyChunk : Chunk).safeParse(JSON.parse(data)).success) &&
    chunks.filter((data) => data.includes('"service":')).length === 1
  );
};

/** What is wrong with an answer; null where it is one of those that the contract knows. */
const faultOf = (answer: Answered, openai: boolean): string | null => {
  const { status, text, headers } = answer;
  if (headers.get('cache-control') !== 'no-store' || headers.get('x-request-id') === null) return 'headers';
  if (status === 200) return isComplete(answer, openai) ? null : 'completion';
  if (status >= 500 || status === 401 || status === 409) return `status ${status}`;
  if (text.length > 500 || !/^[\x20-\x7e]*$/.test(text)) return `text ${text.slice(0, 200)}`;
  const { error } = JSON.parse(text) as { error: { code: string; message: string } };
  if (codes[error.code]?.status !== status) return `code ${error.code} with ${status}`;
  // The name of a field of the client may be repeated; what is looked for is our own.
  return internals.test(error.message.replaceAll(/The field \S+|is "[\w.:-]+"/g, ''))
    ? `message ${error.message}`
    : null;
};

afterAll(dropDatabase);

test.each(storages.flatMap(([name, open]) => [false, true].map((openai) => ({ name, open, openai }))))(
  'thousands of requests that are nearly right get answers of the contract and keep the ledger ($name, compatible $openai) [errors:status:vocabulary] [idempotency:refused:not-consumed]',
  async ({ open, openai }) => {
    const running = await startGateway({ options: { storage: await open(), compatibility: { openai } } });
    const random = createRandom(seed + Number(openai));
    const bodies = Array.from({ length: requestsCount }, () => mutate(chooseFrom(random, validBodies), random));
    const faults: string[] = [];
    let completed = 0;
    let registered = 0;
    const work = bodies[Symbol.iterator]();
    const worker = async (): Promise<void> => {
      for (const body of work) {
        const answer = await postChat(running, body);
        const fault = faultOf(answer, openai);
        if (fault !== null) faults.push(`${fault}: ${body.toString('utf8').slice(0, 300)}`);
        if (answer.status === 200) completed += 1;
        else if (answer.text.includes('"request_id"')) registered += 1;
      }
    };
    await Promise.all(Array.from({ length: atOnce }, worker));
    expect(faults).toEqual([]);
    expect(running.errors).toEqual([]);
    // Enough of them get through for the test to be about more than refusals.
    expect(completed).toBeGreaterThan(requestsCount / 50);
    expect(completed).toBeLessThan(requestsCount);
    // What was refused left nothing behind: the provider was called, and the wallet charged, for the others only.
    expect(running.calls).toHaveLength(completed + registered);
    const { admin } = running.gateway;
    const wallet = await admin.readWallet(running.accountId);
    expect(wallet).toMatchObject({ reservedMicros: 0n });
    const report = await admin.audit();
    expect(report.operations).toBe(completed + registered);
    expect((await postChat(running, JSON.stringify({ messages: [user] }))).status).toBe(200);
    await running.close();
  },
);
