import { listRowsMax } from '@tollgate/storage';
import { settleCommand } from '../conclude.ts';
import { decideDeposit, depositKeys, type DepositAnswer } from '../decisions/deposit.ts';
import type { Engine } from '../engine.ts';
import { microsMax } from '../micros.ts';

export interface DepositInput {
  readonly accountId: string;
  readonly amountMicros: bigint;
  /** Unique in the account: repeating it with the same amount changes nothing. */
  readonly reference: string;
}

export interface CompensationInput extends DepositInput {
  readonly operationId?: string;
}

const referenceCharsMax = 200;

const checkReference = (reference: string): void => {
  if (reference === '' || reference.length > referenceCharsMax)
    throw new RangeError(`a reference has 1 to ${referenceCharsMax} characters`);
};

/**
 * Settles what was waiting for balance, oldest claims first; what still does not fit goes on waiting. A host that keeps the
 * wallet calls it after a deposit of its own. Answers how many were settled.
 */
export const settlePending = async (engine: Engine, accountId: string): Promise<number> => {
  const waiting = await engine.storage.list('pendingOperationsByAccount', { of: accountId, limit: listRowsMax });
  let settled = 0;
  for (const operation of waiting.toReversed()) {
    const command = settleCommand(engine, operation, operation.pendingMicros ?? 0n, null);
    const answer = await engine.money.settle(command);
    if (answer.kind === 'settled') settled += 1;
  }
  return settled;
};

/** The wallet in the storage is not in use where the host keeps its own: credits put there would be lost. */
const refuseWithHostLedger = (engine: Engine): void => {
  if (engine.hostLedger !== null) throw new Error('the host keeps the wallet: deposit there, then call settlePending');
};

/** Tops up an account; pending settlements of the account are tried at once (ledger:overrun:resolves). */
export const deposit = async (engine: Engine, input: DepositInput): Promise<DepositAnswer> => {
  refuseWithHostLedger(engine);
  checkReference(input.reference);
  if (input.amountMicros <= 0n || input.amountMicros > microsMax)
    throw new RangeError('a deposit is above 0 and at most 1,000,000,000 credits');
  const command = { ...input, kind: 'deposit' as const, operationId: null };
  const answer = await engine.storage.transact(depositKeys(command), decideDeposit(command));
  if (answer.kind === 'done') await settlePending(engine, input.accountId);
  return answer;
};

/** Corrects an account by an opposite entry; a negative amount takes free balance only. */
export const compensate = async (engine: Engine, input: CompensationInput): Promise<DepositAnswer> => {
  refuseWithHostLedger(engine);
  checkReference(input.reference);
  if (input.amountMicros === 0n || input.amountMicros > microsMax || input.amountMicros < -microsMax)
    throw new RangeError('a compensation is not 0 and at most 1,000,000,000 credits either way');
  const command = { ...input, kind: 'compensation' as const, operationId: input.operationId ?? null };
  const answer = await engine.storage.transact(depositKeys(command), decideDeposit(command));
  if (answer.kind === 'done' && input.amountMicros > 0n) await settlePending(engine, input.accountId);
  return answer;
};
