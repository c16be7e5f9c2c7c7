import { isNotExecuted, type Attempt, type GenerationCall, type GenerationEnd, type Part } from '@tollgate/provider';
import {
  sampleCaller,
  fakeChunk,
  fakeChunks,
  fakeCompletion,
  startFakeOpenai,
  type FakeOpenai,
} from '@tollgate/testing/fakes';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openaiProvider } from './openai-provider.ts';
import type { OpenaiProviderOptions } from './upstream.ts';

let fake: FakeOpenai;
beforeEach(async () => {
  fake = await startFakeOpenai();
});
afterEach(() => fake.close());

const call: GenerationCall = {
  operationId: 'operation',
  upstreamModel: 'upstream-model',
  systemInstruction: null,
  contents: [{ role: 'user', parts: [{ kind: 'text', text: 'Hello' }] }],
  tools: [],
  toolChoice: { kind: 'auto' },
  responseFormat: { kind: 'text' },
  sampling: {},
  outputTokensMax: 100,
};

interface Outcome {
  readonly end: GenerationEnd | undefined;
  readonly reason: string;
  readonly pieces: readonly Part[];
  readonly attempts: readonly Attempt['outcome'][];
}

const stream = async (
  rest: Partial<GenerationCall> = {},
  options: Partial<OpenaiProviderOptions> = {},
): Promise<Outcome> => {
  const pieces: Part[] = [];
  const attempts: Attempt['outcome'][] = [];
  const provider = openaiProvider({ baseUrl: fake.url, ...options });
  const context = {
    caller: sampleCaller,
    signal: new AbortController().signal,
    recordAttempt: ({ outcome }: Attempt): void => void attempts.push(outcome),
  };
  try {
    const end = await provider.generateStream?.({ ...call, ...rest }, context, (parts) => void pieces.push(...parts));
    return { end, reason: '', pieces, attempts };
  } catch (failure) {
    const reason = isNotExecuted(failure) ? failure.reason : failure instanceof Error ? failure.message : '';
    return { end: undefined, reason, pieces, attempts };
  } finally {
    await fake.close();
    await provider.close?.();
  }
};

const textOf = ({ pieces }: Outcome): string =>
  pieces.map((part) => (part.kind === 'text' && part.thought !== true ? part.text : '')).join('');

test('asks for a stream and for its usage', async () => {
  const outcome = await stream();
  expect(fake.requests[0]?.body).toMatchObject({ stream: true, stream_options: { include_usage: true } });
  expect([textOf(outcome), outcome.pieces.length, outcome.attempts]).toEqual(['Hello from upstream.', 2, ['answered']]);
  expect(outcome.end).toEqual({
    finish: 'stop',
    usage: [
      { unit: 'input_text_tokens', quantity: 100, confirmed: true },
      { unit: 'output_text_tokens', quantity: 20, confirmed: true },
    ],
  });
});

test('does not ask for usage where the host says that its upstream refuses to be asked', async () => {
  await stream({}, { streamOptions: 'left_out' });
  expect(fake.requests[0]?.body).not.toHaveProperty('stream_options');
});

test('takes an answer in one piece from a server that does not stream', async () => {
  const tool_calls = [{ id: 'a', function: { name: 'f', arguments: '{}' } }];
  const message = { role: 'assistant', content: 'Wait.', tool_calls };
  fake.script({ kind: 'status', status: 200, body: fakeCompletion({ message }) });
  const { pieces, end } = await stream();
  expect(pieces).toEqual([
    { kind: 'text', text: 'Wait.' },
    { kind: 'function_call', id: 'a', name: 'f', arguments: '{}' },
  ]);
  expect(end?.finish).toBe('stop');
});

test('hands reasoning over as thoughts where it is asked for, and not otherwise', async () => {
  const message = { role: 'assistant', content: 'Yes.', reasoning_content: 'Well then.' };
  const chunks = fakeChunks(fakeCompletion({ message }));
  fake.script({ kind: 'stream', chunks });
  const { pieces } = await stream({ thinking: { includeThoughts: true } });
  const thought = pieces.flatMap((part) => (part.kind === 'text' && part.thought === true ? [part.text] : []));
  expect([thought.join(''), pieces[0]]).toEqual(['Well then.', { kind: 'text', text: 'Well ', thought: true }]);
  fake = await startFakeOpenai({ otherwise: { kind: 'stream', chunks } });
  expect((await stream()).pieces.every((part) => part.kind === 'text' && part.thought === undefined)).toBe(true);
});

