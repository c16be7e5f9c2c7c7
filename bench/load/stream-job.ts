import type { MemoryUse } from '../process-usage.ts';
import type { Percentiles } from '../statistics.ts';
import type { RequestSpec } from './request-bytes.ts';

/** Stands once in the text of each event, and nowhere else in an answer: a reader that joins events still delivers it. */
export const eventMark = '~';

/** The task of a stream load, as JSON on its standard input. */
export interface StreamJob {
  readonly request: RequestSpec;
  readonly gatewayPid: number;
  readonly upstreamPid: number;
  readonly streams: number;
  /** Events of each stream. */
  readonly events: number;
  /** How often the end of a stream repeats the whole text. */
  readonly repeats: number;
  /** Streams are opened evenly over so long. */
  readonly rampMs: number;
  /** What the streams opened last may take to give their first events, until which nothing is measured. */
  readonly openMsMax: number;
  /** Between the last first event and the measured time. */
  readonly settleMs: number;
  readonly measuredMs: number;
  /** Streams that have not ended count as failed when none of them has given anything for so long. */
  readonly silentMsMax: number;
}

/** What it found, as JSON on its standard output. */
export interface StreamReport {
  /** From the request to the first event, of every stream. */
  readonly firstEventMs: Percentiles;
  /** Between two events of one stream, within the measured time. */
  readonly gapMs: Percentiles;
  /** Delivered within the measured time. */
  readonly eventsPerSecond: number;
  readonly eventsDelivered: number;
  readonly eventsExpected: number;
  /** Streams that did not answer 200, broke, or did not come to their end. */
  readonly failures: number;
  readonly firstFailure: string | null;
  readonly gatewayCpuMicrosPerEvent: number;
  readonly gatewayCpuPercent: number;
  readonly loadCpuPercent: number;
  readonly upstreamCpuPercent: number;
  readonly foreignCpuPercent: number;
  /** At the end of the measured time, all streams running. */
  readonly memory: MemoryUse;
}
