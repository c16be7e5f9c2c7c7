import { listRowsMax, type IndexCursor, type UsageLineRecord } from '@tollgate/storage';
import { rollUpUsage } from '../decisions/roll-up-usage.ts';
import type { EngineLimits } from '../engine-limits.ts';
import type { Engine } from '../engine.ts';
import { commitOnce } from '../operations/persist.ts';
import { eachApart } from './in-cells.ts';

export interface RollUpReport {
  /** Lines of usage that were added to their hour and day. */
  readonly rolledUp: number;
  /** Whether lines are left, since the rounds of one roll-up ended. */
  readonly more: boolean;
}

/** Steps of a hundred lines that are sent together, so that a storage makes them durable at once. */
const stepsAtOnceMax = 5;

type Roller = Pick<Engine, 'storage'> & { readonly limits: Pick<EngineLimits, 'sweepRoundsMax'> };

/** The next lines, in steps; fewer lines than a step takes are the last ones. */
const readSteps = async ({ storage }: Roller, from: IndexCursor | undefined, stepsMax: number) => {
  const steps: (readonly UsageLineRecord[])[] = [];
  let after = from;
  let isLast = false;
  while (steps.length < stepsMax && !isLast) {
    const lines = await storage.list('usageLines', { of: '', limit: listRowsMax, after });
    const last = lines.at(-1);
    isLast = last === undefined || lines.length < listRowsMax;
    if (last === undefined) break;
    steps.push(lines);
    after = { order: last.createdAtMs, id: last.id };
  }
  return { steps, after, isLast };
};

/** Adds what was used since the last roll-up to hours and days. Any number of processes may do so at once. */
export const rollUp = async (engine: Roller): Promise<RollUpReport> => {
  let rolledUp = 0;
  let after: IndexCursor | undefined;
  let roundsLeft = engine.limits.sweepRoundsMax;
  while (roundsLeft > 0) {
    const read = await readSteps(engine, after, Math.min(roundsLeft, stepsAtOnceMax));
    const counts = await Promise.all(read.steps.map((lines) => commitOnce(engine, rollUpUsage(lines))));
    rolledUp += counts.reduce((sum, count) => sum + count, 0);
    if (read.isLast) return { rolledUp, more: false };
    roundsLeft -= read.steps.length;
    after = read.after;
  }
  return { rolledUp, more: true };
};

/** The same for every cell of a storage that has several. */
export const rollUpCells = async (engine: Roller & Pick<Engine, 'logger'>): Promise<RollUpReport> => {
  const { cells } = engine.storage;
  if (cells === undefined) return rollUp(engine);
  const { limits } = engine;
  const reports = await eachApart(engine, cells.all, (storage) => rollUp({ storage, limits }));
  return {
    rolledUp: reports.reduce((sum, report) => sum + report.rolledUp, 0),
    more: reports.some(({ more }) => more),
  };
};
