import type { OperationRecord } from '@tollgate/storage';
import { open, preparedOperation, refuseOpen, registerWrites, type OpenAnswer, type OpenCommand } from './open.ts';
import type { Step } from './step.ts';

export type RegisterAnswer =
  | Exclude<OpenAnswer, { readonly kind: 'started' } | { readonly kind: 'insufficient' }>
  | { readonly kind: 'prepared'; readonly operation: OperationRecord };

/** Claims the identity and registers the operation as `preparing`; nothing is reserved yet. */
export const register = (command: OpenCommand): Step<RegisterAnswer> => ({
  keys: open(command).keys.filter((key) => key.table !== 'wallet'),
  decide: (records, nowMs) => {
    const refusal = refuseOpen(records, command, nowMs);
    if (refusal?.kind === 'ours') return { writes: [], answer: answerOurs(refusal.operation) };
    if (refusal !== null) return { writes: [], answer: refusal };
    const operation = preparedOperation(command, nowMs);
    return { writes: registerWrites(records, command, operation, nowMs), answer: { kind: 'prepared', operation } };
  },
});

const answerOurs = (operation: OperationRecord): RegisterAnswer =>
  operation.state === 'preparing' ? { kind: 'prepared', operation } : { kind: 'known', operationId: operation.id };
