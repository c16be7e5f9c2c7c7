import { workTheme } from '../work-theme.ts';
import { amend, blur, rewrite, without, type Fault } from './fault.ts';

const theme = workTheme;

/** Cancelling, and what becomes of a resource with its settlement. */
export const workFaults: readonly Fault[] = [
  {
    name: 'frees the hold of running work that is cancelled',
    theme,
    caughtBy: 'hold_kept_until_the_end',
    put: (real) => ({
      cancel: (command) =>
        amend(real.cancel(command), (decision, records) => {
          const wallet = records.get('wallet', command.accountId);
          const { answer } = decision;
          if (answer.kind !== 'cancelling' || wallet === undefined) return decision;
          const operation = { ...answer.operation, holdMicros: 0n };
          const reservedMicros = wallet.reservedMicros - answer.operation.holdMicros;
          return {
            writes: [
              { kind: 'put', table: 'wallet', record: { ...wallet, reservedMicros, seq: wallet.seq + 1 } },
              { kind: 'put', table: 'operation', record: operation },
            ],
            answer: { kind: 'cancelling', operation },
          };
        }),
    }),
  },
  {
    name: 'fails what runs when it is cancelled',
    theme,
    caughtBy: 'answers_as_the_model',
    put: (real) => ({
      cancel: (command) =>
        blur(real.cancel(command), 'operation', (seen) =>
          seen?.state === 'processing' ? { ...seen, state: 'reserved' } : seen,
        ),
    }),
  },
  {
    name: 'leaks the reservation of what is cancelled before it began',
    theme,
    caughtBy: 'holds_sum_to_reserved',
    put: (real) => ({
      cancel: (command) =>
        amend(real.cancel(command), ({ writes, answer }) => ({
          writes: without(writes, (write) => write.table === 'wallet'),
          answer,
        })),
    }),
  },
  {
    name: 'cancels what is in doubt',
    theme,
    caughtBy: 'legal_moves_only',
    put: (real) => ({
      cancel: (command) =>
        blur(real.cancel(command), 'operation', (seen) =>
          seen?.state === 'uncertain' ? { ...seen, state: 'processing' } : seen,
        ),
    }),
  },
  {
    name: 'lets cancelled work wait for its next look',
    theme,
    caughtBy: 'records_as_the_model',
    put: (real) => ({
      cancel: (command) =>
        amend(real.cancel(command), ({ writes, answer }, records) => {
          const dueAtMs = records.get('operation', command.operationId)?.dueAtMs ?? null;
          if (answer.kind !== 'cancelling') return { writes, answer };
          const operation = { ...answer.operation, dueAtMs };
          return { writes: rewrite(writes, 'operation', () => operation), answer: { ...answer, operation } };
        }),
    }),
  },
  {
    name: 'settles without closing the resource',
    theme,
    caughtBy: 'states_of_the_kind',
    put: (real) => ({
      settle: (command) =>
        amend(real.settle(command), ({ writes, answer }) => ({
          writes: without(writes, (write) => write.table === 'resource'),
          answer,
        })),
    }),
  },
  {
    name: 'forgets what is to become of the resource while the settlement waits',
    theme,
    caughtBy: 'records_as_the_model',
    put: (real) => ({
      settle: (command) =>
        amend(real.settle(command), ({ writes, answer }) => ({
          writes: answer.kind === 'pending' ? without(writes, (write) => write.table === 'resource') : writes,
          answer,
        })),
    }),
  },
  {
    name: 'closes a resource although its settlement waits',
    theme,
    caughtBy: 'records_as_the_model',
    put: (real) => ({
      settle: (command) =>
        amend(real.settle(command), ({ writes, answer }) => ({
          writes:
            answer.kind === 'pending'
              ? rewrite(writes, 'resource', (resource) => ({ ...resource, availability: 'expired' }))
              : writes,
          answer,
        })),
    }),
  },
  {
    name: 'forgets what is known of a resource in doubt',
    theme,
    caughtBy: 'records_as_the_model',
    put: (real) => ({
      doubt: (command) =>
        amend(real.doubt(command), ({ writes, answer }) => ({
          writes: without(writes, (write) => write.table === 'resource'),
          answer,
        })),
    }),
  },
  {
    name: 'shows as usable what has failed',
    theme,
    caughtBy: 'ended_shows_its_end',
    put: (real) => ({
      fail: (command) =>
        amend(real.fail(command), (decision, records) => {
          const resource = records.get('resource', command.operationId);
          if (decision.answer.kind !== 'failed' || resource === undefined) return decision;
          const record = { ...resource, availability: 'requires_action' as const };
          return { ...decision, writes: [...decision.writes, { kind: 'put', table: 'resource', record }] };
        }),
    }),
  },
  {
    name: 'leaves blobs that became the own of a resource to the sweep',
    theme,
    caughtBy: 'records_as_the_model',
    put: (real) => ({
      settle: (command) =>
        amend(real.settle(command), ({ writes, answer }) => ({
          writes: without(writes, (write) => write.kind === 'delete' && write.table === 'pendingBlob'),
          answer,
        })),
    }),
  },
];
