import { sampleCaller } from '@tollgate/testing/fakes';
import { createGoogle } from '@ai-sdk/google';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { SpeechModelV4 } from '@ai-sdk/provider';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { topUp } from '../docs/snippets/administration.ts';
import { openWithAiSdk, severalKinds } from '../docs/snippets/ai-sdk-provider.ts';
import { memoryStorage } from '../packages/storage-memory/src/index.ts';
import {
  fakeGeminiResponse,
  startFakeGemini,
  startFakeOpenai,
  type FakeGemini,
} from '../packages/testing/src/fakes.ts';
import { silentLogger, type Gateway } from '../packages/tollgate/src/index.ts';

const apiKey = 'AIza-of-the-host';
let fake: FakeGemini;
let gateway: Gateway;
let accountId: string;
beforeEach(async () => {
  fake = await startFakeGemini({ apiKey });
  gateway = await openWithAiSdk(createGoogle({ baseURL: `${fake.url}/v1beta`, apiKey }), {
    storage: memoryStorage(),
    logger: silentLogger,
    tariff: {
      version: '1',
      models: {
        '*': { perMillion: { input_text_tokens: '1', output_text_tokens: '10', code_execution_runs: '1000' } },
      },
    },
  });
  const account = await gateway.admin.createAccount({ name: 'test' });
  accountId = account.id;
  await topUp(gateway.admin, accountId, { id: '1', credits: '100' });
});
afterEach(async () => {
  await gateway.close();
  await fake.close();
});

const keyOf = async (model: string): Promise<string> => {
  const project = await gateway.admin.createProject({ accountId, name: 'test' });
  const key = await gateway.admin.createKey({ projectId: project?.id ?? '', model });
  return key?.key ?? '';
};

