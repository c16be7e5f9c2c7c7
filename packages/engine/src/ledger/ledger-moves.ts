import type { CreditLedger, IdempotencyStore } from '@tollgate/storage';
import { makeMove, type MoveAnswer, type MoveCommand } from '../decisions/host-moves.ts';
import type { Running } from '../engine.ts';
import type { EngineLimits } from '../engine-limits.ts';
import { commit } from '../operations/persist.ts';
import type { StepStorage } from '../webhooks/notify-of-events.ts';

export interface ExternalLedgerOptions {
  readonly storage: StepStorage;
  readonly ledger: CreditLedger;
  /** Null where the host keeps no identities. */
  readonly identities: IdempotencyStore | null;
  readonly running: Pick<Running, 'whilePreparing'>;
  readonly limits: Pick<EngineLimits, 'persistTriesMax' | 'persistPauseMs' | 'leaseMs'>;
  readonly clock: { readonly sleep: (ms: number) => Promise<void> };
}

/** Makes one move of an operation durable, between two commands to the ledger. */
export const commitMove = (
  context: ExternalLedgerOptions,
  operation: Pick<
    MoveCommand,
    'operationId' | 'accountId' | 'hasResource' | 'outboxEvent' | 'hostEvents' | 'countedIn' | 'spends'
  >,
  move: MoveCommand['move'],
): Promise<MoveAnswer> => {
  const { operationId, accountId, hasResource, outboxEvent, hostEvents, countedIn, spends } = operation;
  const command: MoveCommand = {
    operationId,
    accountId,
    move,
    ...(hasResource === true ? { hasResource } : {}),
    outboxEvent,
    hostEvents,
    countedIn,
    spends,
  };
  return commit(context, makeMove(command));
};
