import type { Fault } from './fault.ts';

/** What can go wrong with the word of an operator. */
export const verdictFaults: readonly Fault[] = [
  {
    name: 'charges what was used at the least where a bill says more',
    caughtBy: 'records_as_the_model',
    put: (real) => ({
      judge: (facts, verdict, note) => {
        const known = facts.operation.usageAtLeast;
        const isMeasured = verdict.executed && 'usage' in verdict && known !== null;
        return real.judge(facts, isMeasured ? { executed: true, usage: known } : verdict, note);
      },
    }),
  },
  {
    name: 'takes every verdict for the one that was given',
    caughtBy: 'answers_as_the_model',
    put: () => ({ sameVerdict: () => true }),
  },
  {
    name: 'takes the same verdict for another one',
    caughtBy: 'answers_as_the_model',
    put: () => ({ sameVerdict: () => false }),
  },
  {
    name: 'forgets that an operator decided',
    caughtBy: 'records_as_the_model',
    put: (real) => ({
      settle: ({ verdict: _, ...command }) => real.settle(command),
    }),
  },
  {
    name: 'keeps the verdict that a later measure has replaced',
    caughtBy: 'records_as_the_model',
    put: (real) => ({
      settle: (command) => ({
        ...real.settle(command),
        decide: (records, nowMs) => {
          const verdict = command.verdict ?? records.get('operation', command.operationId)?.verdict;
          const settled = real.settle(verdict === null || verdict === undefined ? command : { ...command, verdict });
          return settled.decide(records, nowMs);
        },
      }),
    }),
  },
  {
    name: 'releases the hold without a word of who decided so',
    caughtBy: 'records_as_the_model',
    put: (real) => ({
      fail: ({ verdict: _, ...command }) => real.fail(command),
    }),
  },
];
