import { runHistory, type HistoryInput, type HistoryReport } from './history.ts';
import { createLockstep, type LockstepOptions } from './lockstep.ts';
import { createSimulatedStore } from './store.ts';
import { shippingEngine, type Subject } from './subject.ts';
import type { WorldSetup } from './world.ts';

export interface RunInput {
  readonly count: number;
  readonly seed: number;
  readonly subject?: Subject;
  readonly openStorage?: HistoryInput['openStorage'];
  readonly setup?: Partial<WorldSetup>;
  /** What a store needs that does not answer at once. */
  readonly lockstep?: LockstepOptions;
  /** Histories that live side by side, to share the turns of the event loop; 64 by default. */
  readonly sideBySide?: number;
  /** Stop soon after the first history in which this rule was broken. */
  readonly stopAtRule?: string;
}

export interface RunReport {
  readonly histories: number;
  readonly steps: number;
  readonly faults: number;
  readonly executions: number;
  /** Histories in which a rule was broken, the first ones only. */
  readonly broken: readonly HistoryReport[];
  readonly brokenCount: number;
}

const sideBySideDefault = 64;
const brokenKeptMax = 20;

/** Lives so many histories, with the seeds from `seed` on. */
export const runHistories = async (input: RunInput): Promise<RunReport> => {
  const { count, seed, subject = shippingEngine, openStorage = createSimulatedStore, setup = {} } = input;
  const lockstep = createLockstep(input.lockstep);
  const broken: HistoryReport[] = [];
  const sums = { histories: 0, steps: 0, faults: 0, executions: 0, brokenCount: 0 };
  const sideBySide = input.sideBySide ?? sideBySideDefault;
  let next = 0;
  let found = false;
  const lane = async (): Promise<void> => {
    while (next < count && !found) {
      const own = seed + next;
      next += 1;
      const report = await runHistory({ seed: own, subject, lockstep, openStorage, setup });
      sums.histories += 1;
      sums.steps += report.steps;
      sums.faults += report.faults;
      sums.executions += report.executions;
      if (report.breaches.length === 0) continue;
      sums.brokenCount += 1;
      const sought = report.breaches.some(({ rule }) => rule === input.stopAtRule);
      if (sought) found = true;
      if (sought || broken.length < brokenKeptMax) broken.push(report);
    }
  };
  // Millions of injected errors are thrown, and nobody reads where.
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    await Promise.all(Array.from({ length: Math.min(sideBySide, count) }, lane));
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
  return { ...sums, broken: broken.toSorted((a, b) => a.seed - b.seed) };
};
