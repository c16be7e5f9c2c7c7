import { readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import { createGateway, silentLogger, sqliteStorage } from 'tollgate';
import { nodePosts, undiciPosts, type BarePosts } from './delivery-posts.ts';
import { contextSecret, deliveryOf, hookOf, hooks, write } from './delivery-records.ts';
import { launch } from './launch.ts';
import type { Pinning } from './pinning.ts';
import { machineCpuSeconds } from './process-usage.ts';
import { freshFolder } from './session.ts';

export const deliveryRows = ['bare', 'undici', 'tollgate'] as const;
export type DeliveryRow = (typeof deliveryRows)[number];

/** What one row gave in one round. */
export interface DeliveryMeasurement {
  readonly row: DeliveryRow;
  readonly round: number;
  readonly perSecond: number;
  /** Of this process, which sends; the receiver is another. */
  readonly cpuMicrosPerDelivery: number;
  readonly foreignCpuPercent: number;
}

export interface DeliveryPlan {
  readonly events: number;
  readonly rounds: number;
}

/** Eight for each webhook: as many deliveries may be under way. */
const socketsMax = 64;
/** Not measured, so that connections are open and hot functions compiled. */
const warmUpEvents = 5_000;
const certificates = readFileSync(
  path.join(import.meta.dirname, '../proof/deliveries/receivers-certificate.pem'),
  'utf8',
);

/** What a piece of work took. */
interface Spent {
  cpuSeconds: number;
  seconds: number;
}

interface Sender {
  /** Sends so many events, and resolves when the last is acknowledged, with what that took. */
  readonly send: (events: number) => Promise<Spent>;
  readonly close: () => Promise<void>;
}

const cpuSeconds = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
};

/** Adds what the work takes to what was spent. */
const spend = async (spent: Spent, work: () => Promise<unknown>): Promise<void> => {
  const before = { ms: performance.now(), cpu: cpuSeconds() };
  await work();
  spent.cpuSeconds += cpuSeconds() - before.cpu;
  spent.seconds += (performance.now() - before.ms) / 1_000;
};

/** The posts alone: the same bytes with headers of the same length, nothing signed and nothing recorded. */
const openBare = ({ post, close }: BarePosts): Sender => ({
  send: async (events) => {
    const spent = { cpuSeconds: 0, seconds: 0 };
    let next = 0;
    const loop = async (): Promise<void> => {
      while (next < events) {
        next += 1;
        await post(next);
      }
    };
    await spend(spent, () => Promise.all(Array.from({ length: socketsMax }, loop)));
    return spent;
  },
  close: () => Promise.resolve(close()),
});

/** Deliveries that wait are sent by the jobs of a gateway: claimed, addressed, signed, posted, and recorded as delivered. */
const openGateway = async (port: number): Promise<Sender> => {
  const folder = freshFolder();
  const storage = sqliteStorage({ path: path.join(folder, 'bench.db'), synchronous: 'normal' });
  const gateway = await createGateway({
    storage,
    logger: silentLogger,
    contextSecret,
    webhooks: {
      resolve: () => Promise.resolve(['93.184.215.14']),
      connect: () => connect(port, '127.0.0.1'),
      certificates,
    },
  });
  const places = Array.from({ length: hooks }, (_, at) => hookOf(at, Date.now()));
  await write(
    storage,
    places.map((record) => ({ kind: 'put', table: 'webhook', record })),
  );
  let sent = 0;
  return {
    send: async (events) => {
      const spent = { cpuSeconds: 0, seconds: 0 };
      for (const last = sent + events; sent < last; sent += socketsMax) {
        const nowMs = Date.now();
        const waiting = Array.from({ length: socketsMax }, (_, at) => deliveryOf(sent + at, nowMs));
        await write(
          storage,
          waiting.map((record) => ({ kind: 'put', table: 'delivery', record })),
        );
        // That events wait is not part of their delivery.
        await spend(spent, () => gateway.jobs.runDue());
      }
      const sample = await storage.list('deliveriesByWebhook', { of: 'hook-0', limit: 100 });
      if (sample.some(({ status }) => status !== 'delivered')) throw new Error('not everything was delivered');
      return spent;
    },
    close: async () => {
      await gateway.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};

const open: Readonly<Record<DeliveryRow, (port: number) => Promise<Sender>>> = {
  bare: async (port) => openBare(nodePosts({ port, certificates, socketsMax })),
  undici: async (port) => openBare(undiciPosts({ port, certificates, socketsMax })),
  tollgate: openGateway,
};

const measureRow = async (
  row: DeliveryRow,
  round: number,
  port: number,
  events: number,
): Promise<DeliveryMeasurement> => {
  const sender = await open[row](port);
  await sender.send(warmUpEvents);
  const before = { ms: performance.now(), cpu: cpuSeconds(), machine: machineCpuSeconds() };
  const spent = await sender.send(events);
  const seconds = (performance.now() - before.ms) / 1_000;
  // The receiver's share is small and alike in all rows.
  const foreign = machineCpuSeconds() - before.machine - (cpuSeconds() - before.cpu);
  await sender.close();
  return {
    row,
    round,
    perSecond: events / spent.seconds,
    cpuMicrosPerDelivery: (spent.cpuSeconds * 1e6) / events,
    foreignCpuPercent: (foreign * 100) / seconds,
  };
};

/** All rows, round by round, every other round in reverse order, to a receiver in a process of its own. */
export const measureDeliveries = async (
  pinning: Pinning,
  { events, rounds }: DeliveryPlan,
): Promise<readonly DeliveryMeasurement[]> => {
  const script = path.join(import.meta.dirname, 'load/receiver.ts');
  const receiver = launch(pinning, { place: 'measuring', command: [process.execPath, script], port: 0 });
  const port = Number(await receiver.firstLine);
  const all: DeliveryMeasurement[] = [];
  for (let round = 1; round <= rounds; round += 1)
    for (const row of round % 2 === 1 ? deliveryRows : deliveryRows.toReversed())
      all.push(await measureRow(row, round, port, events));
  await receiver.stop();
  return all;
};
