// Kills processes in the middle of every resource type and checks that nothing was run twice, mis-charged or lost:
// npm run torture:kinds -- [--kills 200] [--postgres] [--ways video,agent] [--forgetful] [--seed 1]
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { runKinds, type KindsReport } from './run-kinds.ts';
import { sumTallies } from './tally.ts';
import { ways as allWays } from './ways.ts';
import { createPostgresStore } from '../torture/postgres-store.ts';
import { createSqliteStore } from '../torture/sqlite-store.ts';

const { values: flags } = parseArgs({
  options: {
    /** In the middle of each way of each kind. */
    kills: { type: 'string', default: '200' },
    /** On PostgreSQL instead of SQLite. */
    postgres: { type: 'boolean', default: false },
    /** Names of ways, by commas; every one by default. */
    ways: { type: 'string' },
    /** The negative control, which must fail: no kind notes what it hands over. */
    forgetful: { type: 'boolean', default: false },
    clients: { type: 'string', default: '4' },
    gateways: { type: 'string', default: '2' },
    workers: { type: 'string', default: '2' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
});

const findingsShown = 20;
const findingCharsMax = 600;
/** Then everything is checked, and the next ones begin on a new database. */
const killsPerRunMax = 150;
/** A way that still has not had its kills by then is given up. */
const runsMax = 12;

/** On the disk of the repository: the system's folder for temporary files may be memory. */
const createFile = () => {
  const folder = path.resolve(import.meta.dirname, '../../node_modules/.cache/torture');
  mkdirSync(folder, { recursive: true });
  return createSqliteStore(folder);
};

const findingsOf = (report: KindsReport): readonly string[] => [
  ...report.executedTwice,
  ...report.mischarged,
  ...report.stuck,
  ...report.unexplained,
  ...report.untold,
  ...report.orphans,
  ...report.audit,
  ...report.anomalies,
];

/** One number of each list that must be empty. */
const figures = (report: KindsReport) => ({
  kills: report.kills,
  'kills/min': Math.round(report.kills / report.minutes),
  created: report.created,
  'run twice': report.executedTwice.length,
  'mis-charged': report.mischarged.length,
  stuck: report.stuck.length,
  'without a cause': report.unexplained.length,
  'silent ms': Math.round(report.silenceMs),
  'leases lost': report.leasesLost,
  'told otherwise': report.untold.length,
  orphans: report.orphans.length,
  audit: report.audit.length === 0 ? 'ok' : report.audit.length,
  anomalies: report.anomalies.length,
});

const named = flags.ways?.split(',');
const ways = allWays.filter(({ name }) => named === undefined || named.includes(name));
const [kills, seed] = [Number(flags.kills), Number(flags.seed)];

const runAll = async (): Promise<readonly KindsReport[]> => {
  const reports: KindsReport[] = [];
  let left = new Map(ways.map(({ name }) => [name, kills]));
  for (let run = 0; run < runsMax && left.size > 0; run += 1) {
    const wanted = ways.filter(({ name }) => left.has(name));
    const report = await runKinds({
      kills: killsPerRunMax,
      killsPerWay: Math.max(...left.values()),
      ways: wanted,
      clients: Number(flags.clients),
      gateways: Number(flags.gateways),
      workers: Number(flags.workers),
      seed: seed + 2 * run,
      forgetful: flags.forgetful,
      store: await (flags.postgres ? createPostgresStore() : createFile()),
    });
    reports.push(report);
    const findings = findingsOf(report);
    console.error(`run ${run + 1}: ${report.kills} kills, ${findings.length} findings`);
    for (const finding of findings.slice(0, findingsShown)) console.error(finding.slice(0, findingCharsMax));
    const counted = new Map(sumTallies(reports.flatMap(({ byWay }) => byWay)).map(({ way, kills: had }) => [way, had]));
    left = new Map(
      ways.map(({ name }) => [name, kills - (counted.get(name) ?? 0)] as const).filter(([, more]) => more > 0),
    );
  }
  return reports;
};

const reports = await runAll();
console.log(`${flags.postgres ? 'PostgreSQL' : 'SQLite'}, seed ${flags.seed}`);
console.table(reports.map(figures));
const sums = sumTallies(reports.flatMap(({ byWay }) => byWay));
console.table(
  Object.fromEntries(
    sums.map(({ way, phases: _phases, neverAsked, ...rest }) => [way, { ...rest, 'never asked': neverAsked }]),
  ),
);
for (const { way, phases } of sums) if (Object.keys(phases).length > 0) console.log(`${way}: died in`, phases);
for (const { statuses } of reports)
  console.log('answers by status (0 is a broken connection):', Object.fromEntries(statuses));
if (reports.flatMap(findingsOf).length > 0) process.exitCode = 1;
