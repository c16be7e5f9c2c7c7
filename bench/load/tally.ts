import { cpuSecondsOf } from '../process-usage.ts';
import { percentilesOf } from '../statistics.ts';
import type { LoadReport } from './load-job.ts';

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

/** Counts what happens within the measured time. */
export const createTally = (gatewayPid: number): Tally => {
  const latencies: number[] = [];
  let answers = 0;
  let failures = 0;
  let firstFailure: string | null = null;
  let startedMs: number | null = null;
  let gatewaySeconds = 0;
  let ownCpu = process.cpuUsage();
  const fail = (why: string): void => {
    failures += 1;
    firstFailure ??= why;
  };
  return {
    start: () => {
      gatewaySeconds = cpuSecondsOf(gatewayPid);
      ownCpu = process.cpuUsage();
      startedMs = performance.now();
    },
    answers: () => answers,
    answered: (status, latencyMs) => {
      answers += 1;
      // A refusal while warming up makes the row void as well.
      if (status < 200 || status > 299) fail(`status ${status}`);
      else if (startedMs !== null) latencies.push(latencyMs);
    },
    broke: (cause) => fail(cause.message),
    report: () => {
      const seconds = (performance.now() - (startedMs ?? 0)) / 1_000;
      const { user, system } = process.cpuUsage(ownCpu);
      return {
        requests: latencies.length,
        perSecond: latencies.length / seconds,
        latencyMs: percentilesOf(latencies),
        failures,
        firstFailure,
        gatewayCpuMicrosPerRequest: ((cpuSecondsOf(gatewayPid) - gatewaySeconds) * 1e6) / latencies.length,
        loadCpuPercent: (user + system) / 1e4 / seconds,
      };
    },
  };
};
