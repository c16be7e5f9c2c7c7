import assert from 'node:assert/strict';
import { assertRefused, okJson, requestIdOf } from './answer.ts';
import { gatewayCase, type GatewayCase } from './gateway-case.ts';
import type { GatewayWorld } from './gateway-world.ts';
import { plainAnswerMicros, suiteModel } from './suite-tariff.ts';

/** Starts a chat that stays with the provider until it is let go. */
const holdOpen = async (world: GatewayWorld) => {
  const { promise: until, resolve } = Promise.withResolvers<void>();
  world.provider.script({ kind: 'wait', until, next: { kind: 'answer' } });
  const calls = world.provider.calls.length;
  const asked = world.chat();
  await world.provider.received(calls + 1);
  return async () => {
    resolve();
    return asked;
  };
};

/** A host that keeps the wallet keeps the entries as well. */
const isHostsWallet = async ({ admin, wallet, accountId }: GatewayWorld): Promise<boolean> =>
  (await wallet.read(accountId)).balanceMicros !== (await admin.readWallet(accountId))?.balanceMicros;

/** What an operator does with accounts, projects and keys, on any storage. */
export const administrationCases: readonly GatewayCase[] = [
  gatewayCase('closes an account: nothing new is opened, and what runs settles', async (world) => {
    const { admin, accountId } = world;
    const finish = await holdOpen(world);
    const closed = await admin.closeAccount(accountId);
    assert.equal(closed?.account.status, 'closed');
    assertRefused(await world.chat(), 403, 'access_blocked');
    assert.equal(await admin.createProject({ accountId, name: 'late' }), null);
    const { balanceMicros } = await world.wallet.read(accountId);
    const answer = await finish();
    assert.equal(answer.status, 200);
    assert.deepEqual(await world.wallet.read(accountId), {
      balanceMicros: balanceMicros - plainAnswerMicros,
      reservedMicros: 0n,
    });
    assert.equal((await admin.setAccountStatus(accountId, 'active'))?.status, 'closed');
    assertRefused(await world.chat(), 403, 'access_blocked');
  }),
  gatewayCase('closes a project: its keys open nothing, and another project of the account goes on', async (world) => {
    const { admin, accountId, projectId } = world;
    const other = await world.createCaller({ projectId: await world.createProject(accountId), model: suiteModel });
    assert.equal((await admin.closeProject(projectId))?.status, 'closed');
    assertRefused(await world.chat(), 403, 'access_blocked');
    assert.equal(await admin.createKey({ projectId, model: null }), null);
    okJson(await world.chat(undefined, { key: other.key }));
  }),
  gatewayCase('renames accounts, projects and keys, keeps texts with them, and finds them by both', async (world) => {
    const { admin, accountId, projectId, keyId } = world;
    await admin.changeAccount(accountId, { name: 'Ada & Söhne', metadata: { customer: 'c-7, "east"' } });
    await admin.changeProject(projectId, { name: 'Engine', metadata: { team: 'blue' } });
    await admin.changeKey(keyId, { name: 'build' });
    assert.deepEqual((await admin.readAccount(accountId))?.metadata, { customer: 'c-7, "east"' });
    const found = [
      await admin.findAccounts({ search: 'C-7' }),
      await admin.findProjects({ search: 'BLUE' }),
      await admin.findKeys({ projectId, search: 'build' }),
    ];
    assert.deepEqual(
      found.map(({ items }) => items.map(({ id, name }) => [id, name])),
      [[[accountId, 'Ada & Söhne']], [[projectId, 'Engine']], [[keyId, 'build']]],
    );
    okJson(await world.chat());
    assert.equal((await admin.changeAccount(accountId, { metadata: null }))?.metadata, null);
  }),
  gatewayCase(
    'states each entry with the balance after it, the key and the model, in pages and by time',
    async (world) => {
      const { admin, accountId, keyId } = world;
      if (await isHostsWallet(world)) return;
      const opened = okJson(await world.chat());
      world.time.advance(60_000);
      const until = world.time.now();
      okJson(await world.chat());
      const { items } = await admin.findStatement({ accountId });
      const { balanceMicros } = await world.wallet.read(accountId);
      assert.deepEqual(
        items.map((entry) => [entry.kind, entry.balanceMicros, entry.keyId, entry.model]),
        [
          ['debit', balanceMicros, keyId, suiteModel],
          ['debit', balanceMicros + plainAnswerMicros, keyId, suiteModel],
          ['deposit', balanceMicros + 2n * plainAnswerMicros, null, null],
        ],
      );
      const first = await admin.findStatement({ accountId, limit: 2 });
      const rest = await admin.findStatement({ accountId, after: first.next ?? undefined });
      assert.deepEqual([...first.items, ...rest.items], items);
      const before = await admin.findStatement({ accountId, untilMs: until });
      assert.deepEqual(before.items, items.slice(1));
      assert.deepEqual((await admin.findStatement({ accountId, fromMs: until })).items, items.slice(0, 1));
      assert.equal(opened.at('service', 'credits').number(), Number(plainAnswerMicros) / 1_000_000);
    },
  ),
  gatewayCase('finds operations by account, project, key, state and time', async (world) => {
    const { admin, accountId, projectId, keyId } = world;
    const first = requestIdOf(await world.chat());
    world.time.advance(60_000);
    const middle = world.time.now();
    const second = requestIdOf(await world.chat());
    const found = async (search: Parameters<typeof admin.findOperations>[0]) =>
      (await admin.findOperations(search)).items.map(({ id }) => id);
    assert.deepEqual(await found({ accountId }), [second, first]);
    assert.deepEqual(await found({ projectId, model: suiteModel }), [second, first]);
    assert.deepEqual(await found({ keyId, fromMs: middle }), [second]);
    assert.deepEqual(await found({ keyId, untilMs: middle, state: 'completed' }), [first]);
    assert.deepEqual(await found({ accountId, state: 'failed' }), []);
    const life = await admin.readOperationLife(second);
    assert.deepEqual(
      life?.events.map(({ kind }) => kind).filter((kind) => kind !== 'attempt'),
      ['opened', 'ended'],
    );
  }),
];
