import { readFileSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { connect } from 'node:net';
import path from 'node:path';
import { createGateway, silentLogger, sqliteStorage } from 'tollgate';
import { bodyOf, contextSecret, deliveryOf, hookOf, hooks, write } from './delivery-records.ts';
import { launch } from './launch.ts';
import type { Pinning } from './pinning.ts';
import { machineCpuSeconds } from './process-usage.ts';
import { freshFolder } from './session.ts';

export const deliveryRows = ['bare', 'tollgate'] as const;
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

interface Sender {
  /** Sends so many events, and resolves when the last is acknowledged. */
  readonly send: (events: number) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** The posts alone: the same bytes with headers of the same length, nothing signed and nothing recorded. */
const openBare = (port: number): Sender => {
  const agents = Array.from(
    { length: hooks },
    (_, at) =>
      new Agent({
        keepAlive: true,
        maxSockets: socketsMax / hooks,
        ca: certificates,
        servername: `hook-${at}.example.com`,
      }),
  );
  const headers = {
    'content-type': 'application/json',
    'x-service-event-id': '01a1f7dd-0000-7000-8000-000000000000',
    'x-service-timestamp': '1795147200',
    'x-service-signature': `v1=${'0'.repeat(64)}`,
  };
  const post = (at: number): Promise<void> =>
    new Promise((resolve, reject) => {
      const agent = agents[at % hooks];
      const options = { host: '127.0.0.1', port, method: 'POST', path: '/', headers, ...(agent && { agent }) };
      const outgoing = request(options, (answer) => answer.resume().on('end', resolve));
      outgoing.on('error', reject).end(bodyOf(at));
    });
  return {
    send: async (events) => {
      let next = 0;
      const loop = async (): Promise<void> => {
        while (next < events) {
          next += 1;
          await post(next);
        }
      };
      await Promise.all(Array.from({ length: socketsMax }, loop));
    },
    close: () => {
      for (const agent of agents) agent.destroy();
      return Promise.resolve();
    },
  };
};

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
      for (const last = sent + events; sent < last; sent += socketsMax) {
        const nowMs = Date.now();
        const waiting = Array.from({ length: socketsMax }, (_, at) => deliveryOf(sent + at, nowMs));
        await write(
          storage,
          waiting.map((record) => ({ kind: 'put', table: 'delivery', record })),
        );
        await gateway.jobs.runDue();
      }
      const sample = await storage.list('deliveriesByWebhook', { of: 'hook-0', limit: 100 });
      if (sample.some(({ status }) => status !== 'delivered')) throw new Error('not everything was delivered');
    },
    close: async () => {
      await gateway.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};

const cpuSeconds = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
};

const measureRow = async (
  row: DeliveryRow,
  round: number,
  port: number,
  events: number,
): Promise<DeliveryMeasurement> => {
  const sender = await (row === 'bare' ? openBare(port) : openGateway(port));
  await sender.send(warmUpEvents);
  const before = { ms: performance.now(), cpu: cpuSeconds(), machine: machineCpuSeconds() };
  await sender.send(events);
  const seconds = (performance.now() - before.ms) / 1_000;
  const cpu = cpuSeconds() - before.cpu;
  // The receiver's share is small and alike in both rows.
  const foreign = machineCpuSeconds() - before.machine - cpu;
  await sender.close();
  return {
    row,
    round,
    perSecond: events / seconds,
    cpuMicrosPerDelivery: (cpu * 1e6) / events,
    foreignCpuPercent: (foreign * 100) / seconds,
  };
};

/** Both rows, round by round, every other round in reverse order, to a receiver in a process of its own. */
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
