// Kills loaded gateways, workers and servers and checks that nothing they said was untrue:
// npm run torture -- [--kills 100] [--seed 1] [--processes 2]
// npm run torture -- --postgres [--kills 1000] [--postgres-kills 100] [--seed 1] [--processes 2]
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { createPostgresStore } from './postgres-store.ts';
import { runTorture, type TortureReport } from './run-torture.ts';
import { createSqliteStore } from './sqlite-store.ts';

const { values: flags } = parseArgs({
  options: {
    /** On PostgreSQL instead of SQLite. */
    postgres: { type: 'boolean', default: false },
    /** Of gateways and workers. On SQLite half of them with one gateway on the file, half with two. */
    kills: { type: 'string', default: '100' },
    /** Of the server, among the others. */
    'postgres-kills': { type: 'string', default: '0' },
    /** One number of gateways only; two on PostgreSQL, beside a worker. */
    processes: { type: 'string' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
});

const findingsShown = 10;
/** Then everything is checked, and the next ones begin on a new database. */
const killsPerRunMax = 250;

/** Figures of a run, then the findings that must be none. */
const figures = (report: TortureReport) => ({
  'gateway kills': report.kills.gateway,
  'worker kills': report.kills.worker,
  'server kills': report.kills.server,
  'kills/min': Math.round(report.killsPerMinute),
  requests: report.requests,
  operations: report.operations,
  executions: report.executions,
  acknowledged: report.acknowledged,
  deposits: report.deposits,
  uncertain: report.uncertain,
  'acked lost': report.acknowledgedLost.length,
  'executed twice': report.executedTwice.length,
  'mis-charged': report.mischarged.length,
  stuck: report.stuck.length,
  unexplained: report.unexplained.length,
  audit: report.audit.length === 0 ? 'ok' : report.audit.length,
  anomalies: report.anomalies.length,
});

const findingsOf = (report: TortureReport): readonly string[] => [
  ...report.acknowledgedLost,
  ...report.executedTwice,
  ...report.mischarged,
  ...report.stuck,
  ...report.unexplained,
  ...report.audit,
  ...report.anomalies,
];

/** On the disk of the repository: the system's folder for temporary files may be memory. */
const createFile = () => {
  const folder = path.resolve(import.meta.dirname, '../../node_modules/.cache/torture');
  mkdirSync(folder, { recursive: true });
  return createSqliteStore(folder);
};

const [kills, serverKills, seed] = [Number(flags.kills), Number(flags['postgres-kills']), Number(flags.seed)];

const onPostgres = async (): Promise<readonly TortureReport[]> => {
  const runs = Math.max(1, Math.ceil((kills + serverKills) / killsPerRunMax));
  const share = (all: number, run: number): number =>
    Math.floor(((run + 1) * all) / runs) - Math.floor((run * all) / runs);
  const reports: TortureReport[] = [];
  for (let run = 0; run < runs; run += 1) {
    const report = await runTorture({
      kills: share(kills, run),
      serverKills: share(serverKills, run),
      gateways: Number(flags.processes ?? '2'),
      workers: 1,
      seed: seed + 2 * run,
      store: await createPostgresStore(),
    });
    reports.push(report);
    console.error(`run ${run + 1} of ${runs}: ${findingsOf(report).length} findings`);
  }
  return reports;
};

const onSqlite = async (): Promise<readonly TortureReport[]> => {
  const kinds = flags.processes === undefined ? [1, 2] : [Number(flags.processes)];
  const reports: TortureReport[] = [];
  for (const gateways of kinds)
    reports.push(await runTorture({ kills: Math.ceil(kills / kinds.length), gateways, seed, store: createFile() }));
  return reports;
};

const reports = await (flags.postgres ? onPostgres() : onSqlite());
console.log(`${flags.postgres ? 'PostgreSQL' : 'SQLite'}, seed ${flags.seed}`);
console.table(reports.map(figures));
for (const { statuses } of reports)
  console.log('answers by status (0 is a broken connection):', Object.fromEntries(statuses));
const findings = reports.flatMap(findingsOf);
for (const finding of findings.slice(0, findingsShown)) console.error(finding);
if (findings.length > 0) process.exitCode = 1;
