import { cpuSecondsOf, machineCpuSeconds } from '../process-usage.ts';
import { percentilesOf } from '../statistics.ts';
import type { LoadJob, LoadReport } from './load-job.ts';

export interface Tally {
  /** Starts the measured time. */
  start(): void;
  answered(status: number, latencyMs: number): void;
  broke(cause: Error): void;
  /** How many answers came so far, before the measured time too. */
  answers(): number;
  /** Ends the measured time. */
  report(): LoadReport;
}

type Pids = Pick<LoadJob, 'gatewayPid' | 'upstreamPid'>;

/** CPU seconds so far. */
export const readClocks = ({ gatewayPid, upstreamPid }: Pids) => {
  const { user, system } = process.cpuUsage();
  return {
    atSeconds: performance.now() / 1_000,
    gateway: cpuSecondsOf(gatewayPid),
    upstream: cpuSecondsOf(upstreamPid),
    own: (user + system) / 1e6,
    machine: machineCpuSeconds(),
  };
};

/** What was used between two readings. */
export const usedSince = (before: ReturnType<typeof readClocks>, pids: Pids) => {
  const now = readClocks(pids);
  const seconds = now.atSeconds - before.atSeconds;
  const percent = (used: number): number => (used * 100) / seconds;
  const gateway = now.gateway - before.gateway;
  const upstream = pids.upstreamPid === pids.gatewayPid ? 0 : now.upstream - before.upstream;
  const own = now.own - before.own;
  return {
    seconds,
    gateway,
    loadCpuPercent: percent(own),
    upstreamCpuPercent: percent(now.upstream - before.upstream),
    foreignCpuPercent: Math.max(0, percent(now.machine - before.machine - gateway - upstream - own)),
  };
};

/** Counts what happens within the measured time. */
export const createTally = (pids: Pids): Tally => {
  const latencies: number[] = [];
  let answers = 0;
  let failures = 0;
  let firstFailure: string | null = null;
  let started: ReturnType<typeof readClocks> | null = null;
  const fail = (why: string): void => {
    failures += 1;
    firstFailure ??= why;
  };
  return {
    start: () => {
      started = readClocks(pids);
    },
    answers: () => answers,
    answered: (status, latencyMs) => {
      answers += 1;
      // A refusal while warming up makes the row void as well.
      if (status < 200 || status > 299) fail(`status ${status}`);
      else if (started !== null) latencies.push(latencyMs);
    },
    broke: (cause) => fail(cause.message),
    report: () => {
      const { seconds, gateway, ...shares } = usedSince(started ?? readClocks(pids), pids);
      return {
        requests: latencies.length,
        perSecond: latencies.length / seconds,
        latencyMs: percentilesOf(latencies),
        failures,
        firstFailure,
        gatewayCpuMicrosPerRequest: (gateway * 1e6) / latencies.length,
        ...shares,
      };
    },
  };
};
