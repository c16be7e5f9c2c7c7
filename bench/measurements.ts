import type { Contestant } from './contestants.ts';
import type { LoadReport } from './load/load-job.ts';
import type { MemoryUse } from './process-usage.ts';
import { runLoad, startSession, type Stage } from './session.ts';
import { imageChat } from './bodies.ts';

/** What one load on one contestant gave in one round. */
export interface Measurement {
  readonly contestant: string;
  readonly round: number;
  readonly load: string;
  readonly report: LoadReport;
  readonly memory: MemoryUse;
}

export interface ClosedPlan {
  readonly levels: readonly number[];
  readonly seconds: number;
}

/** The name of a closed loop in the results. */
export const closedLoad = (connections: number): string => `closed ${connections}`;
export const openLoad = 'open 500/s, upstream 50 ms';
export const burstLoad = '16 chats of 1.9 MB';

/** Before anything is measured: Node has compiled its hot functions after so many requests, not earlier. */
const warmUp = { requests: 20_000, msMax: 8_000 };
const warmUpConnections = 64;
/** Between levels: a fresh set of connections finds the process warm. */
const levelWarmUp = { requests: Infinity, msMax: 300 };

/** Closed loops over all levels, on one fresh process after a warm-up. */
export const measureClosed = async (
  stage: Stage,
  contestant: Contestant,
  round: number,
  plan: ClosedPlan,
): Promise<readonly Measurement[]> => {
  const session = await startSession(stage, contestant, 0);
  try {
    const request = session.request();
    const job = { kind: 'closed', request, ...session.pids } as const;
    await runLoad(stage.pinning, { ...job, connections: warmUpConnections, warmUp, measuredMs: 0 });
    const measured: Measurement[] = [];
    for (const connections of plan.levels) {
      const level = { connections, warmUp: levelWarmUp, measuredMs: plan.seconds * 1_000 };
      const report = await runLoad(stage.pinning, { ...job, ...level });
      const load = closedLoad(connections);
      measured.push({ contestant: contestant.id, round, load, report, memory: session.memory() });
    }
    return measured;
  } finally {
    await session.stop();
  }
};

const upstreamLatencyMs = 50;
const openPerSecond = 500;
/** Twice as many as wait for an answer where nothing holds them up. */
const openConnections = 64;
const openConnectionsMax = 512;

/** So many connections ask an upstream of that latency often enough to be warm in this time. */
const openWarmUp = { connections: 128, warmUp: { ...warmUp, msMax: 16_000 } };
/** At the rate that is measured: what was compiled for a crowd is compiled once more for one at a time, which takes that long. */
const openSettleMs = 28_000;

/** 500 requests a second at random instants, to an upstream that takes 50 ms, on one fresh process after a warm-up. */
export const measureOpen = async (
  stage: Stage,
  contestant: Contestant,
  round: number,
  seconds: number,
): Promise<readonly Measurement[]> => {
  const session = await startSession(stage, contestant, upstreamLatencyMs);
  try {
    const request = session.request();
    await runLoad(stage.pinning, {
      kind: 'closed',
      request,
      ...session.pids,
      ...openWarmUp,
      measuredMs: 0,
    });
    const report = await runLoad(stage.pinning, {
      kind: 'open',
      request,
      ...session.pids,
      perSecond: openPerSecond,
      connections: openConnections,
      connectionsMax: openConnectionsMax,
      warmUpMs: openSettleMs,
      measuredMs: seconds * 1_000,
    });
    return [{ contestant: contestant.id, round, load: openLoad, report, memory: session.memory() }];
  } finally {
    await session.stop();
  }
};

const burstConnections = 16;
const burstTimes = 3;

/** Sixteen chats with a large image at once, three times, on a fresh process. */
export const measureBurst = async (
  stage: Stage,
  contestant: Contestant,
  round: number,
): Promise<readonly Measurement[]> => {
  const session = await startSession(stage, contestant, 0);
  try {
    const report = await runLoad(stage.pinning, {
      kind: 'burst',
      request: session.request(imageChat),
      ...session.pids,
      connections: burstConnections,
      times: burstTimes,
    });
    return [{ contestant: contestant.id, round, load: burstLoad, report, memory: session.memory() }];
  } finally {
    await session.stop();
  }
};
