import type { Percentiles } from '../statistics.ts';

/** The task of a load of sessions, as JSON on its standard input. */
export interface LiveJob {
  readonly port: number;
  /** Of the relay; of the upstream where there is none between. */
  readonly gatewayPid: number;
  readonly upstreamPid: number;
  /** By which sessions are opened; null where sockets are all it takes. */
  readonly key: string | null;
  readonly sessions: number;
  /** Pieces of audio a second that each session sends, and has answered. */
  readonly piecesPerSecond: number;
  /** Between the first piece and the measured time. */
  readonly settleMs: number;
  readonly measuredMs: number;
}

/** What it found, as JSON on its standard output. */
export interface LiveReport {
  readonly sessions: number;
  /** Both ways together, within the measured time. */
  readonly framesPerSecond: number;
  readonly wantedFramesPerSecond: number;
  /** There and back, the upstream included. */
  readonly roundTripMs: Percentiles;
  /** Sessions that broke, and pieces that were not answered. */
  readonly failures: number;
  readonly firstFailure: string | null;
  readonly gatewayCpuMicrosPerFrame: number;
  readonly gatewayCpuPercent: number;
  readonly loadCpuPercent: number;
  readonly upstreamCpuPercent: number;
  readonly foreignCpuPercent: number;
  /** Resident memory beyond that with a few sessions: all of them open and silent. */
  readonly idleKibPerSession: number;
  /** The same after the measured time. */
  readonly busyKibPerSession: number;
}
