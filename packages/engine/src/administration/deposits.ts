import { listRowsMax } from '@tollgate/storage';
import { hostEventsOf, settleCommand } from '../operations/conclude.ts';
import type { Shortfall } from '../decisions/funds.ts';
import { fixedMeasure, pendingMeasure } from '../decisions/carry.ts';
import { depositStep, type DepositAnswer } from '../decisions/deposit.ts';
import type { Engine } from '../engine.ts';
import { commitOnce } from '../operations/persist.ts';

/** Credits that are added to an account. */
export interface DepositInput {
  readonly accountId: string;
  readonly amountMicros: bigint;
  /** Unique in the account: repeating it with the same amount changes nothing. */
  readonly reference: string;
}

/** A correction of the balance of an account. */
export interface CompensationInput extends DepositInput {
  /**
   * The operation that is corrected. It must belong to the account where its record still exists; an id without a record is taken, since
   * records end with their retention. The amount is yours: nothing compares it with what the operation was charged.
   */
  readonly operationId?: string | undefined;
  /**
   * What becomes of a negative amount that the free balance does not cover: refused as a whole (the default), owed by the account
   * or borne by the host. A balance is never negative.
   */
  readonly shortfall?: Shortfall | undefined;
}

/**
 * Settles what was waiting for balance, oldest claims first; what still does not fit goes on waiting. A host that keeps the
 * wallet calls it after a deposit of its own. Returns how many were settled.
 */
export const settlePending = async (engine: Engine, accountId: string): Promise<number> => {
  const waiting = await engine.storage.list('pendingOperationsByAccount', { of: accountId, limit: listRowsMax });
  let settled = 0;
  for (const operation of waiting.toReversed()) {
    const command = settleCommand(engine, operation, pendingMeasure(operation) ?? fixedMeasure(0n), null);
    const answer = await engine.operationLedger.settle(command);
    if (answer.kind === 'settled') settled += 1;
  }
  return settled;
};

/** The wallet in the storage is not in use where the host keeps its own: credits put there would be lost. */
export const refuseWithHostLedger = (engine: Engine): void => {
  if (engine.host.ledger !== null) throw new Error('the host keeps the wallet: deposit there, then call settlePending');
};

// ledger:overrun:resolves
/** Tops up an account; pending settlements of the account are tried at once. */
export const deposit = async (engine: Engine, input: DepositInput): Promise<DepositAnswer> => {
  refuseWithHostLedger(engine);
  const command = { ...input, kind: 'deposit' as const, operationId: null, hostEvents: hostEventsOf(engine) };
  const answer = await commitOnce(engine, depositStep(command));
  if (answer.kind === 'done') await settlePending(engine, input.accountId);
  return answer;
};

/** Corrects an account by an opposite entry; a negative amount takes free balance only, and `shortfall` says what of the rest. */
export const compensate = async (engine: Engine, input: CompensationInput): Promise<DepositAnswer> => {
  refuseWithHostLedger(engine);
  const command = {
    ...input,
    kind: 'compensation' as const,
    operationId: input.operationId ?? null,
    hostEvents: hostEventsOf(engine),
  };
  const answer = await commitOnce(engine, depositStep(command));
  if (answer.kind === 'done' && input.amountMicros > 0n) await settlePending(engine, input.accountId);
  return answer;
};
