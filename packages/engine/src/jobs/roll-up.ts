import { listRowsMax, type IndexCursor } from '@tollgate/storage';
import { rollUpUsage } from '../decisions/roll-up-usage.ts';
import type { Engine } from '../engine.ts';
import { commitOnce } from '../operations/persist.ts';

export interface RollUpReport {
  /** Lines of usage that were added to their hour and day. */
  readonly rolledUp: number;
  /** Whether lines are left, since the rounds of one roll-up ended. */
  readonly more: boolean;
}

/** Adds what was used since the last roll-up to hours and days, a hundred lines a step. Any number of processes may do so at once. */
export const rollUp = async (engine: Pick<Engine, 'storage' | 'limits'>): Promise<RollUpReport> => {
  let rolledUp = 0;
  let after: IndexCursor | undefined;
  for (let round = 0; round < engine.limits.sweepRoundsMax; round += 1) {
    const lines = await engine.storage.list('usageLines', { of: '', limit: listRowsMax, after });
    if (lines.length > 0) rolledUp += await commitOnce(engine, rollUpUsage(lines));
    const last = lines.at(-1);
    if (last === undefined || lines.length < listRowsMax) return { rolledUp, more: false };
    after = { order: last.createdAtMs, id: last.id };
  }
  return { rolledUp, more: true };
};
