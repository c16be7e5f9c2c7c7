import { availableMicros, walletWithEntry } from '../../../packages/engine/src/decisions/wallet.ts';
import { amend, blur, rewrite, without, type Fault } from './fault.ts';

export const settleFaults: readonly Fault[] = [
  {
    name: 'debits a second settlement again',
    caughtBy: 'refused_changes_nothing',
    put: (real) => ({
      settle: (command) =>
        amend(real.settle(command), (decision, records, nowMs) => {
          const wallet = records.get('wallet', command.accountId);
          const { answer } = decision;
          if (answer.kind !== 'ended' || answer.operation.state !== 'completed' || wallet === undefined)
            return decision;
          if (command.measuredMicros > availableMicros(wallet)) return decision;
          const poorer = {
            ...wallet,
            balanceMicros: wallet.balanceMicros - command.measuredMicros,
            seq: wallet.seq + 1,
          };
          const { writes } = walletWithEntry(poorer, {
            kind: 'debit',
            amountMicros: -command.measuredMicros,
            operationId: command.operationId,
            tariffVersion: 't1',
            reference: null,
            keyId: null,
            model: null,
            createdAtMs: nowMs,
          });
          return { writes, answer };
        }),
    }),
  },
  {
    name: 'keeps the balance before a debit with the debit',
    caughtBy: 'entries_carry_balance',
    put: (real) => ({
      settle: (command) =>
        amend(real.settle(command), ({ writes, answer }) => ({
          writes: writes.map((write) =>
            write.kind === 'append' && write.table === 'entry'
              ? {
                  ...write,
                  record: { ...write.record, balanceMicros: write.record.balanceMicros - write.record.amountMicros },
                }
              : write,
          ),
          answer,
        })),
    }),
  },
  {
    name: 'writes the debit twice',
    caughtBy: 'one_debit_without_captures',
    put: (real) => ({
      settle: (command) =>
        amend(real.settle(command), (decision) => {
          const entry = decision.writes.find((write) => write.table === 'entry');
          if (entry?.kind !== 'append' || entry.table !== 'entry') return decision;
          const seq = entry.record.seq + 1;
          const record = { ...entry.record, seq, id: `${entry.record.accountId}:${seq}`, amountMicros: 0n };
          const writes = rewrite(decision.writes, 'wallet', (wallet) => ({ ...wallet, entrySeq: seq }));
          return { writes: [...writes, { kind: 'append', table: 'entry', record }], answer: decision.answer };
        }),
    }),
  },
  {
    name: 'lets an overrun take what others have reserved',
    caughtBy: 'reserved_within_balance',
    put: (real) => ({
      settle: (command) =>
        amend(real.settle(command), (decision, records) => {
          const wallet = records.get('wallet', command.accountId);
          const operation = records.get('operation', command.operationId);
          if (decision.answer.kind !== 'pending' || wallet === undefined || operation === undefined) return decision;
          const due = command.measuredMicros - operation.chargedMicros;
          if (due > wallet.balanceMicros) return decision;
          const poorer = {
            ...wallet,
            balanceMicros: wallet.balanceMicros - due,
            reservedMicros: wallet.reservedMicros - operation.holdMicros,
            seq: wallet.seq + 1,
          };
          return { ...decision, writes: [...decision.writes, { kind: 'put', table: 'wallet', record: poorer }] };
        }),
    }),
  },
  {
    name: 'lets the balance go below zero',
    caughtBy: 'reserved_within_balance',
    seenAt: 'one-api #2440: quota = quota - ?',
    put: (real) => ({
      settle: (command) =>
        amend(real.settle(command), (decision, records) => {
          const wallet = records.get('wallet', command.accountId);
          if (decision.answer.kind !== 'pending' || wallet === undefined) return decision;
          const poorer = {
            ...wallet,
            balanceMicros: wallet.balanceMicros - command.measuredMicros,
            seq: wallet.seq + 1,
          };
          return { ...decision, writes: [...decision.writes, { kind: 'put', table: 'wallet', record: poorer }] };
        }),
    }),
  },
  {
    name: 'does not free the hold when it settles',
    caughtBy: 'no_hold_on_ended',
    put: (real) => ({
      settle: (command) =>
        amend(real.settle(command), ({ writes, answer }, records) => {
          const hold = records.get('operation', command.operationId)?.holdMicros ?? 0n;
          return {
            writes: rewrite(writes, 'operation', (operation) => ({ ...operation, holdMicros: hold })),
            answer,
          };
        }),
    }),
  },
  {
    name: 'keeps the surplus reserved',
    caughtBy: 'holds_sum_to_reserved',
    seenAt: 'LiteLLM #27639, #30522, #40050: reservation leaked, phantom 429',
    put: (real) => ({
      settle: (command) =>
        amend(real.settle(command), ({ writes, answer }, records) => {
          const hold = records.get('operation', command.operationId)?.holdMicros ?? 0n;
          const surplus = hold > command.measuredMicros ? hold - command.measuredMicros : 0n;
          return {
            writes: rewrite(writes, 'wallet', (wallet) => ({
              ...wallet,
              reservedMicros: wallet.reservedMicros + surplus,
            })),
            answer,
          };
        }),
    }),
  },
  {
    name: 'charges the estimate instead of the measure',
    caughtBy: 'records_as_the_model',
    put: (real) => ({
      settle: (command) => ({
        ...real.settle(command),
        decide: (records, nowMs) => {
          const hold = records.get('operation', command.operationId)?.holdMicros ?? 0n;
          const measuredMicros = hold > command.measuredMicros ? hold : command.measuredMicros;
          return real.settle({ ...command, measuredMicros }).decide(records, nowMs);
        },
      }),
    }),
  },
  {
    name: 'settles without an entry',
    caughtBy: 'debits_match_charge',
    seenAt: 'LiteLLM #33872: spend popped before it is written',
    put: (real) => ({
      settle: (command) =>
        amend(real.settle(command), ({ writes, answer }) => ({
          writes: without(writes, (write) => write.table === 'entry'),
          answer,
        })),
    }),
  },
  {
    name: 'leaves a gap in the numbers of entries',
    caughtBy: 'entries_gap_free',
    put: (real) => ({
      settle: (command) =>
        amend(real.settle(command), ({ writes, answer }) => ({
          writes: rewrite(writes, 'entry', (entry) => ({
            ...entry,
            seq: entry.seq + 1,
            id: `${entry.accountId}:${entry.seq + 1}`,
          })),
          answer,
        })),
    }),
  },
  {
    name: 'gives an entry the name of an earlier one',
    caughtBy: 'appended_once',
    put: (real) => ({
      settle: (command) =>
        amend(real.settle(command), ({ writes, answer }) => ({
          writes: rewrite(writes, 'entry', (entry) => ({ ...entry, id: `${entry.accountId}:1` })),
          answer,
        })),
    }),
  },
  {
    name: 'says it charged what it did not debit',
    caughtBy: 'debits_match_charge',
    put: (real) => ({
      settle: (command) =>
        amend(real.settle(command), ({ writes, answer }) => ({
          writes: rewrite(writes, 'operation', (operation) =>
            operation.state === 'completed' ? { ...operation, chargedMicros: operation.chargedMicros + 1n } : operation,
          ),
          answer,
        })),
    }),
  },
  {
    name: 'changes the wallet without counting it',
    caughtBy: 'every_change_has_its_seq',
    put: (real) => ({
      settle: (command) =>
        amend(real.settle(command), ({ writes, answer }) => ({
          writes: rewrite(writes, 'wallet', (wallet) => ({ ...wallet, seq: wallet.seq - 1 })),
          answer,
        })),
    }),
  },
  {
    name: 'debits a settlement that comes after the failure',
    caughtBy: 'legal_moves_only',
    put: (real) => ({
      settle: (command) =>
        blur(real.settle(command), 'operation', (operation) =>
          operation?.state === 'failed' ? { ...operation, state: 'uncertain', endedAtMs: null } : operation,
        ),
    }),
  },
  {
    name: 'settles a completed operation once more',
    caughtBy: 'no_throw',
    put: (real) => ({
      settle: (command) => blur(real.settle(command), 'operation', (seen) => seen && { ...seen, endedAtMs: null }),
    }),
  },
  {
    name: 'keeps no record of a settlement that came too late',
    caughtBy: 'records_as_the_model',
    put: (real) => ({
      settle: (command) =>
        amend(real.settle(command), ({ writes, answer }) => ({
          writes: without(writes, (write) => write.table === 'anomaly'),
          answer,
        })),
    }),
  },
  {
    name: 'refuses the truth about an uncertain operation',
    caughtBy: 'answers_as_the_model',
    put: (real) => ({
      settle: (command) =>
        amend(real.settle(command), (decision, records) => {
          const operation = records.get('operation', command.operationId);
          return operation?.state === 'uncertain' && operation.pendingMicros === null
            ? { writes: [], answer: { kind: 'ended', operation } }
            : decision;
        }),
    }),
  },
  {
    name: 'loses the answer while settlement is pending',
    caughtBy: 'answer_stored_as_told',
    put: (real) => ({
      settle: (command) =>
        amend(real.settle(command), ({ writes, answer }) => ({
          writes: answer.kind === 'pending' ? without(writes, (write) => write.table === 'answer') : writes,
          answer,
        })),
    }),
  },
  {
    name: 'frees the hold while settlement is pending',
    caughtBy: 'hold_kept_until_the_end',
    seenAt: 'LiteLLM #30039: reconcile error deletes the counter',
    put: (real) => ({
      settle: (command) =>
        amend(real.settle(command), ({ writes, answer }) => ({
          writes:
            answer.kind === 'pending'
              ? rewrite(writes, 'operation', (operation) => ({ ...operation, holdMicros: 0n }))
              : writes,
          answer,
        })),
    }),
  },
  {
    name: 'gives away what is below a micro-credit',
    caughtBy: 'records_as_the_model',
    put: (real) => ({ settle: (command) => real.settle({ ...command, fractionPicos: 0 }) }),
  },
  {
    name: 'rounds each charge by itself',
    caughtBy: 'records_as_the_model',
    put: (real) => ({
      settle: ({ fractionPicos = 0, ...command }) =>
        real.settle({
          ...command,
          measuredMicros: command.measuredMicros + (fractionPicos >= 500_000 ? 1n : 0n),
        }),
    }),
  },
  {
    name: 'carries to the next operation what it has debited',
    caughtBy: 'remainder_is_carried',
    put: (real) => ({
      settle: (command) =>
        amend(real.settle(command), ({ writes, answer }, records) => {
          const carried = records.get('wallet', command.accountId)?.remainderPicos ?? 0;
          const next = carried + (command.fractionPicos ?? 0);
          return { writes: rewrite(writes, 'wallet', (wallet) => ({ ...wallet, remainderPicos: next })), answer };
        }),
    }),
  },
  {
    name: 'does not debit what was carried',
    caughtBy: 'records_as_the_model',
    put: (real) => ({
      settle: (command) => blur(real.settle(command), 'wallet', (seen) => seen && { ...seen, remainderPicos: 0 }),
    }),
  },
  {
    name: 'forgets what waits beside a pending settlement',
    caughtBy: 'records_as_the_model',
    put: (real) => ({
      settle: (command) => real.settle(command.isFixed === true ? { ...command, fractionPicos: 0 } : command),
    }),
  },
  {
    name: 'absorbs an overrun that the host wants paid',
    caughtBy: 'answers_as_the_model',
    put: (real) => ({ settle: (command) => real.settle({ ...command, overrun: 'absorb' }) }),
  },
  {
    name: 'books nothing when the client is gone',
    caughtBy: 'records_as_the_model',
    seenAt: 'LiteLLM #13245, #37558: client gone, usage not booked',
    put: (real) => ({
      settle: (command) =>
        real.settle(command.evidence?.answer === null ? { ...command, measuredMicros: 0n } : command),
    }),
  },
  {
    name: 'charges captured parts once more in the end',
    caughtBy: 'records_as_the_model',
    put: (real) => ({
      settle: (command) => ({
        ...real.settle(command),
        decide: (records, nowMs) => {
          const captured = records.get('operation', command.operationId)?.chargedMicros ?? 0n;
          return real.settle({ ...command, measuredMicros: command.measuredMicros + captured }).decide(records, nowMs);
        },
      }),
    }),
  },
];
