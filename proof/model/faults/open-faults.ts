import type { WalletRecord } from '@tollgate/storage';
import { refuseAccess } from '../../../packages/engine/src/decisions/access.ts';
import {
  preparedOperation,
  type OpenAnswer,
  type OpenCommand,
  type SpendElsewhere,
} from '../../../packages/engine/src/decisions/open.ts';
import type { Step } from '../../../packages/engine/src/decisions/step.ts';
import { emptyWallet } from '../../../packages/engine/src/decisions/wallet.ts';
import type { Decisions } from '../decisions.ts';
import { amend, blur, rewrite, without, type Fault } from './fault.ts';

const started = (command: OpenCommand, nowMs: number) => ({
  ...preparedOperation(command, nowMs),
  state: 'processing' as const,
  holdMicros: command.holdMicros,
});

/** Opens what the engine found uncovered, where this says so. */
const openAnyway = (
  real: Decisions,
  command: OpenCommand,
  covers: (wallet: WalletRecord) => boolean,
): Step<OpenAnswer | SpendElsewhere> =>
  amend(real.open(command), (decision, records, nowMs) => {
    const wallet = records.get('wallet', command.accountId) ?? emptyWallet(command.accountId);
    if (decision.answer.kind !== 'insufficient' || !covers(wallet)) return decision;
    const reservedMicros = wallet.reservedMicros + command.holdMicros;
    const operation = started(command, nowMs);
    return {
      writes: [
        { kind: 'put', table: 'wallet', record: { ...wallet, reservedMicros, seq: wallet.seq + 1 } },
        { kind: 'put', table: 'operation', record: operation },
      ],
      answer: { kind: 'started', operation, walletSeq: wallet.seq + 1 },
    };
  });

