import type {
  MarkUncertainAnswer,
  MarkUncertainCommand,
} from '../../../packages/engine/src/decisions/mark-uncertain.ts';
import type { Step } from '../../../packages/engine/src/decisions/step.ts';
import type { Decisions } from '../decisions.ts';
import { amend, blur, rewrite, without, type Fault } from './fault.ts';

/** Fails an operation where it should have been marked uncertain. */
const failInstead = (real: Decisions, command: MarkUncertainCommand): Step<MarkUncertainAnswer> => ({
  ...real.doubt(command),
  decide: (records, nowMs) => {
    const operation = records.get('operation', command.operationId);
    const markedUncertain = real.doubt(command).decide(records, nowMs);
    if (
      operation?.state !== 'processing' ||
      operation.chargedMicros > 0n ||
      markedUncertain.answer.kind !== 'uncertain'
    )
      return markedUncertain;
    const failed = real
      .fail({
        operationId: operation.id,
        accountId: operation.accountId,
        errorCode: 'service_unavailable',
        attempts: null,
        recordKeptMs: 1,
        anomalyId: 'a',
      })
      .decide(records, nowMs);
    return failed.answer.kind === 'failed'
      ? { writes: failed.writes, answer: { kind: 'uncertain', operation: failed.answer.operation } }
      : markedUncertain;
  },
});

