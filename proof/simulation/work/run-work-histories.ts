import { runSeeds, type SeedsInput, type SeedsReport } from '../run-seeds.ts';
import { createSimulatedStore } from '../store.ts';
import { runWorkHistory, type WorkHistoryInput, type WorkHistoryReport } from './work-history.ts';
import { shippingWork, type WorkSubject } from './work-subject.ts';
import type { WorkSetup } from './work-world.ts';

export interface WorkRunInput extends SeedsInput {
  readonly subject?: WorkSubject;
  readonly openStorage?: WorkHistoryInput['openStorage'];
  readonly setup?: Partial<WorkSetup>;
}

/** Lives so many histories of deferred work, with the seeds from `seed` on. */
export const runWorkHistories = (input: WorkRunInput): Promise<SeedsReport<WorkHistoryReport>> => {
  const { subject = shippingWork, openStorage = createSimulatedStore, setup = {} } = input;
  return runSeeds(input, (seed, lockstep) => runWorkHistory({ seed, subject, lockstep, openStorage, setup }));
};

/** One line a broken rule, with the seed that lives the history again. */
export const describeWork = ({ broken }: SeedsReport<WorkHistoryReport>): readonly string[] =>
  broken.flatMap(({ seed, setup, breaches }) =>
    breaches.map(({ rule, detail }) => `seed ${seed} (${setup.ledger} ledger): ${rule}: ${detail}`),
  );
