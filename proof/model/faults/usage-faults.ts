import { amend, rewrite, without, type Fault } from './fault.ts';

export const usageFaults: readonly Fault[] = [
  {
    name: 'settles without a line of usage',
    caughtBy: 'usage_matches_ledger',
    put: (real) => ({
      settle: (command) =>
        amend(real.settle(command), (decision) => ({
          ...decision,
          writes: without(decision.writes, ({ table }) => table === 'usageLine'),
        })),
    }),
  },
  {
    name: 'charges the whole operation at its end, parts that were captured included',
    caughtBy: 'usage_matches_ledger',
    put: (real) => ({
      settle: (command) =>
        amend(real.settle(command), (decision) => {
          if (decision.answer.kind !== 'settled') return decision;
          const { chargedMicros } = decision.answer.operation;
          return { ...decision, writes: rewrite(decision.writes, 'usageLine', (line) => ({ ...line, chargedMicros })) };
        }),
    }),
  },
  {
    name: 'rolls up a line and leaves it',
    caughtBy: 'usage_matches_ledger',
    put: (real) => ({
      rollUp: (lines) =>
        amend(real.rollUp(lines), (decision) => ({
          ...decision,
          writes: without(decision.writes, ({ kind }) => kind === 'delete'),
        })),
    }),
  },
  {
    name: 'rolls up by hour and forgets the day',
    caughtBy: 'usage_matches_ledger',
    put: (real) => ({
      rollUp: (lines) =>
        amend(real.rollUp(lines), (decision) => ({
          ...decision,
          writes: without(decision.writes, ({ table }) => table === 'usageDay'),
        })),
    }),
  },
];
