import { rmSync } from 'node:fs';
import path from 'node:path';
import type { Ports } from './contestants.ts';
import { launch, untilListening, type Program, type Running } from './launch.ts';
import type { StreamJob, StreamReport } from './load/stream-job.ts';
import { nextPort } from './ports.ts';
import { memoryOf, type MemoryUse } from './process-usage.ts';
import { freshFolder, runMeasuring, type Stage } from './session.ts';
import type { StreamContestant } from './stream-contestants.ts';

/** How many streams, and how they run. */
export interface StreamLoad {
  readonly streams: number;
  /** Events a second of each stream. */
  readonly rate: number;
  /** Measured time, with all streams running. */
  readonly seconds: number;
  /** Streams are opened evenly over so long. */
  readonly rampMs: number;
  /** Characters of text in an event. */
  readonly chars: number;
}

/** What one contestant gave in one round. */
export interface StreamMeasurement {
  readonly contestant: string;
  readonly streams: number;
  readonly round: number;
  readonly report: StreamReport;
}

export type StreamTimes = Pick<StreamJob, 'streams' | 'rampMs' | 'openMsMax' | 'settleMs' | 'measuredMs'>;

const openMsMax = 8_000;
const settleMs = 1_000;
/** Streams go on a little longer than they are measured, as the first of them was opened before the last. */
const marginMs = 1_000;
const silentMsMax = 30_000;
/** Before anything is measured: a few streams, so that hot functions are compiled. */
const warmUp: StreamTimes = { streams: 200, rampMs: 500, openMsMax, settleMs: 0, measuredMs: 2_000 };

/** Events of each stream. */
const eventsOf = ({ rampMs, seconds, rate }: StreamLoad): number =>
  Math.ceil(((rampMs + openMsMax + settleMs + seconds * 1_000 + marginMs) / 1_000) * rate);

const startUpstream = async (stage: Stage, port: number, load: StreamLoad): Promise<Running> => {
  const script = path.join(import.meta.dirname, 'mock/stream-upstream.ts');
  const pace = ['--rate', String(load.rate), '--events', String(eventsOf(load)), '--chars', String(load.chars)];
  const upstream = launch(stage.pinning, {
    place: 'measuring',
    command: [process.execPath, script, String(port), ...pace],
    port,
  });
  await untilListening(port);
  return upstream;
};

const startGateway = async (
  stage: Stage,
  contestant: StreamContestant,
  ports: Ports,
  databasePath: string,
): Promise<{ readonly running: Running; readonly firstLine: string } | null> => {
  if (contestant.run === null) return null;
  const nodeFlags = contestant.ours ? [...stage.build.nodeFlags, ...stage.nodeFlags] : [];
  const command = [process.execPath, ...nodeFlags, ...contestant.run(ports, databasePath)];
  const { environment = {} } = contestant;
  const program: Program = { place: 'gateway', command, port: ports.port, environment };
  const running = launch(stage.pinning, program);
  await untilListening(ports.port);
  return { running, firstLine: contestant.announces ? await running.firstLine : '' };
};

/** A contestant that listens, with an upstream of streams of its own, both fresh. */
export interface StreamSession {
  run(times: StreamTimes): Promise<StreamReport>;
  memory(): MemoryUse;
  stop(): Promise<void>;
}

export const startStreamSession = async (
  stage: Stage,
  contestant: StreamContestant,
  load: StreamLoad,
): Promise<StreamSession> => {
  const ports: Ports = { port: nextPort(), upstreamPort: nextPort() };
  const folder = freshFolder();
  const upstream = await startUpstream(stage, ports.upstreamPort, load);
  const gateway = await startGateway(stage, contestant, ports, path.join(folder, 'bench.db'));
  const port = contestant.run === null ? ports.upstreamPort : ports.port;
  const gatewayPid = gateway?.running.pid ?? upstream.pid;
  const job = {
    request: { ...contestant.request(ports, gateway?.firstLine ?? ''), port, identities: false },
    gatewayPid,
    upstreamPid: upstream.pid,
    events: eventsOf(load),
    repeats: contestant.repeats ?? 0,
    silentMsMax,
  };
  return {
    run: async (times) => {
      const full: StreamJob = { ...job, ...times };
      // Written by the load process of this very folder.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      return JSON.parse(await runMeasuring(stage.pinning, 'streams.ts', full)) as StreamReport;
    },
    memory: () => memoryOf(gatewayPid),
    stop: async () => {
      await gateway?.running.stop();
      await upstream.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};

/** The load itself: all streams at once for the measured time. */
export const timesOf = ({ streams, rampMs, seconds }: StreamLoad): StreamTimes => ({
  streams,
  rampMs,
  openMsMax,
  settleMs,
  measuredMs: seconds * 1_000,
});

/** Starts a contestant and an upstream, both fresh, warms them up, and runs the load once. */
export const measureStreams = async (
  stage: Stage,
  contestant: StreamContestant,
  round: number,
  load: StreamLoad,
): Promise<StreamMeasurement> => {
  const session = await startStreamSession(stage, contestant, load);
  try {
    await session.run(warmUp);
    const report = await session.run(timesOf(load));
    return { contestant: contestant.id, streams: load.streams, round, report };
  } finally {
    await session.stop();
  }
};
