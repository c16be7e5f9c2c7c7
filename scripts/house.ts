// Measures the checkout against the ceilings of `scripts/house/ceilings.json`, which only go down. `--write` lowers them;
// `--places <text>` prints every place of the figures whose name holds the text, `--since <commit>` only those in files that
// changed since then.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { judge, lowerCeilings, strayCeilings, type Ceilings } from './house/ceilings.ts';
import type { Figure } from './house/figure.ts';
import { measureHouse } from './house/measure-house.ts';
import { readCheckout } from './house/read-checkout.ts';

const root = path.resolve(import.meta.dirname, '..');
const ceilingsFile = path.join(import.meta.dirname, 'house', 'ceilings.json');
/** Beyond these, a figure that got worse tells how to see the rest. */
const placesShownMax = 40;

const { values } = parseArgs({
  options: { write: { type: 'boolean', default: false }, places: { type: 'string' }, since: { type: 'string' } },
});
const { since } = values;

/** Null where places in every file are wanted. */
const changedFiles =
  since === undefined
    ? null
    : execFileSync('git', ['diff', '--name-only', '--merge-base', since], { cwd: root, encoding: 'utf8' }).split('\n');
const isWanted = (place: string): boolean => changedFiles?.some((file) => place.startsWith(`${file}:`)) ?? true;

const printTable = (figures: readonly Figure[], ceilings: Ceilings): void => {
  const rows = figures.map((figure) => {
    const verdict = judge(figure, ceilings);
    const ceiling = verdict === 'no ceiling' ? '–' : String(ceilings[figure.id]);
    return [figure.id, String(figure.value), ceiling, figure.goal, verdict === 'held' ? '' : verdict];
  });
  const table = [['figure', 'now', 'ceiling', 'goal', ''], ...rows];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  for (const row of table)
    console.log(
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    );
};

const printPlaces = ({ id, value, places }: Figure, shownMax: number): void => {
  const wanted = places.filter(isWanted);
  console.log(`\n${id}: ${value}`);
  for (const place of wanted.slice(0, shownMax)) console.log(`  ${place}`);
  if (wanted.length > shownMax) console.log(`  … all ${wanted.length}: npm run house -- --places '${id}' --since main`);
};

/** Prints what holds the checkout up; returns whether anything does. */
const printFaults = (figures: readonly Figure[], ceilings: Ceilings): boolean => {
  const bad = figures.filter((figure) => ['worse', 'no ceiling'].includes(judge(figure, ceilings)));
  const strays = strayCeilings(figures, ceilings);
  for (const figure of bad) {
    printPlaces(figure, placesShownMax);
    const verdict = judge(figure, ceilings);
    if (verdict === 'worse') console.log(`  ${figure.value} is above the ceiling of ${ceilings[figure.id]}.`);
    else console.log('  It has no ceiling: npm run house -- --write');
  }
  for (const id of strays) console.log(`\n${id} is not measured any more: npm run house -- --write`);
  return bad.length > 0 || strays.length > 0;
};

const figures = measureHouse(readCheckout(root));
const ceilings = z.record(z.string(), z.int().nonnegative()).parse(JSON.parse(readFileSync(ceilingsFile, 'utf8')));
if (values.places !== undefined) {
  const wanted = values.places;
  for (const figure of figures.filter(({ id }) => id.includes(wanted))) printPlaces(figure, Infinity);
} else if (values.write) {
  const lowered = lowerCeilings(figures, ceilings);
  writeFileSync(ceilingsFile, `${JSON.stringify(lowered, null, 2)}\n`);
  printTable(figures, lowered);
  if (printFaults(figures, lowered)) process.exitCode = 1;
} else {
  printTable(figures, ceilings);
  if (printFaults(figures, ceilings)) process.exitCode = 1;
}
