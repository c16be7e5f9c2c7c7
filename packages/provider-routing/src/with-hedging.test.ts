import {
  isNotExecuted,
  UnknownOutcome,
  type Attempt,
  type GenerationCall,
  type Part,
  type Provider,
} from '@tollgate/provider';
import {
  fakeClock,
  sampleCaller,
  scriptedProvider,
  type FakeClock,
  type ScriptedProvider,
  type ScriptedStep,
} from '@tollgate/testing/fakes';
import { expect, test } from 'vitest';
import { withFallback } from './with-fallback.ts';
import { withHedging, type HedgingOptions } from './with-hedging.ts';

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

const answerOf = (text: string): ScriptedStep => ({ kind: 'answer', generation: { text } });
const input = { unit: 'input_text_tokens', quantity: 100, confirmed: false } as const;

/** Takes so long, whatever the signal says. */
const slow = (clock: FakeClock, ms: number, next: ScriptedStep): ScriptedStep => ({
  kind: 'wait',
  until: clock.sleep(ms),
  next,
});

/** Loses its answer when it is aborted, and says what it had used. */
const losing = (name: string, attempts: readonly Attempt[] = []): Provider => ({
  name,
  generate: (_, { signal, recordAttempt }) =>
    new Promise((_resolve, reject) => {
      for (const attempt of attempts) recordAttempt(attempt);
      signal.addEventListener('abort', () => {
        recordAttempt({ startedAtMs: 0, durationMs: 1, status: 200, outcome: 'unknown', upstreamId: `req_${name}` });
        reject(new UnknownOutcome('aborted', undefined, [input]));
      });
    }),
});

interface Outcome {
  readonly outcome: string;
  readonly text: string | undefined;
  readonly pieces: string;
  readonly attempts: readonly Attempt[];
  readonly failure: unknown;
}

const start = (provider: Provider, method: 'generate' | 'generateStream', signal = new AbortController().signal) => {
  const attempts: Attempt[] = [];
  let pieces = '';
  const onParts = (parts: readonly Part[]): void => {
    for (const part of parts) if (part.kind === 'text') pieces += part.text;
  };
  const context = {
    caller: sampleCaller,
    signal,
    recordAttempt: (attempt: Attempt): void => void attempts.push(attempt),
  };
  const asked =
    method === 'generate' ? provider.generate?.(call, context) : provider.generateStream?.(call, context, onParts);
  const running: Promise<Outcome> = (asked ?? Promise.reject(new Error('no such method'))).then(
    (answer) => ({
      outcome: 'answered',
      text: 'text' in answer && typeof answer.text === 'string' ? answer.text : undefined,
      pieces,
      attempts: [...attempts],
      failure: undefined,
    }),
    (failure: unknown) => ({
      outcome: isNotExecuted(failure) ? failure.reason : 'unknown',
      text: undefined,
      pieces,
      attempts: [...attempts],
      failure,
    }),
  );
  return { running, attempts };
};

const hedged = (clock: FakeClock, members: readonly Provider[], afterMs: HedgingOptions['afterMs'] = 1_000): Provider =>
  withHedging(members, { afterMs, now: clock.now, after: clock.after });

const member = (name: string, ...steps: readonly ScriptedStep[]): ScriptedProvider => scriptedProvider({ name, steps });

const made = ({ attempts }: Outcome): readonly unknown[] =>
  attempts.map(({ provider, outcome, abandoned = false }) => [provider, outcome, abandoned]);

test('asks no second provider where the first answers in time, and leaves no timer', async () => {
  const clock = fakeClock();
  const second = member('b');
  const { running } = start(hedged(clock, [member('a', slow(clock, 999, answerOf('A'))), second]), 'generate');
  await clock.advance(999);
  expect(await running).toMatchObject({ text: 'A', attempts: [{ provider: 'a' }] });
  expect([second.calls.length, clock.waiting()]).toEqual([0, 0]);
});

test('takes the answer that comes first, aborts the other, and has both on record', async () => {
  const clock = fakeClock();
  const second = member('b', slow(clock, 1_500, answerOf('B')));
  const { running } = start(hedged(clock, [losing('a'), second]), 'generate');
  await clock.advance(999);
  expect(second.calls).toHaveLength(0);
  await clock.advance(501);
  const outcome = await running;
  expect(outcome).toMatchObject({ outcome: 'answered', text: 'B' });
  expect(made(outcome)).toEqual([
    ['b', 'answered', false],
    ['a', 'unknown', true],
  ]);
  expect(outcome.attempts[1]).toMatchObject({ upstreamId: 'req_a', usageAtLeast: [input] });
});

test('has the usage of one that answered too late on record, and not in the answer', async () => {
  const clock = fakeClock();
  const usage = [{ unit: 'output_text_tokens', quantity: 7, confirmed: true }] as const;
  const late = slow(clock, 2_300, { kind: 'answer', generation: { text: 'A', usage } });
  const { running } = start(
    hedged(clock, [member('a', late), member('b', slow(clock, 2_000, answerOf('B')))]),
    'generate',
  );
  await clock.advance(2_300);
  const outcome = await running;
  expect(outcome.text).toBe('B');
  expect(outcome.attempts.find(({ abandoned }) => abandoned === true)).toMatchObject({
    provider: 'a',
    outcome: 'answered',
    usageAtLeast: usage,
  });
});

