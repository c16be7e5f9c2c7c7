import type { EventType } from '@tollgate/contract';
import { verify } from '@tollgate/signature';
import { NotExecuted } from '@tollgate/provider';
import type { DeliveryRecord } from '@tollgate/storage';
import { expect, test } from 'vitest';
import { breathe, createEngineWorld, idOf, type EngineWorld } from '../../test/engine-world.ts';
import { attemptsMax, waitAfter } from '../decisions/delivery.ts';
import { createJobs } from '../jobs/jobs.ts';
import type { EngineOptions } from '../engine.ts';
import type { SendOutcome, WebhookSender } from './webhook-sender.ts';
import {
  createWebhook,
  deleteWebhook,
  findWebhook,
  listDeliveries,
  listWebhooks,
  rotateWebhookSecret,
  setWebhookEnabled,
} from './webhooks.ts';
import { giveSender, partsOf, sweep } from '../../test/process-parts.ts';

type Sent = Parameters<WebhookSender['send']>[0];

const delivered: SendOutcome = { kind: 'answered', status: 200, retryAfterMs: null };
const both: readonly EventType[] = ['request.completed', 'request.failed'];

const createWorld = async (answer: (sent: Sent) => SendOutcome | Promise<SendOutcome> = () => delivered) => {
  const sent: Sent[] = [];
  const webhookSender: WebhookSender = {
    check: (url) => Promise.resolve({ kind: 'allowed', url }),
    send: async (delivery) => {
      sent.push(delivery);
      return answer(delivery);
    },
    close: () => Promise.resolve(),
  };
  const clock: { now: () => number } = { now: () => 0 };
  const world = await createEngineWorld(100n, { wallClockMs: () => clock.now() });
  giveSender(world.engine, webhookSender);
  const { another } = world;
  // Other processes send by the same sender.
  Object.assign(world, {
    another: (options: Partial<EngineOptions> = {}) => {
      const engine = another(options);
      giveSender(engine, webhookSender);
      return engine;
    },
  });
  clock.now = world.clock.now;
  const hook = async (events: readonly EventType[] = both) => {
    const input = { projectId: world.projectId, url: 'https://receiver.example/hook', events };
    const created = await createWebhook(world.engine, input);
    if (created.kind !== 'created') throw new Error('too many');
    return { ...created.webhook, secret: created.secret };
  };
  const work = async (): Promise<void> => {
    await sweep(world.engine);
    await partsOf(world.engine).deliveries?.idle();
  };
  return { world, sent, hook, work };
};

const only = async (world: EngineWorld, webhookId: string): Promise<DeliveryRecord> => {
  const [delivery] = await listDeliveries(world.engine, webhookId);
  if (delivery === undefined) throw new Error('no delivery');
  return delivery;
};

/** A sweep by another process than the world's own. */
const sweepOf = async (engine: EngineWorld['engine']): Promise<void> => {
  await sweep(engine);
  await partsOf(engine).deliveries?.idle();
};

const isSigned = (world: EngineWorld, { headers, body }: Sent, secret: string): boolean => {
  const signed = {
    eventId: headers['x-service-event-id'] ?? null,
    timestamp: headers['x-service-timestamp'] ?? null,
    signature: headers['x-service-signature'] ?? null,
    body: Buffer.from(body),
  };
  return verify([secret], signed, { nowMs: world.clock.now() }).kind === 'valid';
};

const failing = { execute: () => Promise.reject(new NotExecuted({ reason: 'failed' })) };
const bodyOf = (sent: Sent | undefined): unknown => JSON.parse(sent?.body ?? 'null');