test('takes an answer as whole that ended without its last line', async () => {
  fake.script({ kind: 'stream', chunks: fakeChunks(fakeCompletion()), afterwards: 'end' });
  const outcome = await stream();
  expect([outcome.end?.finish, outcome.attempts]).toEqual(['stop', ['answered']]);
});

test.each(['cut', 'hang'] as const)(
  'loses nothing to a connection that is %s after the last line',
  async (afterwards) => {
    fake.script({ kind: 'stream', chunks: [...fakeChunks(fakeCompletion()), '[DONE]'], afterwards });
    const outcome = await stream();
    expect([outcome.end?.finish, outcome.attempts]).toEqual(['stop', ['answered']]);
  },
);

test('confirms no usage of an answer that does not say how it ended', async () => {
  const chunks = fakeChunks(fakeCompletion({ finish_reason: null }));
  fake.script({ kind: 'stream', chunks });
  const { end } = await stream();
  expect([end?.finish, end?.usage.some(({ confirmed }) => confirmed)]).toEqual(['length', false]);
});

test.each([
  ['ends without an end', { chunks: [fakeChunk({ content: 'Hel' })], afterwards: 'end' }, 'unreadable_answer'],
  ['holds no choice', { chunks: [] }, 'unreadable_answer'],
  [
    'has a hole',
    { chunks: [fakeChunk({ content: 'Hel' }), '{"choices":', fakeChunk({ content: 'lo' })] },
    'unreadable_answer',
  ],
  ['fails in the middle', { chunks: [fakeChunk({ content: 'Hel' }), { error: { code: 429 } }] }, 'upstream_error'],
  ['fails in words that say nothing', { chunks: [{ error: { message: 'oops' } }] }, 'upstream_error'],
] as const)('does not know the outcome of a stream that %s', async (_, behaviour, detail) => {
  fake.script({ kind: 'stream', ...behaviour });
  const outcome = await stream();
  expect([outcome.reason, outcome.attempts]).toEqual([`outcome unknown: ${detail}`, ['unknown']]);
});

test.each([
  [{ error: { code: 429, message: 'slow down' } }, 'rate_limited'],
  [{ error: { code: 'context_length_exceeded' } }, 'input_limit'],
])('knows that nothing ran when a stream begins with %j', async (event, reason) => {
  fake.script({ kind: 'stream', chunks: [event] });
  const outcome = await stream();
  expect([outcome.reason, outcome.pieces, outcome.attempts]).toEqual([reason, [], ['refused']]);
});

test('stops reading a stream that is too large', async () => {
  fake.script({ kind: 'stream', chunks: [fakeChunk({ content: 'x'.repeat(2_000) })] });
  const outcome = await stream({}, { responseBytesMax: 1_000 });
  expect([outcome.reason, outcome.attempts]).toEqual(['outcome unknown: response_too_large', ['unknown']]);
});

test('puts the host estimate in the place of a usage that never came', async () => {
  fake.script({ kind: 'stream', chunks: fakeChunks(fakeCompletion({}, { usage: undefined })) });
  const { end } = await stream(
    {},
    {
      missingUsage: (_call, { text }) => [{ unit: 'output_text_tokens', quantity: text.length, confirmed: true }],
    },
  );
  expect(end?.usage).toEqual([{ unit: 'output_text_tokens', quantity: 20, confirmed: true }]);
});

async function* words(): AsyncIterable<Uint8Array> {
  yield await Promise.resolve(Buffer.from('words'));
}

test('sends files and large media inside the call', async () => {
  await stream({
    contents: [{ role: 'user', parts: [{ kind: 'blob', mimeType: 'image/png', sizeBytes: 5, read: words }] }],
  });
  expect(fake.requests[0]?.text).toContain('data:image/png;base64,d29yZHM=');
});

test.each([
  ['audio out', { modalities: ['audio'] }],
  ['a tool of another upstream', { tools: [{ kind: 'code_execution' }] }],
] as const)('refuses %s before it sends anything', async (_, rest) => {
  const outcome = await stream(rest);
  expect([outcome.reason, fake.count(), outcome.attempts]).toEqual(['unsupported', 0, []]);
});
