import type { Engine } from '../engine.ts';

/** What a process runs, by the id of its operation. */
interface Run {
  readonly id: string;
}

const notWorkedOn = 'a cell could not be worked on';

const textIn = (cause: unknown, field: 'code' | 'cell'): string | undefined => {
  const value: unknown = typeof cause === 'object' && cause !== null ? Reflect.get(cause, field) : undefined;
  return typeof value === 'string' ? value : undefined;
};

/** What is logged of a cell that failed: its name and the code, where the cause has them. */
const failureOf = (cause: unknown) => ({ code: textIn(cause, 'code'), cell: textIn(cause, 'cell'), cause });

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
    logger.error(notWorkedOn, failureOf(outcome.reason));
  }
  return done;
};

const chunksOf = <T>(runs: readonly T[], runsMax: number): readonly (readonly T[])[] =>
  Array.from({ length: Math.ceil(runs.length / runsMax) }, (_, at) => runs.slice(at * runsMax, (at + 1) * runsMax));

/**
 * Runs a step for operations of any accounts, at most `runsMax` in one: all together, or on a storage of several cells those of each
 * cell apart, where a failure is logged and holds up no other cell.
 */
export const inCells = async <T extends Run>(
  engine: Pick<Engine, 'logger' | 'storage'>,
  runs: readonly T[],
  runsMax: number,
  step: (part: readonly T[]) => Promise<void>,
): Promise<void> => {
  const { cells } = engine.storage;
  if (cells === undefined) {
    for (const part of chunksOf(runs, runsMax)) await step(part);
    return;
  }
  if (runs.length === 0) return;
  const groups = await cells.split(runs.map(({ id }) => ({ table: 'operation', id }) as const));
  const working = eachApart(engine, groups, async (keys) => {
    const ids = new Set(keys.map(({ id }) => id));
    const ofCell = runs.filter(({ id }) => ids.has(id));
    for (const part of chunksOf(ofCell, runsMax)) await step(part);
  });
  // Where all of them are in one cell that is away, the loops of the process go on for the others.
  await working.catch((cause: unknown) => engine.logger.error(notWorkedOn, failureOf(cause)));
};