test('tells a webhook of a settled request, signed, without its content [webhooks:envelope:fields]', async () => {
  const { world, sent, hook, work } = await createWorld();
  const webhook = await hook();
  const id = idOf(await world.run());
  expect(sent).toEqual([]);
  await work();
  const [delivery] = sent;
  expect(bodyOf(delivery)).toEqual({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    type: 'request.completed',
    created_at: expect.stringMatching(/Z$/),
    data: {
      request_id: id,
      project_id: world.projectId,
      status: 'completed',
      credits: 0.000005,
      request_url: `/api/v1/ai/requests/${id}`,
    },
  });
  const headers = delivery?.headers ?? {};
  expect(headers['x-service-event-id']).toMatch(/^[0-9a-f-]{36}$/);
  expect(delivery && isSigned(world, delivery, webhook.secret)).toBe(true);
  expect(await only(world, webhook.id)).toMatchObject({ status: 'delivered', attempts: 1, httpStatus: 200 });
});

test('tells of what this process has ended at once, and of what another one has with the next sweep (G68)', async () => {
  const { world, sent, hook } = await createWorld();
  await hook();
  const jobs = createJobs(world.engine, partsOf(world.engine));
  jobs.start();
  const startMs = world.clock.now();
  await world.run();
  await world.run(failing);
  await world.clock.advance(0);
  await breathe();
  expect(sent.map((one) => bodyOf(one))).toMatchObject([{ type: 'request.completed' }, { type: 'request.failed' }]);
  expect(world.clock.now()).toBe(startMs);
  await world.runOn(world.another());
  await world.clock.advance(0);
  await breathe();
  expect(sent).toHaveLength(2);
  await world.clock.advance(world.engine.limits.sweepMs);
  await breathe();
  expect(sent).toHaveLength(3);
  await jobs.stop();
});

test('sends a test event and a repeat on demand at once', async () => {
  const { world, sent, hook } = await createWorld();
  const webhook = await hook();
  const jobs = createJobs(world.engine, partsOf(world.engine));
  jobs.start();
  const tried = await world.admin.sendTestEvent({ webhookId: webhook.id, projectId: world.projectId });
  await world.clock.advance(0);
  await breathe();
  expect(sent).toHaveLength(1);
  await world.admin.redeliver({ webhookId: webhook.id, deliveryId: tried?.id ?? '' });
  await world.clock.advance(0);
  await breathe();
  expect(sent).toHaveLength(2);
  await jobs.stop();
});

test('claims nothing for a request that no webhook subscribes to', async () => {
  const { world } = await createWorld();
  const jobs = createJobs(world.engine, partsOf(world.engine));
  jobs.start();
  let claims = 0;
  world.faults = (call) => {
    if (call.name === 'claim') claims += 1;
    return undefined;
  };
  await world.run();
  await world.clock.advance(0);
  await breathe();
  expect(claims).toBe(0);
  await jobs.stop();
});

test('puts a round off for no hint that follows the first', async () => {
  const planned: { readonly ms: number; calledOff: boolean }[] = [];
  const { world } = await createWorld();
  const engine = world.another({
    after: (ms) => {
      const one = { ms, calledOff: false };
      planned.push(one);
      return () => {
        one.calledOff = true;
      };
    },
  });
  const jobs = createJobs(engine, partsOf(engine));
  jobs.start();
  for (let hints = 0; hints < 3; hints += 1) engine.signals.eventsDue.notify();
  expect(planned.filter(({ ms }) => ms === 0)).toEqual([{ ms: 0, calledOff: false }]);
  await jobs.stop();
});

test('tells of a failure with its code and no text [webhooks:event:data-of-failed]', async () => {
  const { world, sent, hook, work } = await createWorld();
  await hook();
  await world.run(failing);
  await work();
  expect(bodyOf(sent[0])).toMatchObject({
    type: 'request.failed',
    data: { status: 'failed', credits: 0, error_code: 'request_failed' },
  });
});

test('says nothing of an uncertain request until it is decided [webhooks:event:uncertain-silent]', async () => {
  const { world, sent, hook, work } = await createWorld();
  await hook();
  const id = idOf(await world.run({ execute: () => Promise.reject(new Error('lost')) }));
  await work();
  expect(sent).toEqual([]);
  await world.admin.resolveOperation(id, { executed: false });
  await work();
  expect(sent).toHaveLength(1);
});

