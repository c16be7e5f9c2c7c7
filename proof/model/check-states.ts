import { resourceState, statesByKind, type ResourceState } from '@tollgate/contract';
import { slotsOf, type ObservedStep } from './observed-step.ts';
import type { Slot } from './slot.ts';
import { found, type Found } from './violation.ts';

const over: ReadonlySet<ResourceState> = new Set(['failed', 'expired', 'deleted']);

/** What a client would be shown of a slot, after a step was applied. */
const checkShown = ({ map }: ObservedStep, { operationId, kind }: Slot): Found => {
  const operation = map.records.get('operation', operationId);
  if (operation === undefined || kind === undefined) return null;
  const resource = map.records.get('resource', operationId);
  const shown: ResourceState =
    resource === undefined ? operation.state : resourceState(resource.availability, operation.state);
  const states: readonly ResourceState[] = statesByKind[kind];
  if (!states.includes(shown)) return found('states_of_the_kind', `the ${kind} ${operationId} shows ${shown}`);
  return operation.state === 'failed' && !over.has(shown)
    ? found('ended_shows_its_end', `${operationId} has failed and shows ${shown}`)
    : null;
};

/** Looks at what clients are shown of everything that a step has touched. */
export const checkStates = (step: ObservedStep): Found => {
  for (const slot of slotsOf(step.command.body)) {
    const wrong = checkShown(step, slot);
    if (wrong !== null) return wrong;
  }
  return null;
};
