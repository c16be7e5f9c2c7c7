import { expect, test } from 'vitest';
import { createEngineWorld, idOf } from '../../test/engine-world.ts';

test('reads entries newest first, and pages on by number', async () => {
  const world = await createEngineWorld(1_000n);
  for (let ran = 0; ran < 3; ran += 1) await world.run();
  const entries = await world.admin.readStatement(world.accountId);
  expect(entries.map(({ seq, amountMicros }) => [seq, amountMicros])).toEqual([
    [4, -5n],
    [3, -5n],
    [2, -5n],
    [1, 1_000n],
  ]);
  expect((await world.admin.readStatement(world.accountId, 3)).map(({ seq }) => seq)).toEqual([2, 1]);
});

test('names operation and price list on every debit', async () => {
  const world = await createEngineWorld();
  const id = idOf(await world.run());
  expect((await world.admin.readStatement(world.accountId))[0]).toMatchObject({
    kind: 'debit',
    operationId: id,
    tariffVersion: 'v1',
  });
});

test('lists operations by account, project and state, and pages on', async () => {
  const world = await createEngineWorld();
  const ids: string[] = [];
  for (let ran = 0; ran < 3; ran += 1) {
    ids.unshift(idOf(await world.run()));
    await world.clock.advance(1);
  }
  const broken = idOf(await world.run({ execute: () => Promise.reject(new Error('reset')) }));
  const list = world.admin.listOperations;
  const byAccount = await list({ kind: 'account', accountId: world.accountId });
  expect(byAccount.map(({ id }) => id)).toEqual([broken, ...ids]);
  const byProject = await list({ kind: 'project', projectId: world.projectId }, byAccount[1]);
  expect(byProject.map(({ id }) => id)).toEqual(ids.slice(1));
  expect((await list({ kind: 'state', state: 'uncertain' })).map(({ id }) => id)).toEqual([broken]);
  expect(await list({ kind: 'state', state: 'processing' })).toEqual([]);
});

test('ends a page of operations at 1 MiB, and goes on behind its last one', async () => {
  const world = await createEngineWorld();
  const id = idOf(await world.run());
  const operation = await world.admin.readOperation(id);
  if (operation === null) throw new Error('no such operation');
  const attempt = { provider: 'p', startedAtMs: 1, durationMs: 1, status: 200, outcome: 'answered' } as const;
  const attempts = Array.from({ length: 500 }, () => ({ ...attempt, upstreamId: 'x'.repeat(200) }));
  const ids = Array.from({ length: 12 }, (_, place) => `00000000-0000-7000-8000-0000000000${10 + place}`);
  for (const [place, other] of ids.entries()) {
    const record = { ...operation, id: other, attempts, createdAtMs: operation.createdAtMs + 1 + place };
    await world.storage.transact([{ table: 'operation', id: other }], () => ({
      writes: [{ kind: 'put', table: 'operation', record }],
      answer: undefined,
    }));
  }
  const seen: string[] = [];
  const lengths: number[] = [];
  for (;;) {
    const last = seen.at(-1) === undefined ? undefined : await world.admin.readOperation(seen.at(-1) ?? '');
    const page = await world.admin.listOperations({ kind: 'account', accountId: world.accountId }, last ?? undefined);
    if (page.length === 0) break;
    lengths.push(page.length);
    seen.push(...page.map((each) => each.id));
  }
  expect(seen).toEqual([...ids.toReversed(), id]);
  expect(lengths).toEqual([6, 7]);
});

test('returns null for an operation that is not there', async () => {
  const { admin } = await createEngineWorld();
  expect(await admin.readOperation('nobody')).toBeNull();
});
