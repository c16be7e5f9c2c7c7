// Signed deliveries a second over TLS, from the event to the recorded acknowledgement, beside a bare loop of the same posts over kept
// connections. `node --conditions=@tollgate/source bench/deliveries.ts [--events 20000] [--rounds 3]`
import { Agent, request } from 'node:https';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { connect } from 'node:net';
import { readFileSync } from 'node:fs';
import type { DeliveryRecord, Storage, WebhookRecord, Write } from '@tollgate/storage';
import { memoryStorage } from '@tollgate/storage-memory';
import { createGateway, silentLogger } from 'tollgate';
import { describeMachine } from './machine.ts';

const { values } = parseArgs({
  options: { events: { type: 'string', default: '20000' }, rounds: { type: 'string', default: '3' } },
});
const events = Number(values.events);
const rounds = Number(values.rounds);

const folder = new URL('../scripts/deliveries/', import.meta.url);
const certificates = readFileSync(new URL('receivers-certificate.pem', folder), 'utf8');
const hooks = 8;
/** Eight for each webhook: as many deliveries may be under way. */
const socketsMax = 64;

const startReceiver = async () => {
  const worker = new Worker(new URL('load/receiver-worker.ts', import.meta.url));
  const { promise, resolve } = Promise.withResolvers<unknown>();
  worker.once('message', resolve);
  const port = await promise;
  if (typeof port !== 'number') throw new Error('the receiver did not start');
  return { port, stop: () => worker.terminate() };
};

const bodyOf = (at: number): string =>
  JSON.stringify({
    id: `01a1f7dd-0000-7000-8000-${String(at).padStart(12, '0')}`,
    type: 'request.completed',
    created_at: '2026-11-20T10:00:00.000Z',
    data: {
      request_id: '01a1f7d0-0000-7000-8000-000000000000',
      project_id: '01a1f7c0-0000-7000-8000-000000000000',
      status: 'completed',
      credits: 0.02,
      request_url: '/api/v1/ai/requests/01a1f7d0-0000-7000-8000-000000000000',
    },
  });

const perSecond = (startedMs: number): number => Math.round(events / ((performance.now() - startedMs) / 1_000));

/** The posts alone: the same bytes with headers of the same length, nothing signed and nothing recorded. */
const measureBare = async (port: number): Promise<number> => {
  const agent = new Agent({
    keepAlive: true,
    maxSockets: socketsMax,
    ca: certificates,
    servername: 'hook-0.example.com',
  });
  const headers = {
    'content-type': 'application/json',
    'x-service-event-id': '01a1f7dd-0000-7000-8000-000000000000',
    'x-service-timestamp': '1795147200',
    'x-service-signature': `v1=${'0'.repeat(64)}`,
  };
  const post = (body: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const outgoing = request({ host: '127.0.0.1', port, method: 'POST', path: '/', agent, headers }, (answer) => {
        answer.resume().on('end', resolve);
      });
      outgoing.on('error', reject).end(body);
    });
  const startedMs = performance.now();
  let next = 0;
  const loop = async (): Promise<void> => {
    while (next < events) {
      next += 1;
      await post(bodyOf(next));
    }
  };
  await Promise.all(Array.from({ length: socketsMax }, loop));
  const result = perSecond(startedMs);
  agent.destroy();
  return result;
};

const hookOf = (at: number, nowMs: number): WebhookRecord => ({
  id: `hook-${at}`,
  projectId: `project-${at}`,
  url: `https://hook-${at}.example.com/`,
  events: ['request.completed'],
  status: 'enabled',
  secret: 'whsec_7Qx2nT0pK4uV9yB1cD3eF5gH6iJ8kL0mN2oP4qR6sT8',
  previousSecret: null,
  previousUntilMs: null,
  createdAtMs: nowMs,
  updatedAtMs: nowMs,
  disabledAtMs: null,
});

const deliveryOf = (at: number, nowMs: number): DeliveryRecord => ({
  id: `event-${at}`,
  webhookId: `hook-${at % hooks}`,
  eventId: `01a1f7dd-0000-7000-8000-${String(at).padStart(12, '0')}`,
  operationId: `operation-${at}`,
  projectId: `project-${at % hooks}`,
  eventType: 'request.completed',
  body: bodyOf(at),
  status: 'pending',
  attempts: 0,
  httpStatus: null,
  owner: null,
  dueAtMs: nowMs,
  createdAtMs: nowMs,
  updatedAtMs: nowMs,
});

const write = (storage: Storage, writes: readonly Extract<Write, { readonly kind: 'put' }>[]): Promise<null> =>
  storage.transact(
    writes.map(({ table, record }) => ({ table, id: record.id })),
    () => ({ writes, answer: null }),
  );

/** Deliveries that wait are sent by the jobs of a gateway: claimed, addressed, signed, posted, and recorded as delivered. */
const measureGateway = async (port: number): Promise<number> => {
  const storage = memoryStorage();
  const gateway = await createGateway({
    storage,
    logger: silentLogger,
    webhooks: {
      resolve: () => Promise.resolve(['93.184.215.14']),
      connect: () => connect(port, '127.0.0.1'),
      certificates,
    },
  });
  const nowMs = Date.now();
  const places = Array.from({ length: hooks }, (_, at) => hookOf(at, nowMs));
  await write(
    storage,
    places.map((record) => ({ kind: 'put', table: 'webhook', record })),
  );
  const startedMs = performance.now();
  for (let from = 0; from < events; from += socketsMax) {
    const waiting = Array.from({ length: Math.min(socketsMax, events - from) }, (_, at) =>
      deliveryOf(from + at, nowMs),
    );
    await write(
      storage,
      waiting.map((record) => ({ kind: 'put', table: 'delivery', record })),
    );
    await gateway.jobs.runDue();
  }
  const result = perSecond(startedMs);
  const sample = await storage.list('deliveriesByWebhook', { of: 'hook-0', limit: 100 });
  if (sample.some(({ status }) => status !== 'delivered')) throw new Error('not everything was delivered');
  await gateway.close();
  return result;
};

console.log(describeMachine());
const receiver = await startReceiver();
const rows: Record<string, number | string>[] = [];
for (let round = 1; round <= rounds; round += 1) {
  const bare = await measureBare(receiver.port);
  const gateway = await measureGateway(receiver.port);
  rows.push({
    round,
    'bare posts/s': bare,
    'signed deliveries/s': gateway,
    share: `${Math.round((100 * gateway) / bare)} %`,
  });
}
await receiver.stop();
console.table(rows);
