import { NotExecuted } from '@tollgate/provider';
import { expect, test } from 'vitest';
import { createEngineWorld, idOf } from '../../test/engine-world.ts';
import { giveSender, sweep } from '../../test/process-parts.ts';
import { createTrigger } from '../triggers/triggers.ts';
import { createWebhook } from '../webhooks/webhooks.ts';

const chosenId = '00000000-0000-7000-8000-00000000abcd';

/** A world with a webhook whose receiver refuses everything. */
const hookedWorld = async () => {
  const world = await createEngineWorld();
  giveSender(world.engine, {
    check: (url) => Promise.resolve({ kind: 'allowed', url }),
    send: () => Promise.resolve({ kind: 'answered', status: 500, retryAfterMs: null }),
    close: () => Promise.resolve(),
  });
  const created = await createWebhook(world.engine, {
    projectId: world.projectId,
    url: 'https://receiver.example/hook',
    events: ['request.completed', 'request.failed'],
  });
  if (created.kind !== 'created') throw new Error('too many');
  return { world, webhookId: created.webhook.id };
};

test('finds projects of one account and of all, and keys of a project, by what they are called', async () => {
  const { admin, accountId, projectId, clock } = await createEngineWorld();
  await clock.advance(1);
  const other = await admin.createAccount({ name: 'Grace' });
  await admin.createProject({ accountId: other.id, name: 'Compiler', metadata: { team: 'navy' } });
  const names = async (query: Parameters<typeof admin.findProjects>[0]) =>
    (await admin.findProjects(query)).items.map(({ name }) => name);
  expect(await names({})).toEqual(['Compiler', 'Engine']);
  expect(await names({ accountId })).toEqual(['Engine']);
  expect(await names({ search: 'NAVY' })).toEqual(['Compiler']);
  await clock.advance(1);
  await admin.createKey({ projectId, model: null, name: 'of the build' });
  expect((await admin.findKeys({ projectId, search: 'build' })).items.map(({ name }) => name)).toEqual([
    'of the build',
  ]);
  expect(JSON.stringify(await admin.findKeys({ projectId }))).not.toContain('secretHash');
});

test('finds the key of a reference in its project alone, and the search and the page hold for it too', async () => {
  const { admin, accountId, projectId } = await createEngineWorld();
  const made = await admin.createKeyOnce({ projectId, reference: 'user:42', name: 'Ada' });
  await admin.createKeyOnce({ projectId, reference: 'user:421' });
  const found = await admin.findKeys({ projectId, reference: 'user:42', limit: 1 });
  expect(found).toMatchObject({ items: [{ id: made?.id, reference: 'user:42', name: 'Ada' }], next: null });
  expect(JSON.stringify(found)).not.toContain('secretHash');
  const idsOf = async (query: Partial<Parameters<typeof admin.findKeys>[0]>) =>
    (await admin.findKeys({ projectId, reference: 'user:42', ...query })).items.map(({ id }) => id);
  expect(await idsOf({ search: 'ada' })).toEqual([made?.id]);
  expect(await idsOf({ search: 'grace' })).toEqual([]);
  expect(await idsOf({ reference: 'user:4' })).toEqual([]);
  expect(await idsOf({ after: { order: 0, id: made?.id ?? '' } })).toEqual([]);
  const other = await admin.createProject({ accountId, name: 'Other' });
  expect(await idsOf({ projectId: other?.id ?? '' })).toEqual([]);
});

test('renames a project and keeps what a host writes with it', async () => {
  const { admin, projectId } = await createEngineWorld();
  expect(await admin.changeProject(projectId, { name: 'Mill', metadata: { team: 'a' } })).toMatchObject({
    name: 'Mill',
  });
  expect(await admin.changeProject(projectId, { status: 'paused' })).toMatchObject({ name: 'Mill', status: 'paused' });
  expect(await admin.readProject(projectId)).toMatchObject({ name: 'Mill', metadata: { team: 'a' }, status: 'paused' });
  expect(await admin.changeProject(chosenId, { name: 'x' })).toBeNull();
});