const send = async (key: string, path: string, body: object): Promise<Response> =>
  gateway.fetch(
    new Request(`http://gateway.test/api/v1/ai${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  );

const post = async (key: string, path: string, body: object): Promise<Record<string, unknown>> => {
  const response = await send(key, path, body);
  const text = await response.text();
  expect(text).not.toMatch(/gemini|google/i);
  return { status: response.status, ...(JSON.parse(text) as Record<string, unknown>) };
};

const call = { functionCall: { name: 'get_weather', args: { city: 'Lisbon' } }, thoughtSignature: 'c2lnbmF0dXJl' };

interface Message {
  readonly tool_calls: readonly { readonly id: string }[];
}

test('a tool loop of chat gives the model its signature back, whether or not the client keeps the context', async () => {
  const key = await keyOf('flash-3.8');
  fake.script({ kind: 'answer', responses: [fakeGeminiResponse([call])] });
  const tools = [{ type: 'function', function: { name: 'get_weather', parameters: { type: 'object' } } }];
  const asked = { role: 'user', content: 'What is the weather?' };
  const first = await post(key, '/chat/completions', { messages: [asked], tools });
  // 100 at 1 and 20 at 10 for a million.
  expect(first).toMatchObject({ status: 200, service: { credits: 0.0003 } });
  const [{ message } = {} as { message: Message }] = first['choices'] as { message: Message }[];
  const result = { role: 'tool', tool_call_id: message.tool_calls[0]?.id, content: '21' };
  for (const kept of [message, { ...message, context: undefined }]) {
    expect(await post(key, '/chat/completions', { messages: [asked, kept, result], tools })).toMatchObject({
      status: 200,
      choices: [{ message: { content: 'Hello from upstream.' } }],
    });
    expect(fake.requests.at(-1)?.body).toMatchObject({ contents: [{}, { role: 'model', parts: [call] }, {}] });
  }
});

const path = '/models/flash-3.8:generateContent';
const question = { role: 'user', parts: [{ text: 'Hello' }] };

test('a generation passes on code that ran at the upstream', async () => {
  const parts = [
    { executableCode: { language: 'PYTHON', code: 'print(1)' } },
    { codeExecutionResult: { outcome: 'OUTCOME_OK', output: '1' } },
    { text: 'It is 1.' },
  ];
  fake.script({ kind: 'answer', responses: [fakeGeminiResponse(parts)] });
  const tools = [{ codeExecution: {} }];
  expect(await post(await keyOf('flash-3.8'), path, { contents: [question], tools })).toMatchObject({
    status: 200,
    candidates: [{ content: { parts } }],
    service: { credits: 0.0013 },
  });
});

test('generated parts are sent back as they came, signatures included', async () => {
  const key = await keyOf('flash-3.8');
  const parts = [{ text: 'Let me see.', thoughtSignature: 'c2ln' }, call];
  fake.script({ kind: 'answer', responses: [fakeGeminiResponse(parts)] });
  const tools = [{ functionDeclarations: [{ name: 'get_weather' }] }];
  const first = await post(key, path, { contents: [question], tools });
  const [{ content } = { content: {} }] = first['candidates'] as { content: object }[];
  const result = { role: 'user', parts: [{ functionResponse: { name: 'get_weather', response: { c: 21 } } }] };
  expect(await post(key, path, { contents: [question, content, result], tools })).toMatchObject({ status: 200 });
  expect(fake.requests.at(-1)?.body).toMatchObject({ contents: [{}, { role: 'model', parts }, {}] });
});

test('a stream is passed on and charged by its last usage', async () => {
  const body = { contents: [question] };
  const response = await send(await keyOf('flash-3.8'), '/models/flash-3.8:streamGenerateContent', body);
  const text = await response.text();
  expect(text).toContain('Hello from');
  expect(text).toMatch(/event: content\.completed\ndata: .*"credits":0\.0003\b/);
});

test('embeddings are charged by what the upstream measured', async () => {
  const answer = await post(await keyOf('embedding-001'), '/embeddings', { input: ['a', 'b'], dimensions: 128 });
  expect(answer).toMatchObject({ status: 200, data: [{ index: 0 }, { index: 1 }], service: { credits: 0.000008 } });
});

test('a setting that the model cannot be given is refused, and nothing is sent or charged', async () => {
  const key = await keyOf('flash-3.8');
  const declared = [{ functionDeclarations: [{ name: 'one' }, { name: 'two' }, { name: 'three' }] }];
  const answer = await post(key, path, {
    contents: [question],
    tools: declared,
    toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['one', 'two'] } },
  });
  expect(answer).toMatchObject({ status: 422, error: { code: 'unsupported_parameter' } });
  expect(fake.count()).toBe(0);
  expect(await gateway.admin.readWallet(accountId)).toMatchObject({ balanceMicros: 100_000_000n, reservedMicros: 0n });
});

const speaker: SpeechModelV4 = {
  specificationVersion: 'v4',
  provider: 'somebody.speech',
  modelId: 'speak',
  doGenerate: async () => ({
    audio: Buffer.from('OggS'),
    warnings: [{ type: 'other', message: 'aloud' }],
    response: { timestamp: new Date(0), modelId: 'speak' },
  }),
};

test('the provider of several kinds of models in the documentation finds each by its name', async () => {
  const upstream = await startFakeOpenai();
  const heard: string[] = [];
  const local = createOpenAICompatible({ name: 'local', baseURL: upstream.url });
  const provider = severalKinds(local, speaker, (text) => void heard.push(text));
  const attempts: string[] = [];
  const generate = (upstreamModel: string) =>
    provider.generate?.(
      {
        operationId: 'op',
        upstreamModel,
        systemInstruction: null,
        contents: [{ role: 'user', parts: [{ kind: 'text', text: 'Hello' }] }],
        tools: [],
        toolChoice: { kind: 'auto' },
        responseFormat: { kind: 'text' },
        sampling: {},
        outputTokensMax: 10,
      },
      {
        caller: sampleCaller,
        signal: new AbortController().signal,
        recordAttempt: ({ outcome }) => void attempts.push(outcome),
      },
    );
  const image = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1').toString('base64');
  upstream.script({ kind: 'status', status: 200, body: { data: [{ b64_json: image }] } });
  expect((await generate('paint-1'))?.usage).toEqual([{ unit: 'images', quantity: 1, confirmed: true }]);
  expect(upstream.requests.at(-1)?.path).toBe('/v1/images/generations');
  expect((await generate('speak'))?.usage).toEqual([{ unit: 'speech_characters', quantity: 5, confirmed: true }]);
  expect((await generate('talk'))?.text).toBe('Hello from upstream.');
  expect(upstream.requests.at(-1)?.body).toMatchObject({ model: 'talk' });
  expect([heard, attempts]).toEqual([['op: other'], ['answered', 'answered', 'answered']]);
  await upstream.close();
});
