import { canMove, type OperationState } from '@tollgate/contract';
import type { OperationRecord } from '@tollgate/storage';

// requests:move:no-others
/**
 * Takes an operation through states in one step, each move checked against the transition table: an illegal move is a
 * defect and throws.
 */
export const moveThrough = (
  operation: OperationRecord,
  states: readonly [OperationState, ...OperationState[]],
  change: Partial<OperationRecord>,
): OperationRecord => {
  let state = operation.state;
  for (const next of states) {
    if (!canMove(state, next)) throw new Error(`illegal move from ${state} to ${next}`);
    state = next;
  }
  return { ...operation, ...change, state };
};
