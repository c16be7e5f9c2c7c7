import {
  isNotExecuted,
  readUsageAtLeast,
  type Attempt,
  type ModeratedPart,
  type ModerationCall,
  type Moderations,
} from '@tollgate/provider';
import { sampleCaller, startFakeOpenai, type FakeOpenai } from '@tollgate/testing/fakes';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openaiProvider } from '../openai-provider.ts';
import type { OpenaiProviderOptions } from '../upstream.ts';

let fake: FakeOpenai;
beforeEach(async () => {
  fake = await startFakeOpenai();
});
afterEach(() => fake.close());

const text = (words: string): ModeratedPart => ({ kind: 'text', text: words });
const dot: ModeratedPart = { kind: 'media', mimeType: 'image/png', data: 'AAEC' };
const large: ModeratedPart = {
  kind: 'blob',
  mimeType: 'image/png',
  sizeBytes: 3,
  read: async function* () {
    yield await Promise.resolve(Uint8Array.of(0, 1, 2));
  },
};
const sung: ModeratedPart = { kind: 'media', mimeType: 'audio/wav', data: 'AAEC' };

const clear = {
  flagged: false,
  categories: { violence: false, illicit: null },
  category_scores: { violence: 0.1, illicit: null },
  category_applied_input_types: { violence: ['text', 'image', 'smell'] },
};
const flagged = { ...clear, flagged: true, categories: { violence: true }, category_scores: { violence: 0.9 } };

const answer = (...results: readonly unknown[]) => ({ kind: 'answer', body: { id: 'modr-1', results } }) as const;

interface Outcome {
  readonly found: Moderations | undefined;
  readonly failure: unknown;
  readonly attempts: readonly Attempt['outcome'][];
}

const judge = async (
  inputs: ModerationCall['inputs'],
  options: Partial<OpenaiProviderOptions> = {},
): Promise<Outcome> => {
  const attempts: Attempt['outcome'][] = [];
  const provider = openaiProvider({ baseUrl: fake.url, apiKey: 'sk-1', moderation: 'free', ...options });
  try {
    const found = await provider.moderate?.(
      { operationId: 'operation', upstreamModel: 'upstream-model', inputs },
      {
        caller: sampleCaller,
        signal: new AbortController().signal,
        recordAttempt: ({ outcome }) => void attempts.push(outcome),
      },
    );
    return { found, failure: undefined, attempts };
  } catch (failure) {
    return { found: undefined, failure, attempts };
  } finally {
    await provider.close?.();
  }
};

const isRefused = ({ failure }: Outcome): boolean =>
  isNotExecuted(failure) && failure.reason === 'unsupported' && failure.field === 'contents';

test('moderates only where the host says that the upstream does', () => {
  expect('moderate' in openaiProvider({ baseUrl: fake.url })).toBe(false);
});

test('has each text judged by itself, in one request that is recorded', async () => {
  fake.script(answer(clear, flagged));
  const { found, attempts } = await judge([[text('a')], [text('b')]]);
  expect(fake.requests.map(({ path, body }) => [path, body])).toEqual([
    ['/v1/moderations', { model: 'upstream-model', input: ['a', 'b'] }],
  ]);
  expect(fake.requests[0]?.headers).toMatchObject({
    authorization: 'Bearer sk-1',
    'x-client-request-id': 'operation',
  });
  expect(attempts).toEqual(['answered']);
  expect(found?.judgements).toEqual([
    {
      isFlagged: false,
      categories: [{ name: 'violence', isFlagged: false, score: 0.1, appliedTo: ['text', 'image'] }],
    },
    {
      isFlagged: true,
      categories: [{ name: 'violence', isFlagged: true, score: 0.9, appliedTo: ['text', 'image'] }],
    },
  ]);
});

test.each([
  ['given', dot],
  ['read while it is sent', large],
])('has a text judged together with an image that is %s', async (_what, image) => {
  fake.script(answer(clear));
  await judge([[text('a'), image]]);
  expect(fake.requests[0]?.body).toEqual({
    model: 'upstream-model',
    input: [
      { type: 'text', text: 'a' },
      { type: 'image_url', image_url: { url: 'data:image/png;base64,AAEC' } },
    ],
  });
});

test.each([
  ['audio', [[sung]]],
  ['several inputs of which one has an image', [[text('a')], [dot]]],
])('refuses %s before anything is sent', async (_what, inputs) => {
  expect(isRefused(await judge(inputs))).toBe(true);
  expect(fake.count()).toBe(0);
});

test('refuses images that are too large together before one is read', async () => {
  const { failure } = await judge([[large]], { inlineBytesMax: 2 });
  expect(isNotExecuted(failure) && failure.reason).toBe('input_limit');
  expect(fake.count()).toBe(0);
});

test('measures what the upstream counts, else nothing at all or what the host counts', async () => {
  const counted = { unit: 'input_text_tokens', quantity: 7, confirmed: true } as const;
  fake.script(answer(clear), answer(clear), {
    kind: 'answer',
    body: { results: [clear], usage: { prompt_tokens: 9, total_tokens: 9 } },
  });
  const own = ({ inputs }: ModerationCall) => [{ ...counted, quantity: 7 * inputs.length }];
  expect((await judge([[text('a')]])).found?.usage).toEqual([{ ...counted, quantity: 0 }]);
  expect((await judge([[text('a')]], { moderation: own })).found?.usage).toEqual([counted]);
  expect((await judge([[text('a')]], { moderation: own })).found?.usage).toEqual([{ ...counted, quantity: 9 }]);
});

test('reads what servers say that flag, score and apply nothing of their own', async () => {
  fake.script(answer({ categories: { a: true, b: false } }));
  expect((await judge([[text('a')]])).found?.judgements).toEqual([
    {
      isFlagged: true,
      categories: [
        { name: 'a', isFlagged: true, score: 1, appliedTo: ['text'] },
        { name: 'b', isFlagged: false, score: 0, appliedTo: ['text'] },
      ],
    },
  ]);
});

test.each([
  ['none', []],
  ['fewer than the inputs', [clear]],
  ['one of no category', [clear, { flagged: false, categories: {} }]],
  ['one that is no object', [clear, 'clear']],
])(
  'cannot tell the outcome of judgements of which there are %s, and says what was measured',
  async (_what, results) => {
    fake.script({ kind: 'answer', body: { results, usage: { prompt_tokens: 9 } } });
    const { failure } = await judge([[text('a')], [text('b')]]);
    expect(String(failure)).toContain('unreadable_answer');
    expect(readUsageAtLeast(failure)).toEqual([{ unit: 'input_text_tokens', quantity: 9, confirmed: false }]);
  },
);

test('knows a refusal by its status, and by an error in a good answer', async () => {
  fake.script(
    { kind: 'status', status: 401, body: { error: { message: 'no', code: 'invalid_api_key' } } },
    { kind: 'answer', body: { error: { message: 'no such model', code: 'model_not_found' } } },
    { kind: 'cut_mid_body' },
  );
  const outcomes = [await judge([[text('a')]]), await judge([[text('a')]]), await judge([[text('a')]])];
  expect(outcomes.map(({ failure }) => isNotExecuted(failure))).toEqual([true, true, false]);
});
