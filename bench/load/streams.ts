// Runs one stream job, read as JSON from standard input, and prints its report.
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { memoryOf } from '../process-usage.ts';
import { percentilesOf } from '../statistics.ts';
import { openEventStream } from './event-stream.ts';
import { createGapHistogram } from './gap-histogram.ts';
import { createRequestBytes } from './request-bytes.ts';
import type { StreamJob, StreamReport } from './stream-job.ts';
import { readClocks, usedSince } from './tally.ts';

const createCounts = () => ({
  firstEventMs: [] as number[],
  gaps: createGapHistogram(),
  delivered: 0,
  measured: 0,
  measuring: false,
  ended: 0,
  failures: 0,
  firstFailure: null as string | null,
});

type Counts = ReturnType<typeof createCounts>;

/** Opens a stream and counts it in; resolves when it is over. */
const runStream = (job: StreamJob, number: number, counts: Counts): Promise<void> =>
  new Promise((resolve) => {
    const request = createRequestBytes(job.request, `s${process.pid}-${number}`).next();
    const sentMs = performance.now();
    let lastMs = 0;
    openEventStream({
      port: job.request.port,
      request,
      onEvents: (count) => {
        const nowMs = performance.now();
        if (lastMs === 0) counts.firstEventMs.push(nowMs - sentMs);
        else if (counts.measuring) counts.gaps.add(nowMs - lastMs, 1);
        lastMs = nowMs;
        counts.delivered += count;
        if (!counts.measuring) return;
        counts.measured += count;
        // Events that came together had no gap between them.
        if (count > 1) counts.gaps.add(0, count - 1);
      },
      onEnd: (failure) => {
        counts.ended += 1;
        if (failure !== null) {
          counts.failures += 1;
          counts.firstFailure ??= failure;
        }
        resolve();
      },
    });
  });

const openAll = async (job: StreamJob, counts: Counts): Promise<readonly Promise<void>[]> => {
  const running: Promise<void>[] = [];
  const startMs = performance.now();
  while (running.length < job.streams) {
    const due = Math.min(job.streams, Math.ceil(((performance.now() - startMs) / job.rampMs) * job.streams));
    while (running.length < due) running.push(runStream(job, running.length, counts));
    await delay(1);
  }
  return running;
};

/** What an opening costs is no cost of an event; a gateway at its limit takes seconds to let the last ones in. */
const untilAllSpeak = async (job: StreamJob, counts: Counts): Promise<void> => {
  const latestMs = performance.now() + job.openMsMax;
  while (counts.firstEventMs.length + counts.failures < job.streams && performance.now() < latestMs) await delay(10);
};

/** A gateway that is slow still has its time: what counts as failed is silence. */
const untilSilent = async (job: StreamJob, counts: Counts): Promise<void> => {
  for (let seen = -1; seen < counts.delivered + counts.ended;) {
    seen = counts.delivered + counts.ended;
    await delay(job.silentMsMax);
  }
};

const run = async (job: StreamJob): Promise<StreamReport> => {
  const counts = createCounts();
  const running = await openAll(job, counts);
  await untilAllSpeak(job, counts);
  await delay(job.settleMs);
  const before = readClocks(job);
  counts.measuring = true;
  await delay(job.measuredMs);
  counts.measuring = false;
  const { seconds, gateway, ...shares } = usedSince(before, job);
  const memory = memoryOf(job.gatewayPid);
  await Promise.race([Promise.all(running), untilSilent(job, counts)]);
  const unfinished = job.streams - counts.ended;
  return {
    firstEventMs: percentilesOf(counts.firstEventMs),
    gapMs: counts.gaps.percentiles(),
    eventsPerSecond: counts.measured / seconds,
    eventsDelivered: counts.delivered,
    eventsExpected: job.streams * job.events * (1 + job.repeats),
    failures: counts.failures + unfinished,
    firstFailure: counts.firstFailure ?? (unfinished > 0 ? `${unfinished} streams did not end` : null),
    gatewayCpuMicrosPerEvent: (gateway * 1e6) / counts.measured,
    gatewayCpuPercent: (gateway * 100) / seconds,
    ...shares,
    memory,
  };
};

// Written by the runner of this very folder.
// oxlint-disable-next-line typescript/no-unsafe-type-assertion
const job = JSON.parse(await text(process.stdin)) as StreamJob;
process.stdout.write(JSON.stringify(await run(job)), () => process.exit(0));
