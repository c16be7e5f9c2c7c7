import { rmSync } from 'node:fs';
import path from 'node:path';
import { launch, untilListening, type Running } from './launch.ts';
import type { LiveJob, LiveReport } from './load/live-job.ts';
import { nextPort } from './ports.ts';
import { freshFolder, runMeasuring, type Stage } from './session.ts';

/** One row of the table of sessions. */
export interface LiveRow {
  readonly id: 'direct' | 'bare' | 'tollgate';
  readonly title: string;
}

export const liveRows: readonly LiveRow[] = [
  { id: 'direct', title: 'the mock itself' },
  { id: 'bare', title: 'bare `ws` relay' },
  { id: 'tollgate', title: 'Tollgate, SQLite NORMAL' },
];

/** What one row gave in one round. */
export interface LiveMeasurement {
  readonly row: LiveRow['id'];
  readonly round: number;
  readonly report: LiveReport;
}

export interface LivePlan {
  /** Sessions at once; each number is measured by itself. */
  readonly sessions: readonly number[];
  readonly rounds: number;
  readonly seconds: number;
  readonly rows: readonly LiveRow[];
}

const piecesPerSecond = 50;
/** At full load before the measured time, so that hot functions are compiled. */
const settleMs = 2_500;

const here = (file: string): string => path.join(import.meta.dirname, file);

interface Ports {
  readonly port: number;
  readonly upstreamPort: number;
}

const startRelay = async (
  stage: Stage,
  { id }: LiveRow,
  { port, upstreamPort }: Ports,
  databasePath: string,
): Promise<Running | null> => {
  if (id === 'direct') return null;
  const ports = [String(port), String(upstreamPort)];
  const program =
    id === 'bare'
      ? [here('gateways/socket-relay.ts'), ...ports]
      : [...stage.build.nodeFlags, ...stage.nodeFlags, here('gateways/live-gateway.ts'), ...ports, databasePath];
  const running = launch(stage.pinning, { place: 'gateway', command: [process.execPath, ...program], port });
  await untilListening(port);
  return running;
};

const keyOf = async (relay: Running | null): Promise<string | null> => {
  if (relay === null) return null;
  // The programs of this folder write these lines.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const { key } = JSON.parse(await relay.firstLine) as { readonly key: string | null };
  return key;
};

const measureRow = async (
  stage: Stage,
  row: LiveRow,
  { sessions, seconds }: { readonly sessions: number; readonly seconds: number },
): Promise<LiveReport> => {
  const ports: Ports = { port: nextPort(), upstreamPort: nextPort() };
  const folder = freshFolder();
  const command = [process.execPath, here('mock/live-upstream.ts'), String(ports.upstreamPort)];
  const upstream = launch(stage.pinning, { place: 'measuring', command, port: ports.upstreamPort });
  try {
    await untilListening(ports.upstreamPort);
    const relay = await startRelay(stage, row, ports, path.join(folder, 'bench.db'));
    const job: LiveJob = {
      port: relay === null ? ports.upstreamPort : ports.port,
      gatewayPid: relay?.pid ?? upstream.pid,
      upstreamPid: upstream.pid,
      key: await keyOf(relay),
      sessions,
      piecesPerSecond,
      settleMs,
      measuredMs: seconds * 1_000,
    };
    // Written by the load process of this very folder.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    const report = JSON.parse(await runMeasuring(stage.pinning, 'live-sessions.ts', job)) as LiveReport;
    await relay?.stop();
    return report;
  } finally {
    await upstream.stop();
    rmSync(folder, { recursive: true, force: true });
  }
};

/** The plan's rows with each number of sessions, round by round, every other round in reverse order, each in fresh processes. */
export const measureLive = async (stage: Stage, plan: LivePlan): Promise<readonly LiveMeasurement[]> => {
  const all: LiveMeasurement[] = [];
  for (const sessions of plan.sessions)
    for (let round = 1; round <= plan.rounds; round += 1)
      for (const row of round % 2 === 1 ? plan.rows : plan.rows.toReversed()) {
        console.error(`${sessions} sessions, round ${round} of ${plan.rounds}: ${row.title}`);
        const report = await measureRow(stage, row, { sessions, seconds: plan.seconds });
        all.push({ row: row.id, round, report });
      }
  return all;
};