test('finds operations of an account by state, model and key, and goes on behind a page', async () => {
  const world = await createEngineWorld();
  const { admin, accountId, clock } = world;
  const ids: string[] = [];
  for (let ran = 0; ran < 3; ran += 1) {
    ids.unshift(idOf(await world.run()));
    await clock.advance(1);
  }
  const failed = idOf(await world.run({ execute: () => Promise.reject(new NotExecuted({ reason: 'failed' })) }));
  const found = async (search: Parameters<typeof admin.findOperations>[0]) =>
    (await admin.findOperations(search)).items.map(({ id }) => id);
  expect(await found({ accountId })).toEqual([failed, ...ids]);
  expect(await found({ accountId, state: 'failed' })).toEqual([failed]);
  expect(await found({ projectId: world.projectId, accountId: chosenId })).toEqual([]);
  expect(await found({ accountId, model: 'other' })).toEqual([]);
  expect(await found({ state: 'uncertain' })).toEqual([]);
  const first = await admin.findOperations({ accountId, limit: 2 });
  expect(await found({ accountId, after: first.next ?? undefined })).toEqual(ids.slice(1));
});

test('states each entry with the balance after it, and each debit with its key and its model, in pages', async () => {
  const world = await createEngineWorld();
  await world.run();
  await world.run();
  const { accountId, keyId } = world;
  const first = await world.admin.findStatement({ accountId, limit: 2 });
  expect(first.items).toMatchObject([
    { seq: 3, kind: 'debit', amountMicros: -5n, balanceMicros: 90n, keyId, model: 'model' },
    { seq: 2, kind: 'debit', amountMicros: -5n, balanceMicros: 95n, keyId, model: 'model' },
  ]);
  const second = await world.admin.findStatement({ accountId, after: first.next ?? undefined });
  expect(second.items).toMatchObject([{ seq: 1, kind: 'deposit', balanceMicros: 100n, keyId: null, model: null }]);
  expect(second.next).toBeNull();
});

test('states a time, from its first millisecond to the one before its end', async () => {
  const world = await createEngineWorld();
  const { admin, accountId, clock } = world;
  const times: number[] = [];
  for (let ran = 0; ran < 7; ran += 1) {
    await clock.advance(10);
    times.push(clock.now());
    await world.run();
  }
  const seqs = async (range: Omit<Parameters<typeof admin.findStatement>[0], 'accountId'>) =>
    (await admin.findStatement({ accountId, ...range })).items.map(({ seq }) => seq);
  expect(await seqs({ fromMs: times[2], untilMs: times[5] })).toEqual([6, 5, 4]);
  expect(await seqs({ untilMs: times[0] })).toEqual([1]);
  expect(await seqs({ untilMs: times[1], limit: 1 })).toEqual([2]);
  expect(await seqs({ fromMs: times[6] })).toEqual([8]);
  expect(await seqs({ untilMs: 1 })).toEqual([]);
  const operations = await admin.findOperations({ accountId, fromMs: times[2], untilMs: times[5] });
  expect(operations.items.map(({ createdAtMs }) => createdAtMs)).toEqual([times[4], times[3], times[2]]);
  expect(operations.next).toBeNull();
});

test('finds the operations of a key by its project', async () => {
  const world = await createEngineWorld();
  const { admin, keyId } = world;
  const id = idOf(await world.run());
  expect((await admin.findOperations({ keyId })).items.map((operation) => operation.id)).toEqual([id]);
  expect((await admin.findOperations({ keyId: chosenId })).items).toEqual([]);
  await expect(admin.findOperations({ state: 'completed' })).rejects.toThrow('names accountId, projectId, keyId');
});

test('closes a project: it has no new keys, and its keys open nothing', async () => {
  const world = await createEngineWorld();
  const { admin, projectId } = world;
  expect(await admin.closeProject(projectId)).toMatchObject({ status: 'closed' });
  expect(await admin.createKey({ projectId, model: null })).toBeNull();
  expect(await world.run()).toMatchObject({ code: 'access_blocked' });
  expect(await admin.setProjectStatus(projectId, 'active')).toMatchObject({ status: 'closed' });
});

