import { NotExecuted } from '@tollgate/provider';
import { expect, test } from 'vitest';
import { createEngineWorld, idOf } from '../../test/engine-world.ts';
import { findRequest } from '../operations/find-request.ts';
import { findToolContexts } from '../operations/tool-contexts.ts';
import { sweep } from '../../test/process-parts.ts';

const day = 24 * 3_600_000;

test('purges the answer after seven days, keeps the record and never executes again [idempotency:replay:purged]', async () => {
  const world = await createEngineWorld();
  const id = idOf(await world.run({ identity: 'once' }));
  await world.clock.advance(7 * day - 1);
  await sweep(world.engine);
  expect(await findRequest(world.engine, world.projectId, id)).toMatchObject({ body: '{"tokens":5}' });
  await world.clock.advance(1);
  expect(await sweep(world.engine)).toMatchObject({ purged: 1 });
  expect(await findRequest(world.engine, world.projectId, id)).toMatchObject({
    body: null,
    operation: { state: 'completed', answer: 'purged', chargedMicros: 5n },
  });
  expect(await world.run({ identity: 'once' })).toMatchObject({ code: 'result_expired', requestId: id });
  expect(world.executions()).toBe(1);
});

test('takes a large answer out of the blob store as well', async () => {
  const world = await createEngineWorld(100n, { limits: { inlineAnswerBytesMax: 4 } });
  const id = idOf(await world.run());
  expect(await world.storage.blobs.get(`answers/${id}`)).toBeDefined();
  await world.clock.advance(7 * day);
  await sweep(world.engine);
  expect(await world.storage.blobs.get(`answers/${id}`)).toBeUndefined();
});

test('removes record and identity together after ninety days, and keeps the entries [idempotency:retention]', async () => {
  const world = await createEngineWorld();
  const id = idOf(await world.run({ identity: 'once' }));
  await world.clock.advance(7 * day);
  await sweep(world.engine);
  await world.clock.advance(83 * day - 1);
  await sweep(world.engine);
  expect(await world.run({ identity: 'once' })).toMatchObject({ code: 'result_expired' });
  await world.clock.advance(1);
  expect(await sweep(world.engine)).toMatchObject({ purged: 1 });
  expect(await world.admin.readOperation(id)).toBeNull();
  expect(await world.run({ identity: 'once' })).toMatchObject({ kind: 'completed', replayed: false });
  const entries = await world.admin.readStatement(world.accountId);
  expect(entries.map(({ amountMicros }) => amountMicros)).toEqual([-5n, -5n, 100n]);
  expect((await world.admin.audit()).violations).toEqual([]);
});

test('keeps a failed record with its identity as long [idempotency:failed:refused]', async () => {
  const world = await createEngineWorld();
  const fails = { identity: 'once', execute: () => Promise.reject(new NotExecuted({ reason: 'failed' })) };
  const id = idOf(await world.run(fails));
  await world.clock.advance(90 * day - 1);
  await sweep(world.engine);
  expect(await world.run({ identity: 'once' })).toMatchObject({ code: 'previous_request_failed', requestId: id });
  await world.clock.advance(1);
  await sweep(world.engine);
  expect(await world.run({ identity: 'once' })).toMatchObject({ kind: 'completed' });
});

test('keeps records for ever where the host says so', async () => {
  const world = await createEngineWorld(100n, { limits: { recordKeptMs: null } });
  const id = idOf(await world.run({ identity: 'once' }));
  await world.clock.advance(7 * day);
  await sweep(world.engine);
  await world.clock.advance(4_000 * day);
  expect(await sweep(world.engine)).toMatchObject({ purged: 0 });
  expect(await world.run({ identity: 'once' })).toMatchObject({ code: 'result_expired', requestId: id });
});

test('never purges what is uncertain', async () => {
  const world = await createEngineWorld();
  const unknown = { identity: 'once', execute: () => Promise.reject(new Error('broken line')) };
  const id = idOf(await world.run(unknown));
  await world.clock.advance(200 * day);
  await sweep(world.engine);
  expect(await world.run({ identity: 'once' })).toMatchObject({ code: 'settlement_pending', requestId: id });
});

test('removes the state of a tool call when the answer goes', async () => {
  const world = await createEngineWorld();
  const toolContexts = [{ callId: 'call', context: 'sealed' }];
  await world.run({ answer: () => ({ body: '{}', toolContexts }) });
  const find = () => findToolContexts(world.engine, world.projectId, ['call']);
  expect(await find()).toEqual(new Map([['call', 'sealed']]));
  await world.clock.advance(7 * day);
  await sweep(world.engine);
  expect(await find()).toEqual(new Map());
});
