import { runSeeds, type SeedReport, type SeedsInput, type SeedsReport } from '../run-seeds.ts';
import { shippingWork, type WorkSubject } from '../work/work-subject.ts';
import type { WorkSetup } from '../work/work-world.ts';
import { runEventHistory } from './event-history.ts';

export interface EventRunInput extends SeedsInput {
  readonly subject?: WorkSubject;
  readonly setup?: Partial<WorkSetup>;
}

/** Lives so many histories of webhooks and schedules, with the seeds from `seed` on. */
export const runEventHistories = (input: EventRunInput): Promise<SeedsReport<SeedReport>> => {
  const { subject = shippingWork, setup = {} } = input;
  return runSeeds(input, (seed, lockstep) => runEventHistory({ seed, lockstep, subject, setup }));
};

/** One line a broken rule, with the seed that lives the history again. */
export const describeEvents = ({ broken }: SeedsReport<SeedReport>): readonly string[] =>
  broken.flatMap(({ seed, breaches }) => breaches.map(({ rule, detail }) => `seed ${seed}: ${rule}: ${detail}`));