export const openFaults: readonly Fault[] = [
  {
    name: 'opens without looking at the balance',
    caughtBy: 'reserved_within_balance',
    seenAt: 'one-api #2440, new-api #6609: unconditional deduction',
    put: (real) => ({ open: (command) => openAnyway(real, command, () => true) }),
  },
  {
    name: 'reserves again what others have reserved',
    caughtBy: 'reserved_within_balance',
    put: (real) => ({
      open: (command) => openAnyway(real, command, (wallet) => command.holdMicros <= wallet.balanceMicros),
    }),
  },
  {
    name: 'skips the reservation for trusted keys',
    caughtBy: 'records_as_the_model',
    seenAt: 'new-api #6609: trusted users skip the pre-deduction',
    put: (real) => ({
      open: (command) => real.open(command.keyId === 'k2' ? { ...command, holdMicros: 0n } : command),
    }),
  },
  {
    name: 'does not store the identity',
    caughtBy: 'identity_lives_with_its_operation',
    put: (real) => ({
      open: (command) =>
        amend(real.open(command), ({ writes, answer }) => ({
          writes: without(writes, (write) => write.table === 'identity'),
          answer,
        })),
    }),
  },
  {
    name: 'does not look for the identity',
    caughtBy: 'one_operation_an_identity',
    put: (real) => ({ open: (command) => blur(real.open(command), 'identity', () => undefined) }),
  },
  {
    name: 'ignores the fingerprint',
    caughtBy: 'answers_as_the_model',
    put: (real) => ({
      open: (command) =>
        amend(real.open(command), ({ writes, answer }) => ({
          writes,
          answer: answer.kind === 'conflict' ? { kind: 'known', operationId: answer.operationId } : answer,
        })),
    }),
  },
  {
    name: 'looks at the state before the fingerprint',
    caughtBy: 'answers_as_the_model',
    put: (real) => ({
      open: (command) =>
        amend(real.open(command), (decision, records) => {
          const { writes, answer } = decision;
          if (answer.kind !== 'conflict' || records.get('operation', command.operationId)?.endedAtMs === null)
            return decision;
          return { writes, answer: { kind: 'known', operationId: answer.operationId } };
        }),
    }),
  },
  {
    name: 'shares identities between projects',
    caughtBy: 'answers_as_the_model',
    put: (real) => ({
      open: (command) =>
        amend(real.open(command), (decision, records) => {
          if (decision.answer.kind !== 'started' || command.identity === null || command.projectId !== 'p2')
            return decision;
          // The one place where the other project's claim lies, if there is one: nothing declares it, so it throws in a batch.
          const claim = records.get('identity', `p1:${command.identity}`);
          return claim === undefined
            ? decision
            : { writes: [], answer: { kind: 'known', operationId: claim.operationId } };
        }),
    }),
  },
  {
    name: 'takes another request under the same id for its own',
    caughtBy: 'one_execution_an_operation',
    put: (real) => ({
      open: (command) =>
        amend(real.open(command), (decision, records) => {
          const operation = records.get('operation', command.operationId);
          return decision.answer.kind === 'known' && operation?.state === 'processing'
            ? {
                writes: [],
                answer: { kind: 'started', operation, walletSeq: records.get('wallet', command.accountId)?.seq ?? 0 },
              }
            : decision;
        }),
    }),
  },
  {
    name: 'opens again when a lost answer is asked for again',
    caughtBy: 'repeating_changes_nothing',
    put: (real) => ({
      open: (command) =>
        command.repeated
          ? blur(
              blur(real.open({ ...command, identity: null }), 'operation', () => undefined),
              'identity',
              () => undefined,
            )
          : real.open(command),
    }),
  },
  {
    name: 'admits a revoked key',
    caughtBy: 'answers_as_the_model',
    put: (real) => ({
      open: (command) => blur(real.open(command), 'apiKey', (key) => key && { ...key, status: 'active' }),
    }),
  },
  {
    name: 'admits a paused project',
    caughtBy: 'answers_as_the_model',
    put: (real) => ({
      open: (command) => blur(real.open(command), 'project', (project) => project && { ...project, status: 'active' }),
    }),
  },
  {
    name: 'looks at the identity before it looks at access',
    caughtBy: 'answers_as_the_model',
    put: (real) => ({
      open: (command) =>
        amend(real.open(command), (decision, records) => {
          if (refuseAccess(records, command, null) === null || command.identity === null) return decision;
          const claim = records.get('identity', `${command.projectId}:${command.identity}`);
          return claim === undefined
            ? decision
            : { writes: [], answer: { kind: 'known', operationId: claim.operationId } };
        }),
    }),
  },
  {
    name: 'registers what it refuses',
    caughtBy: 'refused_changes_nothing',
    put: (real) => ({
      open: (command) =>
        amend(real.open(command), ({ writes, answer }, _, nowMs) => ({
          writes:
            answer.kind === 'insufficient'
              ? [{ kind: 'put', table: 'operation', record: { ...started(command, nowMs), holdMicros: 0n } }]
              : writes,
          answer,
        })),
    }),
  },
  {
    name: 'refuses a replay for what refuses only a new operation',
    caughtBy: 'answers_as_the_model',
    put: (real) => ({
      open: (command) =>
        amend(real.open(command), (decision) =>
          decision.answer.kind === 'known' && command.refusal !== null
            ? { writes: [], answer: { kind: 'refused', code: command.refusal } }
            : decision,
        ),
    }),
  },
  {
    name: 'counts a reservation in floating point',
    caughtBy: 'amounts_are_whole_numbers',
    put: (real) => ({
      open: (command) =>
        amend(real.open(command), ({ writes, answer }) => ({
          // What a store without types would let through.
          writes: rewrite(writes, 'wallet', (wallet) => ({
            ...wallet,
            reservedMicros: (Number(wallet.reservedMicros) * 1.1) as never,
          })),
          answer,
        })),
    }),
  },
  {
    name: 'tells a wallet order that is one behind',
    caughtBy: 'answers_as_the_model',
    put: (real) => ({
      open: (command) =>
        amend(real.open(command), ({ writes, answer }) => ({
          writes,
          answer: answer.kind === 'started' ? { ...answer, walletSeq: answer.walletSeq - 1 } : answer,
        })),
    }),
  },
  {
    name: 'tells an operation that is not the one stored',
    caughtBy: 'tells_what_is_on_record',
    put: (real) => ({
      open: (command) =>
        amend(real.open(command), ({ writes, answer }) => ({
          writes: rewrite(writes, 'operation', (operation) => ({ ...operation })),
          answer,
        })),
    }),
  },
];