test('records as unknown one that does not end after it was aborted, and waits for it only so long', async () => {
  const clock = fakeClock();
  const { running, attempts } = start(
    hedged(clock, [member('a', { kind: 'never' }), member('b', answerOf('B'))]),
    'generate',
  );
  await clock.advance(2_000);
  const outcome = await running;
  expect(outcome.text).toBe('B');
  expect(made(outcome)).toEqual([
    ['b', 'answered', false],
    ['a', 'unknown', true],
  ]);
  expect(attempts[1]).toMatchObject({ startedAtMs: 0, durationMs: 2_000, status: null });
  expect(clock.waiting()).toBe(0);
});

test('hands over the pieces of the first stream to begin, and nothing of the other', async () => {
  const clock = fakeClock();
  const first = member('a', slow(clock, 1_200, answerOf('AAAA')));
  const { running } = start(hedged(clock, [first, member('b', slow(clock, 1_100, answerOf('BB')))]), 'generateStream');
  await clock.advance(1_300);
  expect(await running).toMatchObject({ outcome: 'answered', pieces: 'BB' });
});

test('asks no second provider once a piece has come', async () => {
  const clock = fakeClock();
  const second = member('b');
  const begun: ScriptedStep = {
    ...slow(clock, 5_000, { kind: 'answer', pieces: [] }),
    pieces: [{ kind: 'text', text: 'A' }],
  };
  const { running } = start(hedged(clock, [member('a', begun), second]), 'generateStream');
  await clock.advance(5_000);
  expect(await running).toMatchObject({ outcome: 'answered', pieces: 'A' });
  expect(second.calls).toHaveLength(0);
});

test('goes on with the other where one fails, whatever it fails with, and keeps what it used', async () => {
  for (const [failing, recorded] of [
    [
      { kind: 'unknown', usageAtLeast: [input] },
      { abandoned: true, usageAtLeast: [input] },
    ],
    [{ kind: 'not_executed', reason: 'invalid_request' }, { outcome: 'refused' }],
    [{ kind: 'not_executed', reason: 'failed' }, { outcome: 'refused' }],
  ] as const) {
    const clock = fakeClock();
    const members = [member('a', slow(clock, 1_500, failing)), member('b', slow(clock, 2_000, answerOf('B')))];
    const { running } = start(hedged(clock, members), 'generate');
    await clock.advance(2_000);
    const outcome = await running;
    expect(outcome.text).toBe('B');
    expect(outcome.attempts.find(({ provider }) => provider === 'a')).toMatchObject(recorded);
  }
});

test('never says that nothing ran where one may have run, and adds up what both used', async () => {
  const clock = fakeClock();
  const refused = { kind: 'not_executed', reason: 'invalid_request' } as const;
  const lost = { kind: 'unknown', usageAtLeast: [input] } as const;
  const first = start(
    hedged(clock, [member('a', slow(clock, 1_500, lost)), member('b', slow(clock, 2_000, refused))]),
    'generate',
  );
  const second = start(
    hedged(clock, [member('c', slow(clock, 1_500, lost)), member('d', slow(clock, 2_000, lost))]),
    'generate',
  );
  await clock.advance(2_000);
  expect(await first.running).toMatchObject({ outcome: 'unknown', failure: { usageAtLeast: [input] } });
  expect(await second.running).toMatchObject({ outcome: 'unknown', failure: { usageAtLeast: [input, input] } });
});

test('says that nothing ran where that is certain of both, with the reason that most invites to come back', async () => {
  const clock = fakeClock();
  const busy = { kind: 'not_executed', reason: 'rate_limited', retryAfterMs: 4_000 } as const;
  const failed = { kind: 'not_executed', reason: 'failed' } as const;
  const { running } = start(hedged(clock, [member('a', slow(clock, 1_500, failed)), member('b', busy)]), 'generate');
  await clock.advance(1_500);
  expect(await running).toMatchObject({ outcome: 'rate_limited', failure: { retryAfterMs: 4_000 } });
});

test('asks the next one at once where the first certainly did not run, and two at a time at the most', async () => {
  const clock = fakeClock();
  const dead = { kind: 'not_executed', reason: 'unavailable' } as const;
  const members = [member('a', dead), member('b', { kind: 'hang' }), member('c', { kind: 'hang' }), member('d')];
  const controller = new AbortController();
  const { running } = start(hedged(clock, members), 'generate', controller.signal);
  await clock.advance(0);
  expect(members.map(({ calls }) => calls.length)).toEqual([1, 1, 0, 0]);
  await clock.advance(10_000);
  expect(members.map(({ calls }) => calls.length)).toEqual([1, 1, 1, 0]);
  controller.abort();
  expect(made(await running)).toEqual([
    ['a', 'refused', false],
    ['b', 'unknown', false],
    ['c', 'unknown', false],
  ]);
});

