import { judgeDeliveries, writeDeliveryReport } from './delivery-report.ts';
import { measureDeliveries } from './delivery-rows.ts';
import type { Verdict } from './goals.ts';
import { judgeLive } from './live-goals.ts';
import { writeLiveReport } from './live-report.ts';
import { liveRows, measureLive } from './live-rows.ts';
import type { Stage } from './session.ts';
import type { StreamContestant } from './stream-contestants.ts';
import { judgeStreams } from './stream-goals.ts';
import { measureStreamPart } from './stream-part.ts';
import { writeStreamReport } from './stream-report.ts';
import { judgeUploads, measureUploadPart, uploadLoad, writeUploadReport } from './upload-part.ts';

/** As many as the goal speaks of, and as many as leave the bare relay room on one core. */
export const sessionCounts = '1000,250';

const eventsPerSecond = 50;
const measuredSeconds = 5;
const deliveryEvents = 10_000;

export interface LaterPlan {
  readonly stage: Stage;
  readonly phases: ReadonlySet<string>;
  readonly rounds: number;
  readonly streamContestants: readonly StreamContestant[];
  /** Streams at once, one measurement each. */
  readonly streams: readonly number[];
  /** Sessions at once, one measurement each. */
  readonly sessions: readonly number[];
}

interface Part {
  readonly name: string;
  readonly measurements: readonly object[];
  readonly report: string;
  readonly verdicts: readonly Verdict[];
}

const streamPart = async ({ stage, rounds, streamContestants, streams }: LaterPlan): Promise<Part> => {
  const loads = streams.map((count) => ({
    streams: count,
    rate: eventsPerSecond,
    seconds: measuredSeconds,
    rampMs: 2_000,
    chars: 24,
  }));
  const measurements = await measureStreamPart({ stage, contestants: streamContestants, loads, rounds });
  const report = writeStreamReport(streamContestants, measurements);
  return { name: 'streams', measurements, report, verdicts: judgeStreams(measurements) };
};

const uploadPart = async ({ stage, rounds }: LaterPlan): Promise<Part> => {
  const measurements = await measureUploadPart(stage, rounds, uploadLoad);
  const report = writeUploadReport(measurements, uploadLoad);
  return { name: 'uploads', measurements, report, verdicts: judgeUploads(measurements) };
};

const livePart = async ({ stage, rounds, sessions }: LaterPlan): Promise<Part> => {
  const measurements = await measureLive(stage, { sessions, rounds, seconds: measuredSeconds, rows: liveRows });
  return { name: 'live', measurements, report: writeLiveReport(measurements), verdicts: judgeLive(measurements) };
};

const deliveryPart = async ({ stage, rounds }: LaterPlan): Promise<Part> => {
  const measurements = await measureDeliveries(stage.pinning, { events: deliveryEvents, rounds });
  const report = writeDeliveryReport(measurements);
  return { name: 'deliveries', measurements, report, verdicts: judgeDeliveries(measurements) };
};

/** In this order, by phase. */
const parts: ReadonlyMap<string, (plan: LaterPlan) => Promise<Part>> = new Map([
  ['streams', streamPart],
  ['uploads', uploadPart],
  ['live', livePart],
  ['deliveries', deliveryPart],
]);

/** What is not requests and answers: event streams, uploads, realtime sessions and deliveries of events. */
export const measureLaterParts = async (plan: LaterPlan) => {
  const done: Part[] = [];
  for (const [phase, measure] of parts) if (plan.phases.has(phase)) done.push(await measure(plan));
  return {
    measurements: Object.fromEntries(done.map(({ name, measurements }) => [name, measurements])),
    report: done.map(({ report }) => report).join('\n'),
    verdicts: done.flatMap(({ verdicts }) => verdicts),
  };
};
