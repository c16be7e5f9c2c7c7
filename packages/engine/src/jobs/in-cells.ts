import type { Engine } from '../engine.ts';

/** What a process runs, by the id of its operation. */
interface Run {
  readonly id: string;
}

/**
 * Runs each part of what may be done for a cell, at the same time. A part that fails holds up no other, and is logged; where all fail,
 * the first cause is thrown.
 */
export const eachApart = async <T, R>(
  { logger }: Pick<Engine, 'logger'>,
  parts: readonly T[],
  run: (part: T) => Promise<R>,
): Promise<readonly R[]> => {
  const outcomes = await Promise.allSettled(parts.map(run));
  const failed = outcomes.filter(({ status }) => status === 'rejected');
  const done = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
  for (const outcome of outcomes) {
    if (outcome.status !== 'rejected') continue;
    if (failed.length === parts.length) throw outcome.reason;
    logger.error('a cell could not be worked on', { cause: outcome.reason });
  }
  return done;
};

/** Runs a step for operations of any accounts: as one, or on a storage of several cells as one for each of them. */
export const inCells = async <T extends Run>(
  engine: Pick<Engine, 'logger' | 'storage'>,
  runs: readonly T[],
  step: (part: readonly T[]) => Promise<void>,
): Promise<void> => {
  const { cells } = engine.storage;
  if (cells === undefined) return step(runs);
  const groups = await cells.split(runs.map(({ id }) => ({ table: 'operation', id }) as const));
  const parts = groups.map((keys) => {
    const ids = new Set(keys.map(({ id }) => id));
    return runs.filter(({ id }) => ids.has(id));
  });
  await eachApart(engine, parts, step);
};
