import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import type { ProviderCase, ProviderMethod } from '../provider-case.ts';
import { answered, checkSecrets, checkUnknown, refusalOf, type ProviderRun } from '../provider-run.ts';
import type { ProviderUnderTest } from '../provider-under-test.ts';
import { within } from './within.ts';

/** What can happen to a call, whatever it asks for. */
export type ConductScenario =
  | 'answered'
  | 'busy_once'
  | 'invalid_request'
  | 'input_limit'
  | 'rate_limited'
  | 'unavailable'
  | 'failed'
  | 'unknown'
  | 'hang';

type Ask = (
  underTest: ProviderUnderTest,
  scenario: ConductScenario,
  signal?: AbortSignal,
) => Promise<ProviderRun<unknown>>;

/** A charged method. */
export interface AskingForConduct {
  readonly prefix: string;
  readonly needs: readonly ProviderMethod[];
  readonly run: Ask;
}

interface ConductRule {
  readonly title: string;
  readonly run: (underTest: ProviderUnderTest, ask: Ask) => Promise<void>;
}

/** How long a provider may take to stop waiting after its signal aborted. */
const givesUpWithinMs = 1_000;

const refusalRule = (reason: 'invalid_request' | 'input_limit' | 'unavailable' | 'failed'): ConductRule => ({
  title: `tells ${reason} as certain non-execution, in its own words`,
  run: async (underTest, ask) => {
    const run = await ask(underTest, reason);
    const refusal = refusalOf(run);
    assert.equal(refusal.reason, reason);
    checkSecrets(refusal, underTest.secrets);
    assert.ok(run.attempts.length > 0, 'no attempt is recorded');
    assert.ok(run.attempts.every(({ outcome }) => outcome === 'refused' || outcome === 'not_sent'));
  },
});

const failureRules: readonly ConductRule[] = [
  refusalRule('invalid_request'),
  refusalRule('input_limit'),
  refusalRule('unavailable'),
  refusalRule('failed'),
  {
    title: 'says when to come back to a busy upstream',
    run: async (underTest, ask) => {
      const run = await ask(underTest, 'rate_limited');
      const refusal = refusalOf(run);
      assert.deepEqual([refusal.reason, refusal.retryAfterMs], ['rate_limited', 3_000]);
      checkSecrets(refusal, underTest.secrets);
      assert.ok(run.attempts.length > 0 && run.attempts.every(({ outcome }) => outcome === 'refused'));
    },
  },
  {
    title: 'leaves the outcome unknown when the answer is lost',
    run: async (underTest, ask) => {
      const run = await ask(underTest, 'unknown');
      checkUnknown(run);
      checkSecrets(run.failure, underTest.secrets);
    },
  },
];

const callRules: readonly ConductRule[] = [
  {
    title: 'records every wire call once',
    run: async (underTest, ask) => {
      const before = underTest.upstreamRequests();
      const run = await ask(underTest, 'busy_once');
      assert.equal(run.attempts.length, underTest.upstreamRequests() - before);
      if (run.answer === undefined) assert.equal(refusalOf(run).reason, 'rate_limited');
      else assert.equal(run.attempts.at(-1)?.outcome, 'answered');
    },
  },
  {
    title: 'makes no second wire call after one that may have run',
    run: async (underTest, ask) => {
      const before = underTest.upstreamRequests();
      const run = await ask(underTest, 'unknown');
      assert.deepEqual([underTest.upstreamRequests() - before, run.attempts.length], [1, 1]);
    },
  },
  {
    title: 'keeps the attempts of calls at the same time apart',
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
    run: async (underTest, ask) => {
      const before = underTest.upstreamRequests();
      const run = await ask(underTest, 'answered', AbortSignal.abort());
      assert.equal(refusalOf(run).reason, 'cancelled');
      assert.equal(underTest.upstreamRequests(), before);
      assert.ok(run.attempts.every(({ outcome }) => outcome === 'not_sent'));
    },
  },
  {
    title: 'stops waiting when the gateway gives up, and leaves the outcome unknown',
    run: async (underTest, ask) => {
      const controller = new AbortController();
      const received = underTest.received(underTest.upstreamRequests() + 1);
      const running = ask(underTest, 'hang', controller.signal);
      await received;
      controller.abort();
      checkUnknown(await within(running, givesUpWithinMs));
    },
  },
  {
    title: 'leaves nothing on the signal of a finished call',
    run: async (underTest, ask) => {
      const { signal } = new AbortController();
      answered(await ask(underTest, 'answered', signal));
      assert.deepEqual(getEventListeners(signal, 'abort'), []);
    },
  },
];

/** What every charged method owes: certain words for what did not run, every wire call recorded, none repeated, no waiting. */
export const conductCases = ({ prefix, needs, run }: AskingForConduct): readonly ProviderCase[] =>
  [...failureRules, ...callRules, ...signalRules].map((rule) => ({
    title: `${prefix}${rule.title}`,
    needs,
    run: (underTest) => rule.run(underTest, run),
  }));