export const endingFaults: readonly Fault[] = [
  {
    name: 'leaks the reservation of a failed operation',
    caughtBy: 'holds_sum_to_reserved',
    seenAt: 'LiteLLM #27639, #30522: reservation leaked on cancel',
    put: (real) => ({
      fail: (command) =>
        amend(real.fail(command), ({ writes, answer }, records) => {
          const hold = records.get('operation', command.operationId)?.holdMicros ?? 0n;
          return {
            writes: rewrite(writes, 'wallet', (wallet) => ({
              ...wallet,
              reservedMicros: wallet.reservedMicros + hold,
            })),
            answer,
          };
        }),
    }),
  },
  {
    name: 'fails without telling the wallet',
    caughtBy: 'holds_sum_to_reserved',
    put: (real) => ({
      fail: (command) =>
        amend(real.fail(command), ({ writes, answer }) => ({
          writes: without(writes, (write) => write.table === 'wallet'),
          answer,
        })),
    }),
  },
  {
    name: 'fails an operation of which a part was debited',
    caughtBy: 'no_debit_on_failed',
    put: (real) => ({
      fail: (command) =>
        blur(real.fail(command), 'operation', (operation) =>
          operation?.endedAtMs === null ? { ...operation, chargedMicros: 0n } : operation,
        ),
    }),
  },
  {
    name: 'keeps no record of a failure that came after the settlement',
    caughtBy: 'records_as_the_model',
    put: (real) => ({
      fail: (command) =>
        amend(real.fail(command), ({ writes, answer }) => ({
          writes: answer.kind === 'ended' ? [] : writes,
          answer,
        })),
    }),
  },
  {
    name: 'refunds on any error, also where the outcome is unknown',
    caughtBy: 'touches_only_its_own',
    seenAt: 'faratech/bsod-analyzer #77: refund on any error',
    put: (real) => ({ doubt: (command) => failInstead(real, command) }),
  },
  {
    name: 'frees an operation whose lease ran out, although it was started',
    caughtBy: 'touches_only_its_own',
    put: (real) => ({
      doubt: (command) => (command.expiredOwner === null ? real.doubt(command) : failInstead(real, command)),
    }),
  },
  {
    name: 'takes a network error for a failure',
    caughtBy: 'records_as_the_model',
    put: (real) => ({
      doubt: (command) =>
        amend(real.doubt(command), (decision, records, nowMs) => {
          const operation = records.get('operation', command.operationId);
          if (command.evidence?.answer !== null || operation?.state !== 'processing' || operation.holdMicros > 0n)
            return decision;
          const failed = { ...operation, state: 'failed' as const, owner: null, endedAtMs: nowMs };
          return {
            writes: [{ kind: 'put', table: 'operation', record: failed }],
            answer: { kind: 'uncertain', operation: failed },
          };
        }),
    }),
  },
  {
    name: 'drops the hold of an operation in doubt',
    caughtBy: 'hold_kept_until_the_end',
    put: (real) => ({
      doubt: (command) =>
        amend(real.doubt(command), ({ writes, answer }) => ({
          writes: rewrite(writes, 'operation', (operation) => ({ ...operation, holdMicros: 0n })),
          answer,
        })),
    }),
  },
  {
    name: 'doubts an operation whose lease was renewed meanwhile',
    caughtBy: 'works_on_its_own',
    put: (real) => ({ doubt: (command) => real.doubt({ ...command, expiredOwner: null }) }),
  },
  {
    name: 'tells a sweep that comes twice that the operation lives',
    caughtBy: 'repeating_tells_the_same',
    put: (real) => ({
      doubt: (command) =>
        amend(real.doubt(command), (decision, records) => {
          const { answer, writes } = decision;
          const before = records.get('operation', command.operationId);
          const again =
            answer.kind === 'uncertain' && command.expiredOwner !== null && before?.owner !== command.expiredOwner;
          return again ? { writes, answer: { kind: 'alive' } } : decision;
        }),
    }),
  },
  {
    name: 'brings an uncertain operation back to life with a renewal',
    caughtBy: 'legal_moves_only',
    put: (real) => ({
      renew: (command) =>
        blur(real.renew(command), 'operation', (operation) =>
          operation?.state === 'uncertain' ? { ...operation, state: 'processing' } : operation,
        ),
    }),
  },
  {
    name: 'removes the identity before the record',
    caughtBy: 'identity_lives_with_its_operation',
    put: (real) => ({
      purge: (command) =>
        amend(real.purge(command), ({ writes, answer }) => ({
          writes:
            answer === 'answer_purged' && command.operation.identity !== null
              ? [
                  ...writes,
                  {
                    kind: 'delete',
                    table: 'identity',
                    id: `${command.operation.projectId}:${command.operation.identity}`,
                  },
                ]
              : writes,
          answer,
        })),
    }),
  },
  {
    name: 'leaves the identity behind when the record goes',
    caughtBy: 'identity_lives_with_its_operation',
    put: (real) => ({
      purge: (command) =>
        amend(real.purge(command), ({ writes, answer }) => ({
          writes: without(writes, (write) => write.table === 'identity'),
          answer,
        })),
    }),
  },
  {
    name: 'forgets what a purged operation carried',
    caughtBy: 'remainder_is_carried',
    put: (real) => ({
      purge: (command) =>
        amend(real.purge(command), ({ writes, answer }) => ({
          writes: without(writes, (write) => write.table === 'wallet'),
          answer,
        })),
    }),
  },
  {
    name: 'purges an operation that has not ended',
    caughtBy: 'legal_moves_only',
    put: (real) => ({
      purge: (command) => ({
        ...real.purge(command),
        decide: (records, nowMs) => {
          if (records.get('operation', command.operation.id)?.state !== 'uncertain')
            return real.purge(command).decide(records, nowMs);
          const purge = real.purge({ ...command, recordKeptMs: 0 });
          return blur(purge, 'operation', (seen) => seen && { ...seen, endedAtMs: 1 }).decide(records, nowMs);
        },
      }),
    }),
  },
  {
    name: 'removes a record before its time',
    caughtBy: 'answers_as_the_model',
    put: (real) => ({ purge: (command) => real.purge({ ...command, recordKeptMs: 1 }) }),
  },
  {
    name: 'purges the answer but says that it is stored',
    caughtBy: 'answer_stored_as_told',
    put: (real) => ({
      purge: (command) =>
        amend(real.purge(command), ({ writes, answer }) => ({
          writes: rewrite(writes, 'operation', (operation) =>
            operation.answer === 'purged' ? { ...operation, answer: 'stored' } : operation,
          ),
          answer,
        })),
    }),
  },
];
