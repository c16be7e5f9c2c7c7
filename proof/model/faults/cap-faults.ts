import { capTheme } from '../cap-theme.ts';
import { amend, blur, rewrite, without, type Fault } from './fault.ts';

const theme = capTheme;

/** Of what counts spending: the record of a token, not of a key. */
const isOfToken = (id: string): boolean => id.startsWith('token:');

/** What keys may spend. */
export const capFaults: readonly Fault[] = [
  {
    name: 'counts what is spent against a cap, and not what is held',
    theme,
    caughtBy: 'cap_not_exceeded',
    seenAt: 'budgets that are checked before a request and counted after it',
    put: (real) => ({
      open: (command) =>
        amend(
          blur(real.open(command), 'spend', (seen) => seen && { ...seen, heldMicros: 0n }),
          ({ writes, answer }, records) => ({
            writes: rewrite(writes, 'spend', (spend) => ({
              ...spend,
              heldMicros: spend.heldMicros + (records.get('spend', spend.id)?.heldMicros ?? 0n),
            })),
            answer,
          }),
        ),
    }),
  },
  {
    name: 'lets a cap be passed by one micro-credit',
    theme,
    caughtBy: 'cap_not_exceeded',
    put: (real) => ({
      open: (command) =>
        blur(real.open(command), 'apiKey', (seen) =>
          seen?.cap ? { ...seen, cap: { ...seen.cap, micros: String(BigInt(seen.cap.micros) + 1n) } } : seen,
        ),
    }),
  },
  {
    name: 'begins a cap anew with every operation',
    theme,
    caughtBy: 'spends_sum_to_holds',
    put: (real) => ({ open: (command) => blur(real.open(command), 'spend', () => undefined) }),
  },
  {
    name: 'settles and leaves the hold within the cap',
    theme,
    caughtBy: 'spends_sum_to_holds',
    put: (real) => ({
      settle: (command) =>
        amend(real.settle(command), ({ writes, answer }) => ({
          writes: without(writes, ({ table }) => table === 'spend'),
          answer,
        })),
    }),
  },
  {
    name: 'fails and leaves the hold within the cap',
    theme,
    caughtBy: 'spends_sum_to_holds',
    put: (real) => ({
      fail: (command) =>
        amend(real.fail(command), ({ writes, answer }) => ({
          writes: without(writes, ({ table }) => table === 'spend'),
          answer,
        })),
    }),
  },
  {
    name: 'frees the cap when an operation becomes uncertain',
    theme,
    caughtBy: 'spends_sum_to_holds',
    put: (real) => ({
      doubt: (command) =>
        amend(real.doubt(command), (decision, records) => {
          const { answer, writes } = decision;
          const [id] = answer.kind === 'uncertain' ? (answer.operation.spends ?? []) : [];
          const record = id === undefined ? undefined : records.get('spend', id);
          if (record === undefined) return decision;
          return {
            answer,
            writes: [...writes, { kind: 'put', table: 'spend', record: { ...record, heldMicros: 0n } }],
          };
        }),
    }),
  },
  {
    name: 'extends beyond the cap',
    theme,
    caughtBy: 'answers_as_the_model',
    put: (real) => ({
      extend: (command) =>
        blur(real.extend(command), 'spend', (seen) => seen && { ...seen, limitMicros: seen.limitMicros + 1_000n }),
    }),
  },
  {
    name: 'counts a captured part as free again',
    theme,
    caughtBy: 'records_as_the_model',
    put: (real) => ({
      capture: (command) =>
        amend(real.capture(command), ({ writes, answer }) => ({
          writes: rewrite(writes, 'spend', (spend) => ({ ...spend, spentMicros: spend.spentMicros - 1n })),
          answer,
        })),
    }),
  },
  {
    name: 'counts the hold as spent, whatever was measured',
    theme,
    caughtBy: 'records_as_the_model',
    put: (real) => ({
      settle: (command) =>
        amend(real.settle(command), ({ writes, answer }, records) => ({
          writes: rewrite(writes, 'spend', (spend) => {
            const before = records.get('spend', spend.id);
            if (before === undefined) return spend;
            return { ...spend, spentMicros: before.spentMicros + before.heldMicros - spend.heldMicros };
          }),
          answer,
        })),
    }),
  },
  {
    name: 'opens under a cap and does not remember which',
    theme,
    caughtBy: 'records_as_the_model',
    put: (real) => ({
      open: (command) =>
        amend(real.open(command), (decision) => {
          const { answer } = decision;
          if (answer.kind !== 'started' || answer.operation.spends === null) return decision;
          const operation = { ...answer.operation, spends: null };
          return {
            writes: rewrite(
              without(decision.writes, ({ table }) => table === 'spend'),
              'operation',
              () => operation,
            ),
            answer: { ...answer, operation },
          };
        }),
    }),
  },
  {
    name: 'settles and leaves the hold within the budget of the token',
    theme,
    caughtBy: 'spends_sum_to_holds',
    put: (real) => ({
      settle: (command) =>
        amend(real.settle(command), ({ writes, answer }) => ({
          writes: without(writes, (write) => write.kind === 'put' && isOfToken(write.record.id)),
          answer,
        })),
    }),
  },
  {
    name: 'counts a repeated opening twice within the budget of the token',
    theme,
    caughtBy: 'repeating_changes_nothing',
    put: (real) => ({
      open: (command) =>
        amend(real.open(command), (decision, records) => {
          const { writes, answer } = decision;
          if (answer.kind !== 'started' || writes.length > 0 || answer.operation.holdMicros === 0n) return decision;
          const id = answer.operation.spends?.find(isOfToken);
          const record = id === undefined ? undefined : records.get('spend', id);
          if (record === undefined) return decision;
          const heldMicros = record.heldMicros + answer.operation.holdMicros;
          return { answer, writes: [{ kind: 'put', table: 'spend', record: { ...record, heldMicros } }] };
        }),
    }),
  },
  {
    name: 'counts an operation under the cap of its key, and not under the budget of its token',
    theme,
    caughtBy: 'records_as_the_model',
    seenAt: 'a hundred tokens that multiply a cap',
    put: (real) => ({
      open: (command) => real.open(command.keySpend ? { ...command, budget: undefined } : command),
    }),
  },
  {
    name: 'counts an operation under the budget of its token, and not under the cap of its key',
    theme,
    caughtBy: 'records_as_the_model',
    put: (real) => ({
      open: (command) =>
        command.budget === undefined
          ? real.open(command)
          : blur(real.open({ ...command, keySpend: null }), 'apiKey', (seen) => seen && { ...seen, cap: null }),
    }),
  },
  {
    name: 'passes the budget of a token where its key has room',
    theme,
    caughtBy: 'cap_not_exceeded',
    put: (real) => ({
      open: (command) =>
        blur(real.open(command), 'spend', (seen) =>
          seen && command.budget !== undefined && seen.id === command.budget.id
            ? { ...seen, spentMicros: seen.spentMicros - 1_000n }
            : seen,
        ),
    }),
  },
  {
    name: 'extends beyond the budget of the token',
    theme,
    caughtBy: 'answers_as_the_model',
    put: (real) => ({
      extend: (command) =>
        blur(real.extend(command), 'spend', (seen) =>
          seen && isOfToken(seen.id) ? { ...seen, limitMicros: seen.limitMicros + 1_000n } : seen,
        ),
    }),
  },
];
