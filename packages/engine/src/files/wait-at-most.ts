import type { Engine } from '../engine.ts';
import { withDeadline } from '../workers/with-deadline.ts';

/** Waits for work, but no longer than that; the work goes on by itself. */
export const waitAtMost = ({ clock }: Pick<Engine, 'clock'>, ms: number, work: Promise<unknown>): Promise<unknown> =>
  withDeadline(clock, { ms, onLate: () => undefined }, () => work);
