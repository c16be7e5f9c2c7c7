import type { RequestSpec } from './request-bytes.ts';
import type { Percentiles } from '../statistics.ts';

/** The task of a load process, as JSON on its standard input. */
export type LoadJob = {
  readonly request: RequestSpec;
  /** Whose CPU time is taken over the measured time. */
  readonly gatewayPid: number;
  /** The mock; the gateway's own where the mock is asked directly. */
  readonly upstreamPid: number;
} & (
  | {
      /** Each connection sends the next request when the answer has come. */
      readonly kind: 'closed';
      readonly connections: number;
      readonly warmUp: { readonly requests: number; readonly msMax: number };
      readonly measuredMs: number;
    }
  | {
      /** Requests at random instants that do not depend on answers; latency counts from the instant planned. */
      readonly kind: 'open';
      readonly perSecond: number;
      /** Opened before the load begins; more are opened when all of them wait for an answer. */
      readonly connections: number;
      readonly connectionsMax: number;
      readonly warmUpMs: number;
      readonly measuredMs: number;
    }
  | {
      /** So many requests at once, several times. */ readonly kind: 'burst';
      readonly connections: number;
      readonly times: number;
    }
);

/** What it found, as JSON on its standard output. */
export interface LoadReport {
  readonly requests: number;
  readonly perSecond: number;
  readonly latencyMs: Percentiles;
  /** Responses other than 2xx, and requests without an answer. */
  readonly failures: number;
  readonly firstFailure: string | null;
  readonly gatewayCpuMicrosPerRequest: number;
  /** CPU of this process over the measured time, in percent of one core. */
  readonly loadCpuPercent: number;
  /** CPU of the mock, likewise. */
  readonly upstreamCpuPercent: number;
  /** CPU that the machine spent on anything else, in percent of one core: what disturbed the measurement. */
  readonly foreignCpuPercent: number;
}