test('sends only what a webhook has subscribed to, and only to its project [webhooks:event:subscribed-only]', async () => {
  const { world, sent, hook, work } = await createWorld();
  await hook(['request.failed']);
  const foreign = { projectId: 'another', url: 'https://receiver.example/', events: both };
  await createWebhook(world.engine, foreign);
  await world.run();
  await work();
  expect(sent).toEqual([]);
});

test('sends nothing from before a webhook was created [webhooks:event:since-creation]', async () => {
  const { world, sent, hook, work } = await createWorld();
  await world.run();
  await hook();
  await work();
  expect(sent).toEqual([]);
});

test('leaves no record of what happens while a webhook is paused, and skips what is due then [webhooks:delivery:to-skipped]', async () => {
  const { world, sent, hook, work } = await createWorld();
  const webhook = await hook();
  const name = { webhookId: webhook.id, projectId: world.projectId };
  await world.run();
  await setWebhookEnabled(world.engine, name, false);
  await world.run();
  await work();
  expect(sent).toEqual([]);
  expect(await listDeliveries(world.engine, webhook.id)).toMatchObject([{ status: 'skipped', attempts: 0 }]);
  await setWebhookEnabled(world.engine, name, true);
  await work();
  expect(sent).toEqual([]);
  await world.run();
  await work();
  expect(sent).toHaveLength(1);
});

test('tries eight times, with the same event, a fresh signature, and the waits of the schedule [webhooks:delivery:eight-attempts] [webhooks:delivery:same-event-id]', async () => {
  const { world, sent, hook, work } = await createWorld(() => ({ kind: 'answered', status: 500, retryAfterMs: null }));
  const webhook = await hook();
  await world.run();
  const waits: number[] = [];
  for (;;) {
    await work();
    const delivery = await only(world, webhook.id);
    if (delivery.status !== 'pending') break;
    waits.push((delivery.dueAtMs ?? 0) - world.clock.now());
    await world.clock.advance(waits.at(-1) ?? 0);
  }
  expect(await only(world, webhook.id)).toMatchObject({ status: 'failed', attempts: attemptsMax, httpStatus: 500 });
  expect(sent).toHaveLength(8);
  expect(new Set(sent.map(({ headers }) => headers['x-service-event-id'])).size).toBe(1);
  expect(new Set(sent.map(({ headers }) => headers['x-service-signature'])).size).toBe(8);
  const schedule = [5_000, 300_000, 1_800_000, 7_200_000, 18_000_000, 36_000_000, 36_000_000];
  for (const [at, waitMs] of waits.entries()) {
    expect(waitMs).toBeGreaterThanOrEqual((schedule[at] ?? 0) * 0.9);
    expect(waitMs).toBeLessThanOrEqual((schedule[at] ?? 0) * 1.1);
  }
  expect(waits).toHaveLength(7);
});

test('keeps a failed attempt pending, with the status or none [webhooks:delivery:to-pending]', async () => {
  const answers: SendOutcome[] = [{ kind: 'unreachable' }, { kind: 'answered', status: 302, retryAfterMs: null }];
  const { world, hook, work } = await createWorld(() => answers.shift() ?? delivered);
  const webhook = await hook();
  await world.run();
  await work();
  expect(await only(world, webhook.id)).toMatchObject({ status: 'pending', attempts: 1, httpStatus: null });
  await world.clock.advance(6_000);
  await work();
  expect(await only(world, webhook.id)).toMatchObject({ status: 'pending', attempts: 2, httpStatus: 302 });
  await world.clock.advance(400_000);
  await work();
  expect(await only(world, webhook.id)).toMatchObject({ status: 'delivered', attempts: 3, httpStatus: 200 });
});

test('skips for good what may not be sent there any more', async () => {
  const { world, hook, work } = await createWorld(() => ({ kind: 'refused' }));
  const webhook = await hook();
  await world.run();
  await work();
  expect(await only(world, webhook.id)).toMatchObject({ status: 'skipped', attempts: 0 });
});

test('heeds Retry-After within bounds', () => {
  expect(waitAfter(1, 60_000, 0.5)).toBe(60_000);
  expect(waitAfter(1, 1_000, 0.5)).toBe(5_000);
  expect(waitAfter(1, 10 ** 12, 0.5)).toBe(36_000_000);
});

