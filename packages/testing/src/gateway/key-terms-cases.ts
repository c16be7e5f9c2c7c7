import assert from 'node:assert/strict';
import { assertRefused, jsonOf, okJson, type Answer } from './answer.ts';
import { gatewayCase, type GatewayCase } from './gateway-case.ts';
import { greeting, type Caller, type GatewayWorld } from './gateway-world.ts';
import { plainAnswerMicros, suiteModel } from './suite-tariff.ts';

type Terms = Omit<Parameters<GatewayWorld['admin']['createKey']>[0], 'projectId' | 'model'>;

const keyWith = async (world: GatewayWorld, terms: Terms, model: string | null = null): Promise<Caller> => {
  const created = await world.admin.createKey({ projectId: world.projectId, model, ...terms });
  assert.ok(created !== null);
  const { id, key, projectId, accountId } = created;
  return { key, keyId: id, projectId, accountId };
};

const messageOf = (answer: Answer): string => jsonOf(JSON.parse(answer.text)).at('error', 'message').text();

const hour = 3_600_000;

const day = 24 * hour;

/** A day's cap of this many micro-credits. */
const daily = (amountMicros: bigint): Terms => ({ cap: { amountMicros, window: 'day' } });

/** What one chat holds, as its record says while it waits with the provider. */
const holdOfChat = async (world: GatewayWorld): Promise<bigint> => {
  const { promise: until, resolve } = Promise.withResolvers<void>();
  world.provider.script({ kind: 'wait', until, next: { kind: 'answer' } });
  const before = world.provider.calls.length;
  const asked = world.chat(greeting);
  await world.provider.received(before + 1);
  const { reservedMicros } = await world.wallet.read(world.accountId);
  resolve();
  okJson(await asked);
  return reservedMicros;
};

/** The refusal of an expiry. */
const past = (expiresAtMs: number): RegExp => new RegExp(`expiresAtMs is ${expiresAtMs}, .* in milliseconds`);

