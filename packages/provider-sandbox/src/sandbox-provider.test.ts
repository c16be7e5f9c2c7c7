import { isNotExecuted, type Attempt, type Generation, type GenerationCall, type Part } from '@tollgate/provider';
import { sampleCaller } from '@tollgate/testing/fakes';
import { expect, test } from 'vitest';
import { sandboxProvider } from './sandbox-provider.ts';

const weather = {
  kind: 'function',
  name: 'get_weather',
  parameters: { type: 'object', properties: { city: { type: 'string', minLength: 2 }, days: { type: 'integer' } } },
} as const;

const callOf = (parts: readonly Part[], rest: Partial<GenerationCall> = {}): GenerationCall => ({
  operationId: 'operation-1',
  upstreamModel: 'any',
  systemInstruction: null,
  contents: [{ role: 'user', parts }],
  tools: [],
  toolChoice: { kind: 'auto' },
  responseFormat: { kind: 'text' },
  sampling: { temperature: 0.7 },
  outputTokensMax: 1_000,
  ...rest,
});

const say = (text: string, rest: Partial<GenerationCall> = {}): GenerationCall =>
  callOf([{ kind: 'text', text }], rest);

const ask = async (call: GenerationCall, sleeps: number[] = []): Promise<Generation> => {
  const sleep = (ms: number): Promise<void> => {
    sleeps.push(ms);
    return Promise.resolve();
  };
  const provider = sandboxProvider({ now: () => 5, sleep });
  const answer = await provider.generate?.(call, {
    caller: sampleCaller,
    signal: new AbortController().signal,
    recordAttempt: () => {},
  });
  if (answer === undefined) throw new Error('the sandbox generates');
  return answer;
};

const failureOf = async (text: string): Promise<unknown> => ask(say(text)).catch((failure: unknown) => failure);

test('says what it was sent', async () => {
  const { text } = await ask(
    callOf(
      [
        { kind: 'text', text: 'Olá' },
        { kind: 'media', mimeType: 'image/png', data: Buffer.alloc(100).toString('base64') },
      ],
      { systemInstruction: 'Be kind.', tools: [{ kind: 'url_context' }] },
    ),
  );
  expect(text).toBe(
    'Sandbox reply to 1 turn with a system instruction. Text of 4 bytes: "Olá". Media image/png of 100 bytes. ' +
      'Built-in tools offered: url_context.',
  );
});

test('responds to the same call always alike', async () => {
  const call = say('[[sandbox: tool get_weather]]', { tools: [weather] });
  expect(await ask(call)).toEqual(await ask(structuredClone(call)));
});

const data = (bytes: number): string => Buffer.alloc(bytes).toString('base64');

test('counts text by its bytes and media by its table', async () => {
  const { text, usage } = await ask(
    callOf([
      { kind: 'text', text: 'abcde' },
      { kind: 'media', mimeType: 'image/png', data: data(10) },
      { kind: 'media', mimeType: 'image/png', data: data(11) },
      { kind: 'media', mimeType: 'audio/wav', data: data(1_001) },
      { kind: 'media', mimeType: 'video/mp4', data: data(12) },
      { kind: 'media', mimeType: 'application/pdf', data: data(101) },
    ]),
  );
  expect(Object.fromEntries(usage.map(({ unit, quantity }) => [unit, quantity]))).toEqual({
    input_text_tokens: 2,
    input_image_tokens: 516,
    input_audio_tokens: 3,
    input_video_tokens: 259,
    input_document_tokens: 260,
    output_text_tokens: Math.ceil(Buffer.byteLength(text) / 4),
  });
});

test('reports the tokens of the directive, also above the output limit', async () => {
  const { usage, finish } = await ask(say('[[sandbox: tokens in=10 out=5000]]'));
  expect(finish).toBe('stop');
  expect(usage).toEqual([
    { unit: 'input_text_tokens', quantity: 10, confirmed: true },
    { unit: 'output_text_tokens', quantity: 5_000, confirmed: true },
  ]);
});

test('cuts an answer at the output limit without splitting a character', async () => {
  const { text, finish, usage } = await ask(say('[[sandbox: echo ééééé]]', { outputTokensMax: 1 }));
  expect([text, finish]).toEqual(['éé', 'length']);
  expect(usage.find(({ unit }) => unit === 'output_text_tokens')?.quantity).toBe(1);
  expect((await ask(say('[[sandbox: echo aé€]]', { outputTokensMax: 1 }))).text).toBe('aé');
});

test('proposes no call that does not fit the output limit', async () => {
  const call = say('[[sandbox: tool get_weather {"city":"Lisbon"}]]', { outputTokensMax: 2 });
  expect(await ask(call)).toMatchObject({ functionCalls: [], finish: 'length' });
});

