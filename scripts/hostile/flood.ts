import { basePath } from '@tollgate/contract';
import { startFlooder } from './flooder.ts';
import type { HostileProcess } from './gateway-process.ts';
import { textModel } from './hostile-routes.ts';
import type { Shot } from './hostile-shot.ts';
import { medianOf, richMicros } from './measure-shots.ts';
import { sendBody } from './send-body.ts';

const nanosPerMs = 1e6;

/** What another tenant waits for its answers. */
export interface Waits {
  readonly requests: number;
  readonly medianMs: number;
  readonly p99Ms: number;
}

const waitsOf = (times: readonly number[]): Waits => {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { requests: sorted.length, medianMs: at(0.5), p99Ms: at(0.99) };
};

/** One chat after another, for so long. */
const ordinaryTenant = async (gateway: HostileProcess, key: string, forMs: number): Promise<Waits> => {
  const times: number[] = [];
  const sending = {
    origin: gateway.origin,
    method: 'POST',
    path: `${basePath}/chat/completions`,
    headers: { authorization: `Bearer ${key}` },
  };
  const body = Buffer.from(JSON.stringify({ messages: [{ role: 'user', content: 'Hello' }] }));
  const end = process.hrtime.bigint() + BigInt(Math.round(forMs * nanosPerMs));
  while (process.hrtime.bigint() < end) {
    const start = process.hrtime.bigint();
    await sendBody(sending, body);
    times.push(Number(process.hrtime.bigint() - start) / nanosPerMs);
  }
  return waitsOf(times);
};

export interface FloodOptions {
  readonly senders: number;
  readonly forMs: number;
  /** How often it is measured; the middle counts. */
  readonly runs: number;
  /** What the account of the hostile key has. */
  readonly amountMicros: bigint;
}

/** One quiet while and one under the flood, right after each other. */
export interface FloodRun {
  readonly quiet: Waits;
  readonly flooded: Waits;
  readonly shots: number;
  /** How many times as long the other tenant waits, by the 99th percentile. */
  readonly ratio: number;
}

export interface Flood {
  readonly runs: readonly FloodRun[];
  readonly ratio: number;
}

/**
 * Lets a client send one thing again and again, over several connections, while another tenant goes on as ever. The client is a
 * process of its own: what it costs to send large bodies must not be measured as what the tenant waits.
 */
export const runFlood = async (
  gateway: HostileProcess,
  shot: Shot,
  { senders, forMs, runs: count, amountMicros }: FloodOptions,
): Promise<Flood> => {
  const tenant = await gateway.makeKey(textModel, richMicros);
  const hostile = await gateway.makeKey(shot.model, amountMicros);
  const built = shot.build();
  if (built.kind !== 'http') throw new Error(`no flood of ${shot.surface}`);
  const flooder = startFlooder({ sending: built.sendingOf(gateway, hostile), senders }, built.body);
  await ordinaryTenant(gateway, tenant, forMs);
  const runs: FloodRun[] = [];
  for (let run = 0; run < count; run += 1) {
    const quiet = await ordinaryTenant(gateway, tenant, forMs);
    flooder.start();
    const flooded = await ordinaryTenant(gateway, tenant, forMs);
    const shots = await flooder.rest();
    runs.push({ quiet, flooded, shots, ratio: flooded.p99Ms / quiet.p99Ms });
  }
  flooder.stop();
  return { runs, ratio: medianOf(runs.map(({ ratio }) => ratio)) };
};
