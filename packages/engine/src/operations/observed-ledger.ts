import type { OperationRecord } from '@tollgate/storage';
import type { OpenCommand } from '../decisions/open.ts';
import type { SettleAnswer } from '../decisions/settle.ts';
import type { FailAnswer } from '../decisions/fail.ts';
import type { OperationLedger } from '../ledger/operation-ledger.ts';
import type { GuardedObservers } from '../ports/guard-observers.ts';
import type { ObservedEvent, ObservedOperation, OperationEnd } from '../ports/observer.ts';
import { callerOf } from './caller-of.ts';

/** An operation with nothing that its client or its upstream wrote. */
export const observedOperation = (operation: OperationRecord): ObservedOperation => ({
  id: operation.id,
  kind: operation.kind,
  model: operation.model,
  caller: callerOf(operation),
  holdMicros: operation.holdMicros,
  createdAtMs: operation.createdAtMs,
  trace: operation.trace,
});

const ended = (operation: OperationRecord, end: OperationEnd): ObservedEvent => ({
  kind: 'operation_ended',
  operationId: operation.id,
  operation: observedOperation(operation),
  end,
});

const settledEvent = (answer: SettleAnswer): ObservedEvent | null => {
  switch (answer.kind) {
    case 'settled': {
      const { operation } = answer;
      return ended(operation, {
        kind: 'settled',
        chargedMicros: operation.chargedMicros,
        usage: operation.usage ?? [],
      });
    }
    case 'pending':
      return ended(answer.operation, { kind: 'pending' });
    case 'ended':
    case 'missing':
      return null;
  }
};

const failedEvent = (answer: FailAnswer, code: string): ObservedEvent | null =>
  answer.kind === 'failed' ? ended(answer.operation, { kind: 'failed', code }) : null;

/** The money of an engine, each of whose moves is shown to an observer after it is durable; itself where no one observes. */
export const observedLedger = (
  { observe, traceOf }: Pick<GuardedObservers, 'observe' | 'traceOf'>,
  operationLedger: OperationLedger,
): OperationLedger => {
  if (observe === null) return operationLedger;
  const show = (event: ObservedEvent | null): void => {
    if (event !== null) observe(event);
  };
  return {
    ...operationLedger,
    open: async (command: OpenCommand) => {
      const requestId = command.requestId ?? null;
      const trace = requestId === null ? null : (traceOf?.(requestId) ?? null);
      const answer = await operationLedger.open(trace === null ? command : { ...command, trace });
      if (answer.kind === 'started')
        show({ kind: 'operation_opened', operation: observedOperation(answer.operation), requestId });
      else if (answer.kind === 'known')
        show({ kind: 'operation_replayed', operationId: answer.operationId, requestId });
      return answer;
    },
    settle: async (command) => {
      const answer = await operationLedger.settle(command);
      show(settledEvent(answer));
      return answer;
    },
    fail: async (command) => {
      const answer = await operationLedger.fail(command);
      show(failedEvent(answer, command.errorCode));
      return answer;
    },
  };
};