test('answers JSON that fits the schema, and an object where any will do', async () => {
  const schema = { type: 'object', properties: { ok: { type: 'boolean' } }, required: ['ok'] };
  const shaped = await ask(say('hi', { responseFormat: { kind: 'json_schema', name: 'x', schema } }));
  expect(JSON.parse(shaped.text)).toEqual({ ok: true });
  const free = await ask(say('hi', { responseFormat: { kind: 'json_object' } }));
  expect(JSON.parse(free.text)).toEqual({ reply: 'Sandbox reply to 1 turn. Text of 2 bytes: "hi".' });
  const told = await ask(say('[[sandbox: json {"a":[[1]]}]]', { responseFormat: { kind: 'json_object' } }));
  expect(told.text).toBe('{"a":[[1]]}');
});

test('calls the function that the choice demands, with arguments that fit its parameters', async () => {
  for (const toolChoice of [{ kind: 'required' }, { kind: 'function', name: 'get_weather' }] as const) {
    const { functionCalls } = await ask(say('hi', { tools: [weather], toolChoice }));
    expect(functionCalls).toMatchObject([{ name: 'get_weather', arguments: '{"city":"example","days":1}' }]);
  }
});

test('calls nothing unless it must or a directive says so, and never when it may not', async () => {
  expect((await ask(say('hi', { tools: [weather] }))).functionCalls).toEqual([]);
  const told = say('[[sandbox: tool get_weather]]', { tools: [weather], toolChoice: { kind: 'none' } });
  expect((await ask(told)).functionCalls).toEqual([]);
});

test('makes one call where parallel calls are off', async () => {
  const told = say('[[sandbox: tool a]] [[sandbox: tool b]]', {
    sampling: { temperature: 1, parallelToolCalls: false },
  });
  expect((await ask(told)).functionCalls.map(({ name }) => name)).toEqual(['a']);
});

const resume = async (change: (context: string | undefined) => string | undefined): Promise<string> => {
  const tools = [weather];
  const { functionCalls } = await ask(say('[[sandbox: tool get_weather {"city":"Lisbon"}]]', { tools }));
  const back = functionCalls.map(({ context: given, ...call }) => {
    const context = change(given);
    return context === undefined ? call : { ...call, context };
  });
  const answer = await ask({
    ...say('hi', { tools, toolChoice: { kind: 'required' } }),
    contents: [
      { role: 'user', parts: [{ kind: 'text', text: '[[sandbox: tool get_weather]]' }] },
      { role: 'model', parts: back },
      {
        role: 'user',
        parts: back.map(({ id, name }) => ({ kind: 'function_response', id, name, response: '21 °C' })),
      },
    ],
  });
  expect(answer.functionCalls).toEqual([]);
  return answer.text;
};

test('ends a tool loop with the results and says whether its context came back', async () => {
  expect(await resume((context) => context)).toBe(
    'Sandbox reply to 3 turns. Result of get_weather: "21 °C". context: ok.',
  );
  expect(await resume(() => undefined)).toContain('context: missing.');
  expect(await resume((context) => `${context}x`)).toContain('context: altered.');
  const two = '[[sandbox: tool get_weather]] [[sandbox: tool get_weather]]';
  const { functionCalls } = await ask(say(two, { tools: [weather] }));
  expect(functionCalls).toHaveLength(2);
  expect(await resume(() => functionCalls[1]?.context)).toContain('context: altered.');
});

test('refuses a misspelt directive, so that no test passes by accident', async () => {
  const failure = await failureOf('[[sandbox: fial]]');
  expect(isNotExecuted(failure) && failure.reason).toBe('invalid_request');
});

test('waits as the directive says and then does the rest', async () => {
  const sleeps: number[] = [];
  expect((await ask(say('[[sandbox: slow 500]] [[sandbox: echo done]]'), sleeps)).text).toBe('done');
  await expect(ask(say('[[sandbox: hang 2000]]'), sleeps)).rejects.toThrow('outcome unknown');
  expect(sleeps).toEqual([500, 2_000]);
});

test('loses the answer when it is given up during a wait', async () => {
  const controller = new AbortController();
  const attempts: Attempt[] = [];
  const context = {
    caller: sampleCaller,
    signal: controller.signal,
    recordAttempt: (attempt: Attempt) => void attempts.push(attempt),
  };
  const running = sandboxProvider().generate?.(say('[[sandbox: slow 60000]]'), context);
  controller.abort();
  await expect(running).rejects.toThrow('outcome unknown');
  expect(attempts).toMatchObject([{ status: null, outcome: 'unknown' }]);
});

test('reads directives of the last user turn only', async () => {
  const call = say('ignored');
  const answer = await ask({
    ...call,
    contents: [
      { role: 'user', parts: [{ kind: 'text', text: '[[sandbox: fail]]' }] },
      { role: 'model', parts: [{ kind: 'text', text: '[[sandbox: fail]]' }] },
      { role: 'user', parts: [{ kind: 'text', text: 'again' }] },
    ],
  });
  expect(answer.text).toContain('"again"');
});
