import { canMove, operationStates, type OperationState } from '@tollgate/contract';

const reachable = (from: OperationState): ReadonlySet<OperationState> => {
  const found = new Set<OperationState>([from]);
  for (const state of found) for (const next of operationStates) if (canMove(state, next)) found.add(next);
  return found;
};

/** Where a state may be after one step, which may pass through several. */
export const afterOneStep: ReadonlyMap<OperationState, ReadonlySet<OperationState>> = new Map(
  operationStates.map((state) => [state, reachable(state)]),
);
