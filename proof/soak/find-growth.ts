import { appendOnlyTables, tableColumns } from '@tollgate/storage';
import type { Sample } from './slope.ts';

const columnOf = (table: string): string => table.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Rows of these are kept for ever: what happened to money. */
const keptForEver = new Set([...appendOnlyTables, 'deposit'].map(columnOf));
/** Fewer rows are what happens to lie there just then. */
const rowsMin = 50;
/** Of the rows that each answer leaves. Where rows are removed in their time, this share falls as answers add up. */
const shareMax = 0.85;

/** The tables that every storage has, as they are called in SQL, and the blobs. */
const watched = [...Object.keys(tableColumns).map(columnOf), 'blob'].filter((name) => !keptForEver.has(name));

const rowsOf = ({ figures }: Sample, table: string): number => figures[table] ?? 0;
const perAnswer = (sample: Sample, table: string): number =>
  rowsOf(sample, table) / Math.max(1, sample.figures['answers'] ?? 0);

/**
 * Tables that grow as long as answers are given, though the rows of the first half of the run had to go meanwhile. Measured
 * in answers and not in time: how fast the machine is makes no difference. One sample shows only what a table holds just
 * then, so a table that grows also has, in each sample of the second half, more rows than in any sample of the first.
 */
export const findGrowth = (samples: readonly Sample[]): readonly string[] => {
  const half = Math.floor(samples.length / 2);
  const [middle, last] = [samples[half], samples.at(-1)];
  if (middle === undefined || last === undefined || middle === last) return ['there are too few samples'];
  return watched.flatMap((table) => {
    const rows = rowsOf(last, table);
    const [before, after] = [perAnswer(middle, table), perAnswer(last, table)];
    const mostBefore = Math.max(...samples.slice(0, half).map((sample) => rowsOf(sample, table)));
    const fewestAfter = Math.min(...samples.slice(half).map((sample) => rowsOf(sample, table)));
    return rows >= rowsMin && after > shareMax * before && fewestAfter > mostBefore
      ? [`${table} grows: ${rows} rows, ${after.toFixed(3)} an answer after ${before.toFixed(3)}`]
      : [];
  });
};
