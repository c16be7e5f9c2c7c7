import { afterEach, beforeEach, expect, test } from 'vitest';
import { topUp } from '../docs/snippets/administration.ts';
import { carefulGoogle, openWithGoogle } from '../docs/snippets/google-provider.ts';
import { memoryStorage } from '../packages/storage-memory/src/index.ts';
import {
  fakeGeminiError,
  fakeGeminiResponse,
  startFakeGemini,
  type FakeGemini,
} from '../packages/testing/src/fakes.ts';
import { silentLogger, type Gateway } from '../packages/tollgate/src/index.ts';

const apiKey = 'AIza-of-the-host';
let fake: FakeGemini;
let gateway: Gateway;
let accountId: string;
beforeEach(async () => {
  fake = await startFakeGemini({ apiKey });
  gateway = await openWithGoogle(
    { apiKey, baseUrl: fake.url },
    {
      storage: memoryStorage(),
      logger: silentLogger,
      tariff: {
        version: '1',
        models: {
          '*': { perMillion: { input_text_tokens: '1', output_text_tokens: '10', code_execution_runs: '1000' } },
        },
      },
    },
  );
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

const post = async (key: string, path: string, body: object): Promise<Record<string, unknown>> => {
  const response = await gateway.fetch(
    new Request(`http://gateway.test/api/v1/ai${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  );
  const text = await response.text();
  expect(text).not.toContain('gemini');
  return { status: response.status, ...(JSON.parse(text) as Record<string, unknown>) };
};

const tools = [{ type: 'function', function: { name: 'get_weather', parameters: { type: 'object' } } }];

interface Message {
  readonly tool_calls: readonly { readonly id: string }[];
}

test('a tool loop of chat gives the upstream its signature back, whether or not the client keeps the context', async () => {
  const key = await keyOf('flash-3.8');
  const call = { functionCall: { name: 'get_weather', args: { city: 'Lisbon' } }, thoughtSignature: 'c2lnbmF0dXJl' };
  fake.script({ kind: 'answer', responses: [fakeGeminiResponse([call])] });
  const question = { role: 'user', content: 'What is the weather?' };
  const first = await post(key, '/chat/completions', { messages: [question], tools });
  // 100 at 1 and 20 at 10 for a million.
  expect(first).toMatchObject({ status: 200, service: { credits: 0.0003 } });
  const [{ message } = {} as { message: Message }] = first['choices'] as { message: Message }[];
  const result = { role: 'tool', tool_call_id: message.tool_calls[0]?.id, content: '21' };
  for (const kept of [message, { ...message, context: undefined }]) {
    expect(await post(key, '/chat/completions', { messages: [question, kept, result], tools })).toMatchObject({
      status: 200,
      choices: [{ message: { content: 'Hello from upstream.' } }],
    });
    expect(fake.requests.at(-1)?.body).toMatchObject({
      contents: [
        { role: 'user' },
        { role: 'model', parts: [{ ...call, functionCall: { ...call.functionCall } }] },
        { role: 'user', parts: [{ functionResponse: { name: 'get_weather', response: { result: '21' } } }] },
      ],
    });
  }
});

test('an upstream that refuses the key of the host answers 503 and charges nothing', async () => {
  const details = [{ reason: 'API_KEY_INVALID' }];
  const body = fakeGeminiError(400, 'INVALID_ARGUMENT', 'API key not valid for gemini.', details);
  fake.script({ kind: 'status', status: 400, body });
  const key = await keyOf('flash-3.8');
  const answer = await post(key, '/chat/completions', { messages: [{ role: 'user', content: 'Hello' }] });
  expect(answer).toMatchObject({ status: 503, error: { code: 'service_unavailable' } });
  expect(await gateway.admin.readWallet(accountId)).toMatchObject({ balanceMicros: 100_000_000n, reservedMicros: 0n });
});

const contents = [{ role: 'user', parts: [{ text: 'Hello' }] }];

test('a generation passes on every kind of part', async () => {
  const key = await keyOf('flash-3.8');
  const parts = [
    { text: 'Let me see.', thought: true },
    { executableCode: { language: 'PYTHON', code: 'print(1)' } },
    { codeExecutionResult: { outcome: 'OUTCOME_OK', output: '1' } },
    { text: 'It is 1.', thoughtSignature: 'c2ln' },
  ];
  fake.script({ kind: 'answer', responses: [fakeGeminiResponse(parts, { finishMessage: 'by gemini' })] });
  const body = { contents, tools: [{ codeExecution: {} }] };
  expect(await post(key, '/models/flash-3.8:generateContent', body)).toMatchObject({
    status: 200,
    candidates: [{ content: { parts: [{ thought: true }, parts[1], parts[2], { text: 'It is 1.' }] } }],
  });
});

const stream = async (key: string): Promise<string> => {
  const response = await gateway.fetch(
    new Request('http://gateway.test/api/v1/ai/models/flash-3.8:streamGenerateContent', {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ contents }),
    }),
  );
  expect(response.status).toBe(200);
  return response.text().catch((cause: unknown) => `cut: ${String(cause)}`);
};

const instalment = (text: string, tokens: readonly [input: number, output: number], goesOn = true) => {
  const [promptTokenCount, candidatesTokenCount] = tokens;
  const usageMetadata = {
    promptTokenCount,
    candidatesTokenCount,
    totalTokenCount: promptTokenCount + candidatesTokenCount,
  };
  const end = goesOn ? { finishReason: 'CONTINUATION', continuationToken: `after ${text}` } : {};
  return { kind: 'answer', responses: [fakeGeminiResponse([{ text }], end, { usageMetadata })] } as const;
};

test('an answer in instalments is one operation with one hold, charged by the sum [ledger:hold:multi-hop]', async () => {
  const key = await keyOf('flash-3.8');
  const messages = [{ role: 'user', content: 'Count.' }];
  fake.script(
    instalment('One, ', [100, 10]),
    instalment('two, ', [110, 10]),
    instalment('three, ', [120, 10]),
    instalment('four.', [130, 10], false),
  );
  // 460 at 1 and 40 at 10 for a million.
  expect(await post(key, '/chat/completions', { messages })).toMatchObject({
    status: 200,
    choices: [{ message: { content: 'One, two, three, four.' }, finish_reason: 'stop' }],
    service: { credits: 0.00086 },
  });
  // What it read leaves no room for a third request within the limit: the answer so far is paid, and incomplete.
  fake.script(instalment('One, ', [100, 10]), instalment('two, ', [70_000, 10]));
  expect(await post(key, '/chat/completions', { messages })).toMatchObject({
    status: 200,
    choices: [{ message: { content: 'One, two, ' }, finish_reason: 'length' }],
    service: { credits: 0.0703 },
  });
  const operations = await gateway.admin.listOperations({ kind: 'account', accountId });
  expect(operations.map(({ state, chargedMicros, attempts }) => [state, chargedMicros, attempts.length])).toEqual([
    ['completed', 70_300n, 2],
    ['completed', 860n, 4],
  ]);
  expect(await gateway.admin.readWallet(accountId)).toMatchObject({ balanceMicros: 99_928_840n, reservedMicros: 0n });
});

test('a stream is passed on and charged by its last usage', async () => {
  const text = await stream(await keyOf('flash-3.8'));
  expect(text).toContain('Hello from');
  expect(text).toMatch(/event: content\.completed\ndata: .*"credits":0\.0003\b/);
});

test('a stream that the upstream loses is cut, and its operation uncertain', async () => {
  const begun = fakeGeminiResponse([{ text: 'Hello' }], { finishReason: undefined });
  fake.script({ kind: 'events', events: [begun], end: 'cut' });
  const text = await stream(await keyOf('flash-3.8'));
  expect(text).not.toContain('content.completed');
  const [operation] = await gateway.admin.listOperations({ kind: 'account', accountId });
  expect(operation?.state).toBe('uncertain');
});

test('embeddings are charged by what the upstream measured', async () => {
  const key = await keyOf('embedding-001');
  const answer = await post(key, '/embeddings', { input: ['a', 'b'], dimensions: 128 });
  expect(answer).toMatchObject({ status: 200, data: [{ index: 0 }, { index: 1 }], service: { credits: 0.000008 } });
});

test('the options of the documentation make a provider', async () => {
  const provider = carefulGoogle('k');
  expect(provider.name).toBe('google-eu');
  await provider.close();
});