test('tells the life of an operation: opened, asked, ended, and told to its webhooks', async () => {
  const { world, webhookId } = await hookedWorld();
  const { admin, clock, projectId } = world;
  const id = idOf(await world.run({ identity: 'client-1' }));
  expect(await admin.findOperationByIdentity({ projectId, identity: 'client-1' })).toMatchObject({ id });
  expect(await admin.findOperationByIdentity({ projectId: chosenId, identity: 'client-1' })).toBeNull();
  expect(await admin.readOperationLife(id)).toMatchObject({ eventPending: true });
  await clock.advance(1);
  await sweep(world.engine);
  const life = await admin.readOperationLife(id);
  expect(life).toMatchObject({ eventPending: false, uncertain: null, operation: { id, state: 'completed' } });
  expect(life?.events.map(({ kind }) => kind)).toEqual(['opened', 'ended', 'delivery']);
  expect(life?.events).toMatchObject([{ holdMicros: null }, { chargedMicros: 5n }, { delivery: { webhookId } }]);
  expect(await admin.readOperationLife(chosenId)).toBeNull();
});

test('lists deliveries by project, webhook, operation and state', async () => {
  const { world, webhookId } = await hookedWorld();
  const { admin, clock, projectId } = world;
  const id = idOf(await world.run());
  await clock.advance(1);
  await world.run();
  await sweep(world.engine);
  const count = async (query: Parameters<typeof admin.findDeliveries>[0]) =>
    (await admin.findDeliveries(query)).items.length;
  expect(await count({})).toBe(2);
  expect(await count({ projectId })).toBe(2);
  expect(await count({ webhookId })).toBe(2);
  expect(await count({ operationId: id })).toBe(1);
  expect(await count({ operationId: id, projectId: chosenId })).toBe(0);
  expect(await count({ status: 'failed' })).toBe(0);
  expect(await admin.listWebhooks(projectId)).toMatchObject([{ id: webhookId, status: 'enabled' }]);
  expect(JSON.stringify([await admin.listWebhooks(projectId), await admin.readWebhook(webhookId)])).not.toMatch(
    /secret/i,
  );
});

test('lists schedules over projects with their next runs, pauses one and resumes it', async () => {
  const { admin, engine, accountId, projectId, keyId } = await createEngineWorld();
  const created = await createTrigger(engine, {
    triggerId: engine.newId(),
    accountId,
    projectId,
    keyId,
    displayName: 'hourly',
    schedule: '0 * * * *',
    timeZone: 'UTC',
    interaction: { shown: { input: 'Report.' }, whole: { kind: 'inline', sealed: 'Report.' } },
  });
  if (created.kind !== 'created') throw new Error('over the quota');
  const triggerId = created.trigger.id;
  const next = created.trigger.nextRunAtMs;
  expect((await admin.findSchedules()).items).toMatchObject([{ id: triggerId, nextRunAtMs: next, status: 'enabled' }]);
  expect((await admin.findSchedules({ projectId: chosenId })).items).toEqual([]);
  expect(await admin.setScheduleEnabled({ projectId, triggerId }, false)).toMatchObject({ nextRunAtMs: null });
  expect(await admin.setScheduleEnabled({ projectId, triggerId }, true)).toMatchObject({ nextRunAtMs: next });
  expect(await admin.setScheduleEnabled({ projectId: chosenId, triggerId }, false)).toBeNull();
  expect(await admin.readSchedule(triggerId)).toMatchObject({ displayName: 'hourly' });
  expect(await admin.listScheduleRuns(triggerId)).toEqual([]);
});

test('previews what a verdict would charge, and carries nothing out', async () => {
  const world = await createEngineWorld();
  const { admin } = world;
  const id = idOf(await world.run({ execute: () => Promise.reject(new Error('reset')) }));
  const usage = [{ unit: 'input_text_tokens', quantity: 3 }];
  expect(await admin.previewVerdict(id, { executed: true, usage })).toEqual({
    kind: 'judged',
    amountMicros: 3n,
    usage,
  });
  expect(await admin.previewVerdict(id, { executed: true, usage: 'at_least' })).toEqual({ kind: 'usage_needed' });
  expect(await admin.readOperation(id)).toMatchObject({ state: 'uncertain', verdict: null });
  expect(await admin.previewVerdict(chosenId, { executed: false })).toEqual({ kind: 'missing' });
});
