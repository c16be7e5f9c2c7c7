import type { ErrorCode } from '@tollgate/contract';
import type { OperationRecord } from '@tollgate/storage';
import { readAnswer } from './answers.ts';
import { refuseUnfinished } from '../decisions/refuse-unfinished.ts';
import type { Engine } from '../engine.ts';
import type { OperationOutcome } from './operation-plan.ts';
import { whyUncertain } from '../decisions/why-uncertain.ts';

export const refusedOutcome = (
  code: ErrorCode,
  requestId: string | null,
  retryAfterMs: number | null = null,
): OperationOutcome => ({ kind: 'refused', code, requestId, retryAfterMs });

/** What its client gets of an operation that is measured and waits for balance. */
export const unpaidOutcome = (requestId: string): OperationOutcome => ({
  kind: 'refused',
  code: 'settlement_pending',
  requestId,
  retryAfterMs: null,
  detail:
    'The consumption is confirmed, and the credits of the account do not cover it; query the request by its id after a deposit.',
});

// G14, G58
/** What a repeat of a synchronous request gets: the stored answer, or why there is none. It never executes. */
export const replayOperation = async (engine: Engine, operation: OperationRecord): Promise<OperationOutcome> => {
  const code = refuseUnfinished(operation.state);
  if (whyUncertain(operation)?.kind === 'waits_for_balance') return unpaidOutcome(operation.id);
  if (code !== null) return refusedOutcome(code, operation.id);
  const answer = await readAnswer(engine, operation);
  return answer === null
    ? refusedOutcome('result_expired', operation.id)
    : { kind: 'completed', operation, ...answer, replayed: true };
};

/** The operation an identity stands for, as it is now. */
export const replayKnown = async (engine: Engine, operationId: string): Promise<OperationOutcome> => {
  const records = await engine.storage.read([{ table: 'operation', id: operationId }]);
  const operation = records.get('operation', operationId);
  // Gone between the two looks: it was refused before it was registered, or retention took it.
  return operation === undefined ? refusedOutcome('request_in_progress', null) : replayOperation(engine, operation);
};
