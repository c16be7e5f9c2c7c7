// Kills loaded gateways and checks that nothing they said was untrue: npm run torture -- [--kills 100] [--seed 1]
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { runTorture, type TortureReport } from './torture/run-torture.ts';

const { values: flags } = parseArgs({
  options: {
    /** Half of them with one process on the file, half with two. */
    kills: { type: 'string', default: '100' },
    /** One number of processes only. */
    processes: { type: 'string' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
});

const findingsShown = 10;

/** Figures of a run, then the findings that must be none. */
const figures = (report: TortureReport) => ({
  processes: report.processes,
  kills: report.kills,
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
  audit: report.audit.length === 0 ? 'ok' : report.audit.length,
  anomalies: report.anomalies.length,
});

const findingsOf = (report: TortureReport): readonly string[] => [
  ...report.acknowledgedLost,
  ...report.executedTwice,
  ...report.mischarged,
  ...report.stuck,
  ...report.audit,
  ...report.anomalies,
];

/** On the disk of the repository: the system's folder for temporary files may be memory. */
const folder = path.resolve(import.meta.dirname, '../node_modules/.cache/torture');
mkdirSync(folder, { recursive: true });

const kinds = flags.processes === undefined ? [1, 2] : [Number(flags.processes)];
const reports: TortureReport[] = [];
for (const processes of kinds) {
  const kills = Math.ceil(Number(flags.kills) / kinds.length);
  reports.push(await runTorture({ kills, processes, seed: Number(flags.seed), folder }));
}
console.log(`seed ${flags.seed}`);
console.table(reports.map(figures));
for (const { processes, statuses } of reports)
  console.log(`${processes} process(es), answers by status (0 is a broken connection):`, Object.fromEntries(statuses));
const findings = reports.flatMap(findingsOf);
for (const finding of findings.slice(0, findingsShown)) console.error(finding);
if (findings.length > 0) process.exitCode = 1;