/** What keys may do: until when, with which models, and for how much. */
export const keyTermsCases: readonly GatewayCase[] = [
  gatewayCase('a key that has expired is refused with a code of its own, and lets nothing in', async (world) => {
    const { key } = await keyWith(world, { expiresAtMs: world.time.now() + hour });
    okJson(await world.chat(undefined, { key }));
    world.time.advance(hour);
    const refused = await world.chat(undefined, { key });
    assertRefused(refused, 401, 'ai_key_expired');
    assert.equal((await world.send({ path: '/models', key })).status, 401);
    okJson(await world.chat());
  }),
  gatewayCase('a key that would have expired is refused by its field, whether it is made or changed', async (world) => {
    const nowMs = world.time.now();
    await assert.rejects(keyWith(world, { expiresAtMs: nowMs }), past(nowMs));
    const inSeconds = Math.floor(nowMs / 1_000) + 3_600;
    await assert.rejects(keyWith(world, { expiresAtMs: inSeconds }), past(inSeconds));
    const { key, keyId } = await keyWith(world, { expiresAtMs: nowMs + hour });
    await assert.rejects(world.admin.changeKey(keyId, { expiresAtMs: nowMs - 1, name: 'late' }), past(nowMs - 1));
    const kept = await world.admin.readKey(keyId);
    assert.deepEqual([kept?.expiresAtMs, kept?.name], [nowMs + hour, '']);
    okJson(await world.chat(undefined, { key }));
    // What is as it was may be said again: a form sends all of its fields.
    world.time.advance(2 * hour);
    assert.equal((await world.admin.changeKey(keyId, { expiresAtMs: nowMs + hour, name: 'late' }))?.name, 'late');
  }),
  gatewayCase('a key of some models calls those alone, and sees no others', async (world) => {
    const all = okJson(await world.send({ path: '/models' }))
      .at('data')
      .list();
    const other = all.map((row) => row.at('id').text()).find((id) => id !== suiteModel);
    assert.ok(other !== undefined, 'the catalog of the suite has several models');
    const { key } = await keyWith(world, { models: [suiteModel] });
    okJson(await world.chat({ ...greeting, model: suiteModel }, { key }));
    okJson(await world.chat(undefined, { key }));
    const refused = await world.chat({ ...greeting, model: other }, { key });
    assertRefused(refused, 403, 'model_not_allowed');
    assert.ok(messageOf(refused).includes(other) && messageOf(refused).includes(suiteModel), messageOf(refused));
    const shown = okJson(await world.send({ path: '/models', key }))
      .at('data')
      .list();
    assert.deepEqual(
      shown.map((row) => row.at('id').text()),
      [suiteModel],
    );
    assert.equal((await world.send({ path: `/models/${other}`, key })).status, 404);
    assert.equal((await world.send({ path: `/models/${suiteModel}`, key })).status, 200);
  }),
  gatewayCase('the cap of a key refuses what its window does not cover, until the next one begins', async (world) => {
    const held = await holdOfChat(world);
    const { key } = await keyWith(world, daily(held));
    okJson(await world.chat(greeting, { key }));
    const refused = await world.chat(greeting, { key });
    assertRefused(refused, 402, 'ai_key_budget_exceeded');
    assert.ok(
      messageOf(refused).includes('a day') && messageOf(refused).includes('T00:00:00.000Z'),
      messageOf(refused),
    );
    const { reservedMicros } = await world.wallet.read(world.accountId);
    assert.equal(reservedMicros, 0n);
    okJson(await world.chat(greeting));
    world.time.advance(day);
    okJson(await world.chat(greeting, { key }));
  }),
  gatewayCase('the cap of a key counts what was measured, and is free again after what never ran', async (world) => {
    const held = await holdOfChat(world);
    const { key } = await keyWith(world, daily(held + plainAnswerMicros));
    world.provider.script({ kind: 'not_executed', reason: 'unavailable' });
    assert.equal((await world.chat(greeting, { key })).status, 503);
    okJson(await world.chat(greeting, { key }));
    okJson(await world.chat(greeting, { key }));
    assertRefused(await world.chat(greeting, { key }), 402, 'ai_key_budget_exceeded');
  }),
  gatewayCase('an operation that is uncertain stays within the cap of its key until it is decided', async (world) => {
    const held = await holdOfChat(world);
    const { key } = await keyWith(world, daily(held));
    world.provider.script({ kind: 'unknown' });
    const uncertain = assertRefused(await world.chat(greeting, { key }), 502, 'request_failed');
    assertRefused(await world.chat(greeting, { key }), 402, 'ai_key_budget_exceeded');
    await world.admin.resolveOperation(uncertain.at('request_id').text(), { executed: false });
    okJson(await world.chat(greeting, { key }));
  }),
  gatewayCase('64 calls at once on one key with a cap never pass it, and each that passes settles', async (world) => {
    const held = await holdOfChat(world);
    const { key } = await keyWith(world, daily(held * 5n));
    const { promise: until, resolve } = Promise.withResolvers<void>();
    const { promise: allRefused, resolve: countedAll } = Promise.withResolvers<void>();
    for (let call = 0; call < 64; call += 1) world.provider.script({ kind: 'wait', until, next: { kind: 'answer' } });
    const before = world.provider.calls.length;
    let refused = 0;
    const asked = Array.from({ length: 64 }, async () => {
      const answer = await world.chat(greeting, { key });
      if (answer.status === 402) refused += 1;
      if (refused === 59) countedAll();
      return answer.status;
    });
    await Promise.race([allRefused, world.provider.received(before + 6)]);
    const { reservedMicros } = await world.wallet.read(world.accountId);
    resolve();
    const statuses = await Promise.all(asked);
    assert.equal(reservedMicros, held * 5n);
    assert.equal(statuses.filter((status) => status === 200).length, 5);
    assert.equal(statuses.filter((status) => status === 402).length, 59);
  }),
  gatewayCase("a key of the host's reference is made once, and its text is shown once", async (world) => {
    const input = { projectId: world.projectId, model: null, reference: 'customer-7' };
    const [first, second] = await Promise.all([world.admin.createKeyOnce(input), world.admin.createKeyOnce(input)]);
    assert.equal(first?.id, second?.id);
    const texts = [first?.key, second?.key].filter((key) => typeof key === 'string');
    assert.equal(texts.length, 1);
    okJson(await world.chat(undefined, { key: texts[0] }));
    const again = await world.admin.createKeyOnce({ ...input, name: 'other' });
    assert.deepEqual([again?.id, again?.key, again?.name], [first?.id, null, '']);
  }),
  gatewayCase('what a key may do is changed, and the change holds for the next request', async (world) => {
    const { key, keyId } = await keyWith(world, { metadata: { plan: 'free' } });
    okJson(await world.chat(undefined, { key }));
    const changed = await world.admin.changeKey(keyId, { cap: { amountMicros: 0n, window: 'total' } });
    assert.deepEqual(changed?.cap, { amountMicros: 0n, window: 'total', timeZone: 'UTC' });
    assert.deepEqual(changed?.metadata, { plan: 'free' });
    assertRefused(await world.chat(undefined, { key }), 402, 'ai_key_budget_exceeded');
    await world.admin.changeKey(keyId, { cap: null, expiresAtMs: world.time.now() + hour });
    okJson(await world.chat(undefined, { key }));
    world.time.advance(hour);
    assertRefused(await world.chat(undefined, { key }), 401, 'ai_key_expired');
    await world.admin.changeKey(keyId, { expiresAtMs: null, models: [suiteModel] });
    okJson(await world.chat(undefined, { key }));
    assert.deepEqual((await world.admin.readKey(keyId))?.models, [suiteModel]);
  }),
  gatewayCase('the last use of a key is written down by the background work, about once a minute', async (world) => {
    const { key, keyId } = await keyWith(world, {});
    const lastUsed = async (): Promise<number | null> => (await world.admin.readKey(keyId))?.lastUsedAtMs ?? null;
    okJson(await world.chat(undefined, { key }));
    assert.equal(await lastUsed(), null);
    await world.runJobs();
    const first = await lastUsed();
    assert.ok(first !== null && first > 0);
    world.time.advance(120_000);
    await world.runJobs();
    assert.equal(await lastUsed(), first);
    okJson(await world.chat(undefined, { key }));
    await world.runJobs();
    const second = await lastUsed();
    assert.ok(second !== null && second > first);
  }),
];
