import type { Stage } from './session.ts';
import type { StreamContestant } from './stream-contestants.ts';
import { measureStreams, type StreamLoad, type StreamMeasurement } from './stream-measurements.ts';

/**
 * How many streams at once: what the goal speaks of, and as many as leave the bare pipe a quarter of a small machine's core, so that
 * times say what an event takes and not how long it queued.
 */
export const streamCounts = '1000,400';

export interface StreamPlan {
  readonly stage: Stage;
  readonly contestants: readonly StreamContestant[];
  /** What each row is measured under, in a fresh process each. */
  readonly loads: readonly StreamLoad[];
  readonly rounds: number;
}

/** Measures every row under every load, round by round, every other round in reverse order. */
export const measureStreamPart = async (plan: StreamPlan): Promise<readonly StreamMeasurement[]> => {
  const all: StreamMeasurement[] = [];
  for (const load of plan.loads)
    for (let round = 1; round <= plan.rounds; round += 1)
      for (const contestant of round % 2 === 1 ? plan.contestants : plan.contestants.toReversed()) {
        console.error(`round ${round} of ${plan.rounds}, ${load.streams} streams: ${contestant.title}`);
        all.push(await measureStreams(plan.stage, contestant, round, load));
      }
  return all;
};
