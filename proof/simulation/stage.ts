import type { Random } from './random.ts';
import type { Scheduler } from './scheduler.ts';

/** What any simulation has: waits that go on when the scheduler says so, a clock, and draws. */
export interface Stage {
  readonly random: Random;
  readonly scheduler: Scheduler;
  readonly clock: { nowMs: number };
  readonly counters: { ids: number; faults: number };
  readonly setup: {
    /** Of a hundred calls, how many meet a fault. */
    readonly faultPercent: number;
  };
  readonly breaches: Breach[];
  /** Faults and delays are over: everything is answered at once. */
  over: boolean;
}

/** A rule that did not hold. */
export interface Breach {
  readonly rule: string;
  readonly detail: string;
}

export const report = ({ breaches }: Pick<Stage, 'breaches'>, rule: string, detail: string): void =>
  void breaches.push({ rule, detail });
