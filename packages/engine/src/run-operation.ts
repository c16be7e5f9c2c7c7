import type { OperationRecord } from '@tollgate/storage';
import {
  collectEvidence,
  doubtOperation,
  failCommand,
  measuredMicros,
  notExecutedCode,
  settleCommand,
} from './conclude.ts';
import { useId } from './decisions/resource-draft.ts';
import type { SettleAnswer } from './decisions/settle.ts';
import type { Engine } from './engine.ts';
import { executePlan, type Execution } from './execute.ts';
import { refusedOutcome, replayKnown, replayOperation } from './known-operation.ts';
import { openOperation } from './open-operation.ts';
import type { OperationOutcome, OperationPlan } from './operation-plan.ts';
import { toldOfRefusal } from './refused-opening.ts';

/**
 * The life of a synchronous operation, all of its branching: open, run the provider once, settle, answer. Works on after the
 * client has left; the outcome can be recovered by identity or id.
 */
export const runOperation = async <R>(engine: Engine, plan: OperationPlan<R>): Promise<OperationOutcome> => {
  const opened = await openOperation(engine, plan);
  switch (opened.kind) {
    case 'refused':
    case 'insufficient':
    case 'conflict':
      return { ...toldOfRefusal(opened), retryAfterMs: null };
    case 'known':
      return replayKnown(engine, opened.operationId);
    case 'started':
      return runStarted(engine, plan, opened.operation);
  }
};

const runStarted = async <R>(
  engine: Engine,
  plan: OperationPlan<R>,
  operation: OperationRecord,
): Promise<OperationOutcome> => {
  engine.running.add(operation.id, engine.owner);
  try {
    return await concludeExecution(engine, plan, operation, await executePlan(engine, plan, operation));
  } catch (cause) {
    // The storage could not confirm the end: the lease runs out, and the operation becomes uncertain unless it was decided.
    engine.logger.error('the end of an operation could not be stored', { operationId: operation.id, cause });
    return refusedOutcome('request_failed', operation.id);
  } finally {
    engine.running.delete(operation.id);
  }
};

const concludeExecution = async <R>(
  engine: Engine,
  plan: OperationPlan<R>,
  operation: OperationRecord,
  execution: Execution,
): Promise<OperationOutcome> => {
  switch (execution.kind) {
    case 'answered':
      return settleAnswer(engine, plan, operation, execution);
    case 'not_executed': {
      const code = notExecutedCode(execution.error.reason);
      // A client that left in time is nobody's fault, and says nothing about the upstream.
      if (code === 'request_cancelled') engine.logger.info('not executed', { operationId: operation.id, code });
      else engine.logger.warn('not executed', { operationId: operation.id, code, cause: execution.error });
      await engine.money.fail(failCommand(engine, operation, code, execution.attempts));
      return refusedOutcome(code, operation.id, execution.error.retryAfterMs ?? null);
    }
    case 'unknown': {
      engine.logger.error('outcome unknown', { operationId: operation.id, cause: execution.cause });
      const evidence = { usage: null, attempts: execution.attempts, answer: null, toolContexts: [] };
      await doubtOperation(engine, operation, evidence);
      return refusedOutcome('request_failed', operation.id);
    }
  }
};

const settleAnswer = async <R>(
  engine: Engine,
  plan: Pick<OperationPlan<R>, 'uses'>,
  operation: OperationRecord,
  execution: Extract<Execution, { readonly kind: 'answered' }>,
): Promise<OperationOutcome> => {
  const micros = measuredMicros(engine, operation, execution.usage);
  const evidence = await collectEvidence(engine, operation, execution);
  if (micros === null) {
    engine.logger.error('consumption unknown', { operationId: operation.id });
    await doubtOperation(engine, operation, { ...evidence, usage: null });
    return refusedOutcome('request_failed', operation.id);
  }
  const uses = (plan.uses ?? []).map(({ id }) => useId(id, operation.id));
  const settled = await engine.money.settle({ ...settleCommand(engine, operation, micros, evidence), uses });
  return outcomeOfSettle(engine, settled, execution.answer.body, operation.id);
};

const outcomeOfSettle = async (
  engine: Engine,
  settled: SettleAnswer,
  body: string,
  operationId: string,
): Promise<OperationOutcome> => {
  switch (settled.kind) {
    case 'settled':
      return { kind: 'completed', operation: settled.operation, body, replayed: false };
    case 'pending':
      return refusedOutcome('settlement_pending', operationId);
    case 'ended': {
      // Sent twice, or decided by an operator meanwhile: what is on record is what everybody is told.
      const outcome = await replayOperation(engine, settled.operation);
      return outcome.kind === 'completed'
        ? { ...outcome, replayed: false }
        : refusedOutcome('request_failed', operationId);
    }
    case 'missing':
      return refusedOutcome('request_failed', operationId);
  }
};