test('sends to others while one receiver is slow, and holds no more than eight of its deliveries', async () => {
  const stuck = Promise.withResolvers<SendOutcome>();
  const { world, sent, hook } = await createWorld(({ url }) => (url.includes('slow') ? stuck.promise : delivered));
  const slow = await createWebhook(world.engine, {
    projectId: world.projectId,
    url: 'https://slow.example/',
    events: both,
  });
  if (slow.kind !== 'created') throw new Error('too many');
  const quick = await hook();
  for (let at = 0; at < 10; at += 1) await world.run();
  await sweep(world.engine);
  await world.clock.advance(2_000);
  await sweep(world.engine);
  await world.clock.advance(2_000);
  expect(sent.filter(({ url }) => url.includes('slow'))).toHaveLength(8);
  const quickOnes = await listDeliveries(world.engine, quick.id);
  expect(quickOnes.filter(({ status }) => status === 'delivered')).toHaveLength(10);
  stuck.resolve(delivered);
  await partsOf(world.engine).deliveries?.idle();
});

test('sends one more to a slow receiver for each that it accepted, and holds eight again', async () => {
  const waiting: ((outcome: SendOutcome) => void)[] = [];
  const { world, sent, hook } = await createWorld(() => {
    const { promise, resolve } = Promise.withResolvers<SendOutcome>();
    waiting.push(resolve);
    return promise;
  });
  await hook();
  for (let at = 0; at < 12; at += 1) await world.run();
  const goOn = async (): Promise<void> => {
    await breathe();
    await world.clock.advance(2_000);
    await sweep(world.engine);
  };
  await goOn();
  await goOn();
  expect(sent).toHaveLength(8);
  waiting[0]?.(delivered);
  await goOn();
  await goOn();
  expect(sent).toHaveLength(9);
  for (let at = 1; at < 12; at += 1) {
    waiting[at]?.(delivered);
    await goOn();
  }
  await partsOf(world.engine).deliveries?.idle();
  expect(sent).toHaveLength(12);
});

test('leaves room for others beside a project whose receivers all hang', async () => {
  const stuck = Promise.withResolvers<SendOutcome>();
  const { world, sent } = await createWorld(({ url }) => (url.includes('slow') ? stuck.promise : delivered));
  for (let at = 0; at < 20; at += 1) {
    const url = `https://slow${at}.example/`;
    await createWebhook(world.engine, { projectId: world.projectId, url, events: both });
  }
  for (let at = 0; at < 5; at += 1) await world.run();
  await sweep(world.engine);
  expect(sent).toHaveLength(64);
  const elsewhere = await world.admin.createProject({ accountId: world.accountId, name: 'Elsewhere' });
  const projectId = elsewhere?.id ?? '';
  const other = await createWebhook(world.engine, { projectId, url: 'https://quick.example/', events: both });
  if (other.kind !== 'created') throw new Error('too many');
  await world.admin.sendTestEvent({ webhookId: other.webhook.id, projectId });
  await sweep(world.engine);
  expect(sent.at(-1)?.url).toBe('https://quick.example/');
  stuck.resolve(delivered);
  await partsOf(world.engine).deliveries?.idle();
});

test('enables a hundred webhooks of a project at the most, resumed ones too', async () => {
  const { world, hook } = await createWorld();
  const first = await hook();
  const name = { webhookId: first.id, projectId: world.projectId };
  await setWebhookEnabled(world.engine, name, false);
  for (let at = 0; at < 100; at += 1) await hook();
  expect(await setWebhookEnabled(world.engine, name, true)).toBe('too_many');
  const input = { projectId: world.projectId, url: 'https://receiver.example/', events: both };
  expect(await createWebhook(world.engine, input)).toEqual({ kind: 'too_many' });
});

