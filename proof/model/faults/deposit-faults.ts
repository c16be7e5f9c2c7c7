import { amend, blur, rewrite, type Fault } from './fault.ts';

export const depositFaults: readonly Fault[] = [
  {
    name: 'adds a deposit again each time it is sent',
    caughtBy: 'repeating_changes_nothing',
    seenAt: 'LiteLLM #28247: each pod seeds the balance anew',
    put: (real) => ({ deposit: (command) => blur(real.deposit(command), 'deposit', () => undefined) }),
  },
  {
    name: 'takes another amount under a known reference for a repetition',
    caughtBy: 'answers_as_the_model',
    put: (real) => ({
      deposit: (command) =>
        blur(real.deposit(command), 'deposit', (known) => known && { ...known, amountMicros: command.amountMicros }),
    }),
  },
  {
    name: 'lets a correction take what is reserved',
    caughtBy: 'reserved_within_balance',
    put: (real) => ({
      deposit: (command) =>
        amend(
          blur(real.deposit(command), 'wallet', (seen) => seen && { ...seen, reservedMicros: 0n }),
          (decision, records) => {
            const reservedMicros = records.get('wallet', command.accountId)?.reservedMicros ?? 0n;
            if (decision.answer.kind !== 'done') return decision;
            const wallet = { ...decision.answer.wallet, reservedMicros };
            return {
              writes: rewrite(decision.writes, 'wallet', () => wallet),
              answer: { kind: 'done', wallet, owedMicros: 0n },
            };
          },
        ),
    }),
  },
  {
    name: 'takes an amount beyond every amount',
    caughtBy: 'amounts_are_whole_numbers',
    put: (real) => ({
      deposit: (command) =>
        amend(real.deposit(command), (decision, records, nowMs) => {
          const wallet = records.get('wallet', command.accountId);
          if (decision.answer.kind !== 'too_large' || wallet === undefined) return decision;
          const half = blur(
            real.deposit(command),
            'wallet',
            (seen) => seen && { ...seen, balanceMicros: 0n, reservedMicros: 0n },
          );
          const { writes } = half.decide(records, nowMs);
          const balanceMicros = wallet.balanceMicros + command.amountMicros;
          const richer = { ...wallet, balanceMicros, seq: wallet.seq + 1, entrySeq: wallet.entrySeq + 1 };
          return {
            writes: writes.map((write) =>
              write.kind === 'put' && write.table === 'wallet' ? { ...write, record: richer } : write,
            ),
            answer: { kind: 'done', wallet: richer, owedMicros: 0n },
          };
        }),
    }),
  },
  {
    name: 'edits the balance without an entry',
    caughtBy: 'entries_sum_to_balance',
    put: (real) => ({
      deposit: (command) =>
        amend(real.deposit(command), ({ writes, answer }) => ({
          writes: writes.filter((write) => write.table !== 'entry'),
          answer,
        })),
    }),
  },
  {
    name: 'tops up the account of somebody else',
    caughtBy: 'touches_only_its_own',
    put: (real) => ({
      deposit: (command) =>
        real.deposit(
          command.reference === 'd1' ? { ...command, accountId: command.accountId === 'a1' ? 'a2' : 'a1' } : command,
        ),
    }),
  },
];
