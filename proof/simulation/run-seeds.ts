import { createLockstep, type Lockstep, type LockstepOptions } from './lockstep.ts';
import type { Breach } from './stage.ts';

/** What became of one history. */
export interface SeedReport {
  readonly seed: number;
  readonly steps: number;
  readonly faults: number;
  readonly executions: number;
  readonly breaches: readonly Breach[];
}

export interface SeedsInput {
  readonly count: number;
  readonly seed: number;
  /** What a store needs that does not answer at once. */
  readonly lockstep?: LockstepOptions;
  /** Histories that live side by side, to share the turns of the event loop; 64 by default. */
  readonly sideBySide?: number;
  /** Stop soon after the first history in which this rule was broken. */
  readonly stopAtRule?: string;
}

export interface SeedsReport<R extends SeedReport> {
  readonly histories: number;
  readonly steps: number;
  readonly faults: number;
  readonly executions: number;
  /** Histories in which a rule was broken, the first ones only. */
  readonly broken: readonly R[];
  readonly brokenCount: number;
}

const sideBySideDefault = 64;
const brokenKeptMax = 20;

/** Lives so many histories, with the seeds from `seed` on. */
export const runSeeds = async <R extends SeedReport>(
  input: SeedsInput,
  live: (seed: number, lockstep: Lockstep) => Promise<R>,
): Promise<SeedsReport<R>> => {
  const { count, seed, stopAtRule, sideBySide = sideBySideDefault } = input;
  const lockstep = createLockstep(input.lockstep);
  const broken: R[] = [];
  const sums = { histories: 0, steps: 0, faults: 0, executions: 0, brokenCount: 0 };
  let next = 0;
  let found = false;
  const lane = async (): Promise<void> => {
    while (next < count && !found) {
      const own = seed + next;
      next += 1;
      const report = await live(own, lockstep);
      sums.histories += 1;
      sums.steps += report.steps;
      sums.faults += report.faults;
      sums.executions += report.executions;
      if (report.breaches.length === 0) continue;
      sums.brokenCount += 1;
      const sought = report.breaches.some(({ rule }) => rule === stopAtRule);
      if (sought) found = true;
      if (sought || broken.length < brokenKeptMax) broken.push(report);
    }
  };
  // Millions of injected errors are thrown, and their stacks are not read.
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    await Promise.all(Array.from({ length: Math.min(sideBySide, count) }, lane));
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
  return { ...sums, broken: broken.toSorted((a, b) => a.seed - b.seed) };
};
