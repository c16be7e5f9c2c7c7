// Holds a mixed load for a chosen time and prints what grows:
// npm run soak -- [--minutes 5] [--sqlite | --postgres] [--interval 10] [--processes 1] [--clients 16] [--days-per-minute 2]
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { findGrowth } from './find-growth.ts';
import { runSoak } from './run-soak.ts';
import { slopePerHour } from './slope.ts';
import { createPostgresStore } from '../torture/postgres-store.ts';
import { createSqliteStore } from '../torture/sqlite-store.ts';

const { values: flags } = parseArgs({
  options: {
    minutes: { type: 'string', default: '5' },
    /** Seconds between two measurements. */
    interval: { type: 'string', default: '10' },
    postgres: { type: 'boolean', default: false },
    sqlite: { type: 'boolean', default: false },
    processes: { type: 'string', default: '1' },
    clients: { type: 'string', default: '16' },
    /** How fast the store's clock runs: responses are kept for a day, records for thirty. */
    'days-per-minute': { type: 'string', default: '2' },
    seed: { type: 'string', default: '1' },
  },
});
if (flags.postgres && flags.sqlite) throw new Error('one store, please');

const minutesPerDay = 1_440;

const createFile = () => {
  const folder = path.resolve(import.meta.dirname, '../../node_modules/.cache/soak');
  mkdirSync(folder, { recursive: true });
  return createSqliteStore(folder);
};

const recordDays = 30;

const { samples, told, findings } = await runSoak({
  recordDays,
  minutes: Number(flags.minutes),
  intervalSeconds: Number(flags.interval),
  gateways: Number(flags.processes),
  clients: Number(flags.clients),
  speed: Number(flags['days-per-minute']) * minutesPerDay,
  seed: Number(flags.seed),
  store: flags.postgres ? await createPostgresStore() : createFile(),
  onSample: ({ minutes, figures }) =>
    console.log(
      `${minutes.toFixed(2)} min:`,
      Object.entries(figures)
        .map(([name, value]) => `${name} ${value}`)
        .join(', '),
    ),
});

/** Without the first half, in which caches and tables fill. */
const settled = samples.slice(Math.floor(samples.length / 2));
const last = samples.at(-1)?.figures ?? {};
console.table(
  Object.fromEntries(
    Object.keys(last).map((figure) => [
      figure,
      { first: samples[0]?.figures[figure], last: last[figure], 'per hour': Math.round(slopePerHour(settled, figure)) },
    ]),
  ),
);
console.log('answers:', Object.fromEntries([...told].toSorted(([a], [b]) => a.localeCompare(b))));
/** Only where the records of the first half had to go by the end. */
const isLong = recordDays / Number(flags['days-per-minute']) < Number(flags.minutes) / 2;
const grown = isLong ? findGrowth(samples) : [];
for (const finding of [...findings, ...grown]) console.error(finding);
console.log(findings.length === 0 ? 'audit ok' : `${findings.length} findings`);
console.log(isLong ? `${grown.length} tables grow` : 'too short to tell what grows: records are kept for 30 days');
if (findings.length + grown.length > 0) process.exitCode = 1;
