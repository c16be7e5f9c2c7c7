import type { InteractionEnding } from '@tollgate/contract';
import type { JsonObject } from '@tollgate/provider';
import type { ResourceRecord } from '@tollgate/storage';
import type { Engine } from '../../engine.ts';
import { interactionWork, type InteractionOrder, type InteractionWork } from './interaction-work.ts';
import { readJson, type StoredJson } from './stored-json.ts';
import type { StoredStep } from './stored-step.ts';

/** How far an interaction is. Its steps only ever grow while it goes on. */
export interface InteractionView {
  /** Nothing of it was begun, it goes on, or it has ended with this. */
  readonly stage: 'asked' | 'working' | InteractionEnding;
  readonly steps: readonly StoredStep[];
}

type Stored = readonly [stage: InteractionView['stage'], steps: StoredJson<readonly StoredStep[]>];

const nothing: StoredJson<readonly StoredStep[]> = { kind: 'inline', value: [] };

const storedOf = (work: InteractionWork): Stored => {
  switch (work.phase) {
    case 'asked':
    case 'declaring':
      return ['asked', nothing];
    case 'submitting':
    case 'job':
      return ['working', nothing];
    case 'between':
    case 'hop':
    case 'tool':
      return ['working', work.progress.steps];
    case 'ended':
      return [work.ending, work.steps];
  }
};

/** How far an interaction is, by its record; null where its time is over. */
export const viewInteraction = async (engine: Engine, resource: ResourceRecord): Promise<InteractionView | null> => {
  const work = interactionWork(resource.work);
  if (work === null) return null;
  const [stage, steps] = storedOf(work);
  return { stage, steps: await readJson(engine, steps) };
};

const noteIn = (work: InteractionWork): InteractionOrder['note'] =>
  work.phase === 'ended' ? work.note : work.order.note;

/** What the route that opened an interaction keeps with it; null where it keeps nothing, or its time is over. */
export const interactionNote = async (engine: Engine, resource: ResourceRecord): Promise<JsonObject | null> => {
  const work = interactionWork(resource.work);
  const note = work === null ? undefined : noteIn(work);
  return note ? readJson(engine, note) : null;
};
