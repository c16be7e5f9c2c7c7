import type { FinalFacts } from './final-facts.ts';
import { report } from './stage.ts';
import type { World } from './world.ts';

/** What must hold beside everything else where nothing failed: work ends, and no client is asked to retry. */
export const checkCalm = (world: World, { operations, executionsOf }: FinalFacts): void => {
  for (const { tag, told } of world.requests)
    if (told.kind !== 'outcome')
      report(world, 'calm_work_ends', `${tag} got ${told.kind === 'broken' ? String(told.cause) : 'no answer'}`);
  for (const { id, state, pendingMicros } of operations.values()) {
    const script = executionsOf.get(id)?.[0]?.script;
    const measured = script?.kind === 'answers' && script.micros !== null;
    const certain = measured || script === undefined || script.kind === 'not_executed';
    if (state === 'uncertain' && certain && pendingMicros === null)
      report(world, 'calm_work_ends', `${id} is uncertain for no reason`);
  }
};