test('waits as long as that share of the last calls took', async () => {
  const clock = fakeClock();
  const steps = Array.from({ length: 20 }, (_, place) => ({ ms: (place + 1) * 100 }));
  let next: ScriptedStep = answerOf('A');
  const scripted = member('a');
  const second = member('b');
  const provider = hedged(
    clock,
    [
      {
        ...scripted,
        generate: (given, context) => {
          scripted.script(next);
          return scripted.generate(given, context);
        },
      },
      second,
    ],
    { percentile: 90, elseMs: 60_000 },
  );
  for (const { ms } of steps) {
    next = slow(clock, ms, answerOf('A'));
    const { running } = start(provider, 'generate');
    await clock.advance(ms);
    await running;
  }
  expect(second.calls).toHaveLength(0);
  next = slow(clock, 10_000, answerOf('A'));
  const { running } = start(provider, 'generate');
  await clock.advance(1_799);
  expect(second.calls).toHaveLength(0);
  await clock.advance(1);
  expect(second.calls).toHaveLength(1);
  await clock.advance(10_000);
  expect(await running).toMatchObject({ outcome: 'answered' });
});

test('asks one provider at a time for what is no generation', async () => {
  const clock = fakeClock();
  const members = [
    scriptedProvider({ name: 'a', batchSteps: [slow(clock, 5_000, { kind: 'answer' })] }),
    scriptedProvider({ name: 'b', batchSteps: [] }),
  ];
  const { batches } = hedged(clock, members);
  const context = { caller: sampleCaller, signal: new AbortController().signal, recordAttempt: () => {} };
  const started = batches?.start({ operationId: 'o', upstreamModel: 'model', displayName: null, items: [] }, context);
  await clock.advance(5_000);
  await started;
  expect(members.map(({ batchLog }) => batchLog.started.length)).toEqual([1, 0]);
});

const slowStart = (clock: FakeClock, members: readonly Provider[]): Provider =>
  withFallback(members, { firstPieceMs: 1_000, now: clock.now, after: clock.after });

test('aborts a provider that gives nothing in time and asks the next one, with the first on record', async () => {
  const clock = fakeClock();
  const { running } = start(
    slowStart(clock, [losing('a'), member('b', slow(clock, 1_500, answerOf('B')))]),
    'generate',
  );
  await clock.advance(1_500);
  const outcome = await running;
  expect(outcome.text).toBe('B');
  expect(outcome.attempts.find(({ provider }) => provider === 'a')).toMatchObject({
    outcome: 'unknown',
    abandoned: true,
    usageAtLeast: [input],
  });
});

test('never aborts a stream after its first piece, nor the last provider', async () => {
  const clock = fakeClock();
  const begun: ScriptedStep = {
    ...slow(clock, 9_000, { kind: 'answer', pieces: [] }),
    pieces: [{ kind: 'text', text: 'A' }],
  };
  const second = member('b');
  const first = start(slowStart(clock, [member('a', begun), second]), 'generateStream');
  const alone = start(slowStart(clock, [member('c', slow(clock, 9_000, answerOf('C')))]), 'generate');
  await clock.advance(9_000);
  expect(await first.running).toMatchObject({ outcome: 'answered', pieces: 'A', attempts: [{ outcome: 'answered' }] });
  expect(await alone.running).toMatchObject({ text: 'C' });
  expect(second.calls).toHaveLength(0);
});

test('leaves the outcome unknown where an aborted provider may have run and no other one answers', async () => {
  const clock = fakeClock();
  const refused = { kind: 'not_executed', reason: 'invalid_request' } as const;
  const { running } = start(slowStart(clock, [losing('a'), member('b', refused)]), 'generate');
  await clock.advance(1_000);
  expect(await running).toMatchObject({ outcome: 'unknown', failure: { usageAtLeast: [input] } });
});

test('frees the call where an aborted provider certainly did not run', async () => {
  const clock = fakeClock();
  const unsent: Provider = {
    name: 'a',
    generate: (_, { signal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () =>
          reject(Object.assign(new Error('x'), { code: 'not_executed', reason: 'cancelled' })),
        );
      }),
  };
  const dead = { kind: 'not_executed', reason: 'unavailable' } as const;
  const { running } = start(slowStart(clock, [unsent, member('b', dead)]), 'generate');
  await clock.advance(1_000);
  expect(await running).toMatchObject({ outcome: 'unavailable' });
});

test('has an abandoned call on record when the gateway gives up', async () => {
  const clock = fakeClock();
  const controller = new AbortController();
  const { running, attempts } = start(
    slowStart(clock, [member('a', { kind: 'never' }), member('b', { kind: 'hang' })]),
    'generate',
    controller.signal,
  );
  await clock.advance(1_500);
  controller.abort();
  expect(attempts).toMatchObject([{ provider: 'a', outcome: 'unknown', abandoned: true }]);
  await clock.advance(1_000);
  expect(await running).toMatchObject({ outcome: 'unknown' });
});
