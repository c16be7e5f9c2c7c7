import type { ResourceState } from '@tollgate/contract';

/** The states that these clients wait in; another word is a state in which they need not ask again. */
const waiting: ReadonlySet<ResourceState> = new Set(['preparing', 'reserved', 'processing', 'cancelling', 'settling']);

/** The state of an interaction in the words of Google's clients. What was cancelled is a failure in the contract, with this code. */
export const interactionState = (state: ResourceState, errorCode: string | null): string => {
  if (waiting.has(state)) return 'in_progress';
  return state === 'failed' && errorCode === 'cancelled' ? 'cancelled' : state;
};
