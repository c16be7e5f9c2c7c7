import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { callFields, isRefusalDetail } from '@tollgate/provider';
import { settledWithin } from '../../broken-promise.ts';
import type { ProviderCase, ProviderMethod, ProviderNeed } from '../provider-case.ts';
import type { PromiseId } from '../provider-promises.ts';
import { answered, checkSecrets, checkUnknown, refusalOf, type ProviderRun, type Watching } from '../provider-run.ts';
import type { conductScenarios, ProviderUnderTest } from '../provider-under-test.ts';

/** What can happen to a call, whatever it asks for. */
export type ConductScenario = 'answered' | keyof typeof conductScenarios;

type Ask = (
  underTest: ProviderUnderTest,
  scenario: ConductScenario,
  watching?: Watching,
) => Promise<ProviderRun<unknown>>;

/** A charged method. */
export interface AskingForConduct {
  readonly prefix: string;
  readonly needs: readonly ProviderMethod[];
  readonly run: Ask;
}

/** The same between two requests; shorter than the second that the upstream asked for. */
const waitLeftWithinMs = 500;

interface ConductRule {
  readonly title: string;
  readonly promise: PromiseId;
  readonly needs?: readonly ProviderNeed[];
  readonly run: (underTest: ProviderUnderTest, ask: Ask) => Promise<void>;
}

const fields: ReadonlySet<string> = new Set(callFields);

/** By how much the clock of the attempts and that of a timer may differ. */
const clockErrorMs = 100;

/** How long a provider may take to stop waiting after its signal aborted. */
const givesUpWithinMs = 1_000;

const refusalRule = (reason: 'invalid_request' | 'input_limit' | 'unavailable' | 'failed'): ConductRule => ({
  title: `tells ${reason} as certain non-execution, in its own words`,
  promise: 'P14',
  run: async (underTest, ask) => {
    const run = await ask(underTest, reason);
    const refusal = refusalOf(run);
    assert.equal(refusal.reason, reason);
    checkSecrets(refusal, underTest.secrets);
    assert.ok(run.attempts.length > 0, 'no attempt is recorded');
    assert.ok(run.attempts.every(({ outcome }) => outcome === 'refused' || outcome === 'not_sent'));
  },
});

const uncertainRule = (scenario: 'unknown' | 'bad_gateway' | 'gateway_timeout', title: string): ConductRule => ({
  title,
  promise: 'P15',
  run: async (underTest, ask) => {
    const run = await ask(underTest, scenario);
    checkUnknown(run);
    checkSecrets(run.failure, underTest.secrets);
  },
});

const failureRules: readonly ConductRule[] = [
  refusalRule('invalid_request'),
  refusalRule('input_limit'),
  refusalRule('unavailable'),
  refusalRule('failed'),
  {
    title: 'says when to come back to a busy upstream',
    promise: 'P14',
    run: async (underTest, ask) => {
      const run = await ask(underTest, 'rate_limited');
      const refusal = refusalOf(run);
      assert.deepEqual([refusal.reason, refusal.retryAfterMs], ['rate_limited', 3_000]);
      checkSecrets(refusal, underTest.secrets);
      assert.ok(run.attempts.length > 0 && run.attempts.every(({ outcome }) => outcome === 'refused'));
    },
  },
  {
    title: 'asks a busy upstream again not before it said, if at all',
    promise: 'P20',
    run: async (underTest, ask) => {
      const { attempts } = await ask(underTest, 'rate_limited');
      for (const [index, { startedAtMs, durationMs }] of attempts.entries()) {
        const next = attempts[index + 1];
        const waitedMs = next === undefined ? Infinity : next.startedAtMs - startedAtMs - durationMs;
        assert.ok(waitedMs >= 3_000 - clockErrorMs, `asked again after ${waitedMs} ms`);
      }
    },
  },
  {
    title: 'tells of refused content no name and no detail but those of the lists',
    promise: 'P33',
    run: async (underTest, ask) => {
      const { field, detail } = refusalOf(await ask(underTest, 'invalid_request'));
      assert.ok(field === undefined || fields.has(field), 'the field is none of the list');
      assert.ok(detail === undefined || isRefusalDetail(detail), 'the detail is none of the list');
    },
  },
  uncertainRule('unknown', 'leaves the outcome unknown when the answer is lost'),
  uncertainRule('bad_gateway', 'leaves the outcome unknown when a proxy got no answer from the model'),
  uncertainRule('gateway_timeout', 'leaves the outcome unknown when a proxy waited too long for the model'),
  {
    title: 'leaves the outcome unknown when its own limit on time has passed',
    promise: 'P15',
    needs: ['impatient'],
    run: async (underTest, ask) => {
      const provider = underTest.impatient?.();
      assert.ok(provider !== undefined, 'it has a limit on time');
      try {
        checkUnknown(await ask({ ...underTest, provider }, 'hang'));
      } finally {
        await provider.close?.();
      }
    },
  },
];

