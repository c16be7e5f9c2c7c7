import { runHistory, type HistoryInput, type HistoryReport } from './history.ts';
import { runSeeds, type SeedsInput, type SeedsReport } from './run-seeds.ts';
import { createSimulatedStore } from './store.ts';
import { shippingEngine, type Subject } from './subject.ts';
import type { WorldSetup } from './world.ts';

export interface RunInput extends SeedsInput {
  readonly subject?: Subject;
  readonly openStorage?: HistoryInput['openStorage'];
  readonly setup?: Partial<WorldSetup>;
}

export type RunReport = SeedsReport<HistoryReport>;

/** Lives so many histories, with the seeds from `seed` on. */
export const runHistories = (input: RunInput): Promise<RunReport> => {
  const { subject = shippingEngine, openStorage = createSimulatedStore, setup = {} } = input;
  return runSeeds(input, (seed, lockstep) => runHistory({ seed, subject, lockstep, openStorage, setup }));
};
