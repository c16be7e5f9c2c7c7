import { addCounts, emptyCount, type BudgetCount } from './budget-count.ts';

/** A span of time over which a budget is counted. */
export interface BudgetWindow {
  readonly budget: string;
  readonly fromMs: number;
  readonly untilMs: number;
}

/**
 * Where the counts of budgets are kept: in this process, unless a host shares them between processes. Each `add` counts once. What is
 * older than the window that is asked for is read no more.
 */
export interface BudgetCounts {
  readonly read: (window: BudgetWindow) => Promise<BudgetCount>;
  readonly add: (window: BudgetWindow, count: BudgetCount) => Promise<void>;
}

/** Windows of all budgets that are kept; the oldest is forgotten. */
const windowsMax = 1_000;

const keyOf = ({ budget, fromMs }: BudgetWindow): string => JSON.stringify([budget, fromMs]);

/** Counts of one process, lost when it ends. */
export const memoryBudgetCounts = (): BudgetCounts => {
  const counts = new Map<string, BudgetCount>();
  return {
    read: (window) => Promise.resolve(counts.get(keyOf(window)) ?? emptyCount),
    add: (window, count) => {
      const key = keyOf(window);
      counts.set(key, addCounts(counts.get(key) ?? emptyCount, count));
      const [oldest] = counts.keys();
      if (counts.size > windowsMax && oldest !== undefined) counts.delete(oldest);
      return Promise.resolve();
    },
  };
};