const callRules: readonly ConductRule[] = [
  {
    title: 'records every upstream request once',
    promise: 'P19',
    run: async (underTest, ask) => {
      const before = underTest.upstreamRequests();
      const run = await ask(underTest, 'busy_once');
      assert.equal(run.attempts.length, underTest.upstreamRequests() - before);
      if (run.answer === undefined) assert.equal(refusalOf(run).reason, 'rate_limited');
      else assert.equal(run.attempts.at(-1)?.outcome, 'answered');
    },
  },
  {
    title: 'makes no second upstream request after one that may have run',
    promise: 'P20',
    run: async (underTest, ask) => {
      const before = underTest.upstreamRequests();
      const run = await ask(underTest, 'unknown');
      assert.deepEqual([underTest.upstreamRequests() - before, run.attempts.length], [1, 1]);
    },
  },
  {
    title: 'keeps the attempts of calls at the same time apart',
    promise: 'P19',
    run: async (underTest, ask) => {
      const runs = await Promise.all([ask(underTest, 'answered'), ask(underTest, 'answered')]);
      for (const run of runs) {
        answered(run);
        assert.deepEqual(
          run.attempts.map(({ outcome }) => outcome),
          ['answered'],
        );
      }
    },
  },
];

const signalRules: readonly ConductRule[] = [
  {
    title: 'sends nothing for a call that is already given up',
    promise: 'P21',
    run: async (underTest, ask) => {
      const before = underTest.upstreamRequests();
      const run = await ask(underTest, 'answered', { signal: AbortSignal.abort() });
      assert.equal(refusalOf(run).reason, 'cancelled');
      assert.equal(underTest.upstreamRequests(), before);
      assert.ok(run.attempts.every(({ outcome }) => outcome === 'not_sent'));
    },
  },
  {
    title: 'stops waiting when the gateway gives up, and leaves the outcome unknown',
    promise: 'P21',
    run: async (underTest, ask) => {
      const controller = new AbortController();
      const received = underTest.received(underTest.upstreamRequests() + 1);
      const running = ask(underTest, 'hang', { signal: controller.signal });
      await Promise.race([received, running]);
      controller.abort();
      checkUnknown(await settledWithin(givesUpWithinMs, running));
    },
  },
  {
    title: 'stops waiting for its next request when the gateway gives up, and does not make it',
    promise: 'P21',
    run: async (underTest, ask) => {
      const controller = new AbortController();
      const refused = Promise.withResolvers<void>();
      const before = underTest.upstreamRequests();
      const running = ask(underTest, 'busy_a_second', {
        signal: controller.signal,
        onAttempt: () => setImmediate(refused.resolve),
      });
      await Promise.race([refused.promise, running]);
      controller.abort();
      refusalOf(await settledWithin(waitLeftWithinMs, running));
      assert.equal(underTest.upstreamRequests() - before, 1, 'asked again before the second was over');
    },
  },
  {
    title: 'leaves nothing on the signal of a finished call',
    promise: 'P22',
    run: async (underTest, ask) => {
      const { signal } = new AbortController();
      answered(await ask(underTest, 'answered', { signal }));
      assert.deepEqual(getEventListeners(signal, 'abort'), []);
    },
  },
];

/** What every charged method owes: certain words for what did not run, every upstream request recorded, none repeated, no waiting. */
export const conductCases = ({ prefix, needs, run }: AskingForConduct): readonly ProviderCase[] =>
  [...failureRules, ...callRules, ...signalRules].map((rule) => ({
    title: `${prefix}${rule.title}`,
    promise: rule.promise,
    needs: [...needs, ...(rule.needs ?? [])],
    run: (underTest) => rule.run(underTest, run),
  }));
