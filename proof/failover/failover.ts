// Kills the primary of PostgreSQL under load, promotes its synchronous standby, attaches a new one, and checks that nothing that
// was acknowledged is lost, done twice or charged wrongly:
// npm run proof:failover -- [--promotions 20] [--kills 10] [--seed 1]
import { parseArgs } from 'node:util';
import { runTorture, type TortureReport } from '../torture/run-torture.ts';
import { createFailoverStore, type Promotion } from './failover-store.ts';

const { values: flags } = parseArgs({
  options: {
    promotions: { type: 'string', default: '20' },
    /** Of gateways and their worker, among the promotions. */
    kills: { type: 'string', default: '10' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
});

const findingsShown = 10;

const findingsOf = (report: TortureReport): readonly string[] => [
  ...report.acknowledgedLost,
  ...report.executedTwice,
  ...report.mischarged,
  ...report.stuck,
  ...report.audit,
  ...report.anomalies,
];

const spanOf = (times: readonly number[]): string =>
  `${Math.round(Math.min(...times))}–${Math.round(Math.max(...times))} ms`;

/** Figures of the run, then the findings that must be none. */
const figures = (report: TortureReport, promotions: readonly Promotion[]) => ({
  promotions: promotions.length,
  'kill to promoted': spanOf(promotions.map(({ promotedMs }) => promotedMs)),
  'kill to standby attached': spanOf(promotions.map(({ attachedMs }) => attachedMs)),
  'gateway kills': report.kills.gateway,
  'worker kills': report.kills.worker,
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

const store = await createFailoverStore();
const report = await runTorture({
  kills: Number(flags.kills),
  serverKills: Number(flags.promotions),
  gateways: 2,
  workers: 1,
  seed: Number(flags.seed),
  store,
});
console.log(`PostgreSQL with a synchronous standby, seed ${flags.seed}`);
console.table(figures(report, store.promotions));
console.log('answers by status (0 is a broken connection):', Object.fromEntries(report.statuses));
const findings = findingsOf(report);
for (const finding of findings.slice(0, findingsShown)) console.error(finding);
if (findings.length > 0) process.exitCode = 1;
