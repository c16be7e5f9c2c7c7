// Holds sessions through a relay and measures how long a piece of sound takes to come back.
// node bench/load/live-sessions.ts <json of LiveJob>
import { setTimeout as delay } from 'node:timers/promises';
import { WebSocket, type RawData } from 'ws';
import { createTimerWheel } from '../mock/timer-wheel.ts';
import { cpuSecondsOf, memoryOf } from '../process-usage.ts';
import { percentilesOf, type Percentiles } from '../statistics.ts';

export interface LiveJob {
  readonly port: number;
  readonly relayPid: number;
  /** Null where the relay asks for no access. */
  readonly key: string | null;
  readonly sessions: number;
  readonly framesPerSecond: number;
  readonly seconds: number;
}

export interface LiveReport {
  readonly sessions: number;
  /** Both ways together. */
  readonly framesPerSecond: number;
  readonly lost: number;
  /** There and back. */
  readonly roundTripMs: Percentiles;
  readonly cpuMicrosPerFrame: number;
  readonly cpuShare: number;
  readonly kibPerSession: number;
}

// The driver writes it.
// oxlint-disable-next-line typescript/no-unsafe-type-assertion
const job = JSON.parse(process.argv[2] ?? '') as LiveJob;
const frameBytes = 640;
const openedAtOnce = 32;

interface Access {
  readonly url: string;
  readonly first: string;
}

const ask = async (): Promise<Access> => {
  if (job.key === null) return { url: `ws://127.0.0.1:${job.port}/`, first: '{}' };
  const answer = await fetch(`http://127.0.0.1:${job.port}/api/v1/ai/live`, {
    method: 'POST',
    headers: { authorization: `Bearer ${job.key}`, 'content-type': 'application/json' },
    body: '{"config":{"generationConfig":{"responseModalities":["AUDIO"]}}}',
  });
  // The gateway's own answer.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const { id, url, access_key } = (await answer.json()) as { id: string; url: string; access_key: string };
  return { url, first: JSON.stringify({ id, access_key }) };
};

const roundTrips: number[] = [];
let sent = 0;
let received = 0;
let measuring = false;

/** A piece of sound whose first eight bytes are when it was sent. */
const sound = Buffer.alloc(frameBytes);
const frameOf = (nowMs: number): string => {
  sound.writeDoubleLE(nowMs);
  return `{"realtimeInput":{"audio":{"data":"${sound.toString('base64')}","mimeType":"audio/pcm;rate=16000"}}}`;
};
const sentAtMs = (text: string): number => {
  const from = text.indexOf('"data":"') + '"data":"'.length;
  return Buffer.from(text.slice(from, from + 12), 'base64').readDoubleLE();
};

const open = async (): Promise<WebSocket> => {
  const { url, first } = await ask();
  const socket = new WebSocket(url, { perMessageDeflate: false });
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  socket.send(first);
  await new Promise((resolve) => socket.once('message', resolve));
  socket.on('message', (data: RawData) => {
    if (!measuring || !Buffer.isBuffer(data)) return;
    received += 1;
    roundTrips.push(performance.now() - sentAtMs(data.toString('latin1')));
  });
  return socket;
};

const idle = memoryOf(job.relayPid).rssMib;
const sockets: WebSocket[] = [];
while (sockets.length < job.sessions)
  sockets.push(
    ...(await Promise.all(Array.from({ length: Math.min(openedAtOnce, job.sessions - sockets.length) }, open))),
  );
const wheel = createTimerWheel(1_000 / job.framesPerSecond);
let running = true;
for (const [index, socket] of sockets.entries()) {
  wheel.add(() => {
    if (measuring) sent += 1;
    socket.send(frameOf(performance.now()));
    return running;
  });
  // Sessions begin at different moments of a turn.
  if (index % 50 === 49) await delay(1);
}
await delay(2_000);
const cpuBefore = cpuSecondsOf(job.relayPid);
const startMs = performance.now();
measuring = true;
await delay(job.seconds * 1_000);
measuring = false;
const seconds = (performance.now() - startMs) / 1_000;
const cpu = cpuSecondsOf(job.relayPid) - cpuBefore;
const { rssMib } = memoryOf(job.relayPid);
running = false;
const frames = sent + received;
const report: LiveReport = {
  sessions: job.sessions,
  framesPerSecond: frames / seconds,
  lost: Math.max(0, sent - received),
  roundTripMs: percentilesOf(roundTrips),
  cpuMicrosPerFrame: (cpu * 1e6) / frames,
  cpuShare: cpu / seconds,
  kibPerSession: ((rssMib - idle) * 1_024) / job.sessions,
};
console.log(JSON.stringify(report));
process.exit(0);