test('sends again what a dead process had claimed, under the same id', async () => {
  const stuck = Promise.withResolvers<SendOutcome>();
  let first = true;
  const { world, sent, hook } = await createWorld(() => {
    if (!first) return delivered;
    first = false;
    return stuck.promise;
  });
  const webhook = await hook();
  await world.run();
  await sweep(world.engine);
  const other = world.another();
  await sweep(other);
  await partsOf(other).deliveries?.idle();
  expect(sent).toHaveLength(1);
  await world.clock.advance(world.engine.limits.leaseMs + 1);
  await sweep(other);
  await partsOf(other).deliveries?.idle();
  expect(sent).toHaveLength(2);
  expect(await only(world, webhook.id)).toMatchObject({ status: 'delivered', attempts: 1 });
  stuck.resolve({ kind: 'unreachable' });
  await partsOf(world.engine).deliveries?.idle();
  expect(await only(world, webhook.id)).toMatchObject({ status: 'delivered', attempts: 1 });
});

test('deletes a webhook for good and keeps its history [webhooks:delete:final]', async () => {
  const { world, hook, work } = await createWorld();
  const webhook = await hook();
  const name = { webhookId: webhook.id, projectId: world.projectId };
  await world.run();
  await work();
  expect(await deleteWebhook(world.engine, name)).toMatchObject({ status: 'disabled' });
  expect(await setWebhookEnabled(world.engine, name, true)).toBeNull();
  expect(await deleteWebhook(world.engine, name)).toBeNull();
  expect(await listWebhooks(world.engine, world.projectId)).toEqual([]);
  expect(await findWebhook(world.engine, name)).toMatchObject({ status: 'disabled' });
  expect(await listDeliveries(world.engine, webhook.id)).toHaveLength(1);
});

test('signs with both secrets while one is being rotated', async () => {
  const { world, sent, hook, work } = await createWorld();
  const webhook = await hook();
  const name = { webhookId: webhook.id, projectId: world.projectId };
  const rotated = await rotateWebhookSecret(world.engine, name, { overlapMs: 60_000 });
  await world.run();
  await work();
  await world.clock.advance(60_001);
  await world.run();
  await work();
  const secrets = [webhook.secret, rotated?.secret ?? ''];
  expect(sent.map((one) => secrets.map((secret) => isSigned(world, one, secret)))).toEqual([
    [true, true],
    [false, true],
  ]);
});

test('keeps secrets sealed, each for its own webhook', async () => {
  const { world, hook } = await createWorld();
  const [one, other] = [await hook(), await hook()];
  const name = { webhookId: one.id, projectId: world.projectId };
  const rotated = await rotateWebhookSecret(world.engine, name);
  const kept = await findWebhook(world.engine, name);
  expect(rotated?.secret).toMatch(/^whsec_[\w-]{43}$/);
  for (const secret of [one.secret, other.secret, rotated?.secret ?? ''])
    expect(JSON.stringify([kept, await listWebhooks(world.engine, world.projectId)])).not.toContain(secret);
  const seal = world.engine.webhookSeal;
  expect([kept?.secret, kept?.previousSecret].map((sealed) => seal?.open(sealed ?? '', one.id))).toEqual([
    rotated?.secret,
    one.secret,
  ]);
  expect(() => seal?.open(kept?.secret ?? '', other.id)).toThrow('about something else');
});

test('sends nothing where the secret cannot be opened, says so, and sends once it can', async () => {
  const { world, sent, hook } = await createWorld();
  const webhook = await hook();
  await world.run();
  await sweepOf(world.another({ secrets: ['of another host'] }));
  expect(sent).toEqual([]);
  expect(world.warnings).toEqual([expect.stringContaining('the secret of a webhook cannot be opened')]);
  expect(await only(world, webhook.id)).toMatchObject({ status: 'pending', attempts: 1, httpStatus: null });
  await world.clock.advance(6_000);
  await sweepOf(world.another({ secrets: ['of another host', 'the secret of the engine world'] }));
  expect(await only(world, webhook.id)).toMatchObject({ status: 'delivered', attempts: 2 });
  expect(sent.map((one) => isSigned(world, one, webhook.secret))).toEqual([true]);
});

