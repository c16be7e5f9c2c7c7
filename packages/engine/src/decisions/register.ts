import type { OperationRecord } from '@tollgate/storage';
import {
  holdWithinCaps,
  open,
  preparedOperation,
  refuseOpen,
  registerWrites,
  type OpenAnswer,
  type OpenCommand,
  type SpendElsewhere,
} from './open.ts';
import type { Step } from './step.ts';

export type RegisterAnswer =
  | Exclude<OpenAnswer, { readonly kind: 'started' } | { readonly kind: 'insufficient' }>
  | { readonly kind: 'prepared'; readonly operation: OperationRecord };

/**
 * Claims the identity and registers the operation as `preparing`; nothing is reserved yet. Where the caller has a cap, the hold counts
 * within it from here on: the host's ledger is asked afterwards.
 */
export const register = (command: OpenCommand): Step<RegisterAnswer | SpendElsewhere> => ({
  keys: open(command).keys.filter((key) => key.table !== 'wallet'),
  decide: (records, nowMs) => {
    const refusal = refuseOpen(records, command, nowMs);
    if (refusal?.kind === 'ours') return { writes: [], answer: answerOurs(refusal.operation) };
    if (refusal !== null) return { writes: [], answer: refusal };
    const spend = holdWithinCaps(records, command, nowMs);
    if (spend.kind !== 'reserved') return { writes: [], answer: spend };
    const prepared = preparedOperation(command, nowMs);
    const { spends } = spend;
    const operation = spends === null ? prepared : { ...prepared, spends, holdMicros: command.holdMicros };
    return {
      writes: [...registerWrites(records, command, operation, nowMs), ...spend.writes],
      answer: { kind: 'prepared', operation },
    };
  },
});

const answerOurs = (operation: OperationRecord): RegisterAnswer =>
  operation.state === 'preparing' ? { kind: 'prepared', operation } : { kind: 'known', operationId: operation.id };
