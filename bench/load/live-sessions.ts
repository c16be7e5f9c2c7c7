// Holds sessions through a relay and measures how long a piece of audio takes there and back. A job as JSON on its standard input.
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { createTimerWheel } from '../mock/timer-wheel.ts';
import { memoryOf } from '../process-usage.ts';
import { createGapHistogram } from './gap-histogram.ts';
import type { LiveJob, LiveReport } from './live-job.ts';
import { openLiveSocket, type LiveClient } from './live-socket.ts';
import { readClocks, usedSince } from './tally.ts';

const openedAtOnce = 32;
/**
 * Opened first, and already speaking when the others come, as in a service that runs: what is loaded and compiled once is not
 * counted as a session's, and Node has seen that most of what a frame leaves behind is short-lived.
 */
const firstSessions = 50;
const firstSpeechMs = 2_000;
/** From the last opening to the look at what silent sessions take. */
const silentMs = 500;
/** So long the last pieces may be under way. */
const endMsMax = 5_000;
const stepMs = 50;

// The driver writes it.
// oxlint-disable-next-line typescript/no-unsafe-type-assertion
const job = JSON.parse(await text(process.stdin)) as LiveJob;

interface Access {
  readonly url: URL;
  readonly first: string;
}

const ask = async (): Promise<Access> => {
  if (job.key === null) return { url: new URL(`ws://127.0.0.1:${job.port}/`), first: '{}' };
  const answer = await fetch(`http://127.0.0.1:${job.port}/api/v1/ai/live`, {
    method: 'POST',
    headers: { authorization: `Bearer ${job.key}`, 'content-type': 'application/json' },
    body: '{"config":{"generationConfig":{"responseModalities":["AUDIO"]}}}',
  });
  // The gateway's own answer.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const { id, url, access_key } = (await answer.json()) as { id: string; url: string; access_key: string };
  return { url: new URL(url), first: JSON.stringify({ id, access_key }) };
};

const counts = {
  sent: 0,
  answered: 0,
  measured: 0,
  broken: 0,
  firstFailure: null as string | null,
  measuring: false,
  over: false,
};
const roundTrips = createGapHistogram();
const nowMicros = (): number => performance.now() * 1_000;

const onAudio = (sentMicros: number): void => {
  counts.answered += 1;
  if (!counts.measuring) return;
  counts.measured += 1;
  roundTrips.add((nowMicros() - sentMicros) / 1_000, 1);
};

const onBroken = (why: string): void => {
  if (counts.over) return;
  counts.broken += 1;
  counts.firstFailure ??= why;
};

const open = async (): Promise<LiveClient> => openLiveSocket({ ...(await ask()), onAudio, onBroken });

const openUpTo = async (clients: LiveClient[], wanted: number): Promise<void> => {
  while (clients.length < wanted)
    clients.push(...(await Promise.all(Array.from({ length: Math.min(openedAtOnce, wanted - clients.length) }, open))));
};

const turnMs = 1_000 / job.piecesPerSecond;
const wheel = createTimerWheel(turnMs);

/** Sessions begin at different moments of a turn, so that they speak evenly. */
const speak = async (clients: readonly LiveClient[]): Promise<void> => {
  const startMs = performance.now();
  for (const [index, client] of clients.entries()) {
    const waitMs = startMs + (index / clients.length) * turnMs - performance.now();
    if (waitMs > 0) await delay(waitMs);
    wheel.add(() => {
      if (counts.over) return false;
      counts.sent += 1;
      client.send(nowMicros());
      return true;
    });
  }
};

const untilAnswered = async (): Promise<void> => {
  const giveUpMs = performance.now() + endMsMax;
  while (counts.answered < counts.sent && performance.now() < giveUpMs) await delay(stepMs);
};

const rssKib = (): number => memoryOf(job.gatewayPid).rssMib * 1_024;

const run = async (): Promise<LiveReport> => {
  const clients: LiveClient[] = [];
  await openUpTo(clients, firstSessions);
  await speak(clients);
  await delay(firstSpeechMs);
  const withFew = rssKib();
  await openUpTo(clients, job.sessions);
  await delay(silentMs);
  const idle = rssKib();
  await speak(clients.slice(firstSessions));
  await delay(job.settleMs);
  const before = readClocks(job);
  counts.measuring = true;
  await delay(job.measuredMs);
  counts.measuring = false;
  const { seconds, gateway, ...shares } = usedSince(before, job);
  const busy = rssKib();
  counts.over = true;
  await untilAnswered();
  const unanswered = counts.sent - counts.answered;
  const frames = 2 * counts.measured;
  const grown = job.sessions - firstSessions;
  return {
    sessions: job.sessions,
    framesPerSecond: frames / seconds,
    wantedFramesPerSecond: 2 * job.sessions * job.piecesPerSecond,
    roundTripMs: roundTrips.percentiles(),
    failures: counts.broken + unanswered,
    firstFailure: counts.firstFailure ?? (unanswered > 0 ? `${unanswered} pieces were not answered` : null),
    gatewayCpuMicrosPerFrame: (gateway * 1e6) / frames,
    gatewayCpuPercent: (gateway * 100) / seconds,
    ...shares,
    idleKibPerSession: (idle - withFew) / grown,
    busyKibPerSession: (busy - withFew) / grown,
  };
};

process.stdout.write(JSON.stringify(await run()), () => process.exit(0));