test('signs with the new secret alone where the one before it cannot be opened', async () => {
  const { world, sent, hook } = await createWorld();
  const webhook = await hook();
  const changed = world.another({ secrets: ['of another host'] });
  const rotated = await rotateWebhookSecret(changed, { webhookId: webhook.id, projectId: world.projectId });
  await world.run();
  await sweepOf(changed);
  expect(sent.map(({ headers }) => headers['x-service-signature']?.split(',').length)).toEqual([1]);
  expect(sent.map((one) => isSigned(world, one, rotated?.secret ?? ''))).toEqual([true]);
  expect(world.warnings).toEqual([expect.stringContaining('cannot be opened')]);
});

test('registers no webhook in an engine without secrets', async () => {
  const { world } = await createWorld();
  const input = { projectId: world.projectId, url: 'https://receiver.example/hook', events: both };
  await expect(createWebhook(world.another({ secrets: [] }), input)).rejects.toThrow('without secrets');
});

test('sends a test event and repeats a delivery on demand', async () => {
  const { world, sent, hook, work } = await createWorld();
  const webhook = await hook();
  const name = { webhookId: webhook.id, projectId: world.projectId };
  const tried = await world.admin.sendTestEvent(name);
  await work();
  expect(sent).toHaveLength(1);
  await world.admin.redeliver({ webhookId: webhook.id, deliveryId: tried?.id ?? '' });
  await work();
  expect(sent).toHaveLength(2);
  expect(sent[1]?.headers['x-service-event-id']).toBe(sent[0]?.headers['x-service-event-id']);
});

test('tries a receiver with an event of a type that it listed [webhooks:event:subscribed-only]', async () => {
  const { world, sent, hook, work } = await createWorld();
  const webhook = await hook(['request.failed']);
  const tried = await world.admin.sendTestEvent({ webhookId: webhook.id, projectId: world.projectId });
  expect(tried?.eventType).toBe('request.failed');
  await work();
  expect(bodyOf(sent[0])).toEqual({
    id: tried?.eventId,
    type: 'request.failed',
    created_at: expect.stringMatching(/Z$/),
    data: {
      request_id: tried?.operationId,
      project_id: world.projectId,
      status: 'failed',
      credits: 0,
      request_url: `/api/v1/ai/requests/${tried?.operationId}`,
      error_code: 'request_failed',
    },
  });
});

test('sends to others although one delivery cannot even be tried', async () => {
  const { world, sent, hook, work } = await createWorld();
  const created = await createWebhook(world.engine, { projectId: world.projectId, url: 'no address', events: both });
  if (created.kind !== 'created') throw new Error('too many');
  await hook();
  await world.run();
  await work();
  expect(sent.map(({ url }) => url)).toEqual(['https://receiver.example/hook']);
  expect(await only(world, created.webhook.id)).toMatchObject({ status: 'pending' });
  expect(world.warnings).toContain('a delivery could not be processed');
});

test('sends a delivery again for its own webhook alone', async () => {
  const { world, sent, hook, work } = await createWorld();
  const [one, another] = [await hook(), await hook()];
  await world.run();
  await work();
  const { id } = await only(world, one.id);
  expect(sent).toHaveLength(2);
  expect(await world.admin.redeliver({ webhookId: another.id, deliveryId: id })).toBeNull();
  await work();
  expect(sent).toHaveLength(2);
  expect(await world.admin.redeliver({ webhookId: one.id, deliveryId: id })).toMatchObject({ id, status: 'pending' });
});

test('lists webhooks up to 1 MiB of them, the newest first', async () => {
  const { world } = await createWorld();
  const { engine, projectId, clock } = world;
  const ids: string[] = [];
  for (let place = 0; place < 12; place += 1) {
    const url = `https://receiver.example/${'x'.repeat(100_000)}`;
    const created = await createWebhook(engine, { projectId, url, events: both });
    if (created.kind !== 'created') throw new Error('too many');
    ids.unshift(created.webhook.id);
    await clock.advance(1);
  }
  expect((await listWebhooks(engine, projectId)).map(({ id }) => id)).toEqual(ids.slice(0, 10));
});
