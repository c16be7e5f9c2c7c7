import { isNotExecuted, type CallContext, type GenerationCall, type Part, type Provider } from '@tollgate/provider';
import { sampleCaller, scriptedProvider, type ScriptedStep } from '@tollgate/testing/fakes';
import { expect, test } from 'vitest';
import { withRetry, type RetryOptions } from './with-retry.ts';

const call: GenerationCall = {
  operationId: 'operation',
  upstreamModel: 'model',
  systemInstruction: null,
  contents: [],
  tools: [],
  toolChoice: { kind: 'auto' },
  responseFormat: { kind: 'text' },
  sampling: {},
  outputTokensMax: 100,
};

interface Outcome {
  readonly outcome: string;
  readonly calls: number;
  readonly sleeps: readonly number[];
}

const run = async (steps: readonly ScriptedStep[], options: RetryOptions = {}): Promise<Outcome> => {
  const sleeps: number[] = [];
  const scripted = scriptedProvider({ steps });
  const sleep = (ms: number): Promise<void> => {
    sleeps.push(ms);
    return Promise.resolve();
  };
  const provider: Provider = withRetry(scripted, { sleep, random: () => 1, ...options });
  const context: CallContext = { caller: sampleCaller, signal: new AbortController().signal, recordAttempt: () => {} };
  const outcome = await (
    provider.generateStream?.(call, context, () => {}) ?? Promise.reject(new Error('no stream'))
  ).then(
    () => 'answered',
    (failure: unknown) => (isNotExecuted(failure) ? failure.reason : 'unknown'),
  );
  return { outcome, calls: scripted.calls.length, sleeps };
};

const refused = (
  reason: 'rate_limited' | 'unavailable' | 'failed' | 'invalid_request' | 'input_limit' | 'unsupported',
  rest: object = {},
): ScriptedStep => ({
  kind: 'not_executed',
  reason,
  ...rest,
});

test('asks again, each time a little later', async () => {
  const steps = [refused('failed'), refused('unavailable')];
  expect(await run(steps)).toEqual({ outcome: 'answered', calls: 3, sleeps: [200, 400] });
});

test('spreads its waits, and never above the limit', async () => {
  const steps = [refused('failed'), refused('failed'), refused('failed')];
  const options = { attemptsMax: 4, waitMs: 100, waitMsMax: 150 };
  expect((await run(steps, { ...options, random: () => 0 })).sleeps).toEqual([50, 75, 75]);
  expect((await run(steps, options)).sleeps).toEqual([100, 150, 150]);
});

test('gives up after its attempts', async () => {
  const steps = [refused('failed'), refused('failed')];
  expect(await run(steps, { attemptsMax: 2 })).toEqual({ outcome: 'failed', calls: 2, sleeps: [200] });
});

test('comes back when the provider says so', async () => {
  expect((await run([refused('rate_limited', { retryAfterMs: 1_500 })])).sleeps).toEqual([1_500]);
});

test('does not wait longer than it may', async () => {
  const outcome = await run([refused('rate_limited', { retryAfterMs: 2_001 })]);
  expect(outcome).toEqual({ outcome: 'rate_limited', calls: 1, sleeps: [] });
});

const begun: readonly Part[] = [{ kind: 'text', text: 'Hel' }];

test.each<readonly [string, ScriptedStep]>([
  ['unknown', { kind: 'unknown' }],
  ['invalid_request', refused('invalid_request')],
  ['input_limit', refused('input_limit')],
  ['unsupported', refused('unsupported')],
  ['unavailable', refused('unavailable', { lasting: true })],
  ['rate_limited', refused('rate_limited', { lasting: true })],
  ['unavailable', refused('unavailable', { pieces: begun })],
])('does not ask again after %s', async (outcome, step) => {
  expect(await run([step])).toEqual({ outcome, calls: 1, sleeps: [] });
});

test('leaves a call whose wait is given up as it was: certain', async () => {
  const outcome = await run([refused('failed')], { sleep: () => Promise.reject(new Error('aborted')) });
  expect(outcome).toMatchObject({ outcome: 'failed', calls: 1 });
});
