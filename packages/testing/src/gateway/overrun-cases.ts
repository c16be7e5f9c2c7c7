import assert from 'node:assert/strict';
import type { Generation } from '@tollgate/provider';
import { assertRefused, okJson } from './answer.ts';
import { gatewayCase, type GatewayCase } from './gateway-case.ts';
import { greeting, type Caller, type GatewayWorld } from './gateway-world.ts';
import { suiteModel, suiteRow } from './suite-tariff.ts';

/** A model that answers at most ten tokens, so that its estimate is small. */
const settings = { catalog: [suiteRow({ id: suiteModel, maxOutputTokens: 10 })] };

/** The measure of an answer that was far longer than estimated: 100,000 output tokens at 2,000 micro-credits. */
const measuredMicros = 200_000_000n;
const overlong: Partial<Generation> = {
  text: 'A very long answer.',
  usage: [{ unit: 'output_text_tokens', quantity: 100_000, confirmed: true }],
};

/** What a greeting reserves with this model. */
const greetingHold = async (world: GatewayWorld): Promise<bigint> => {
  const { promise: until, resolve } = Promise.withResolvers<void>();
  world.provider.script({ kind: 'wait', until, next: { kind: 'answer' } });
  const asked = world.chat();
  await world.provider.received(world.provider.calls.length + 1);
  const { reservedMicros } = await world.wallet.read(world.accountId);
  resolve();
  okJson(await asked);
  return reservedMicros;
};

const callerWith = async (world: GatewayWorld, amountMicros: bigint): Promise<Caller> => {
  const accountId = await world.createAccount(amountMicros);
  return world.createCaller({ projectId: await world.createProject(accountId), model: suiteModel });
};

const headers = { 'idempotency-key': 'overrun' };

/** Runs into an overrun that the caller's wallet does not cover; returns the operation's id. */
const overrun = async (world: GatewayWorld, { key }: Caller): Promise<string> => {
  world.provider.script({ kind: 'answer', generation: overlong });
  const answer = await world.chat(greeting, { key, headers });
  const refused = assertRefused(answer, 409, 'settlement_pending');
  assert.match(refused.at('message').text(), /confirmed, and the credits of the account do not cover it/);
  return refused.at('request_id').text();
};

const recordOf = async (world: GatewayWorld, { key }: Caller, id: string) =>
  okJson(await world.send({ path: `/requests/${id}`, key }));

/** Tops up, and lets the background work see it. */
const topUp = async (world: GatewayWorld, { accountId }: Caller, amountMicros: bigint): Promise<void> => {
  await world.wallet.deposit(accountId, amountMicros);
  world.time.advance(120_000);
  await world.runJobs();
};

/** Consumption above the reservation. */
export const overrunCases: readonly GatewayCase[] = [
  gatewayCase(
    'takes an overrun from free balance',
    async (world) => {
      const before = await world.wallet.read(world.accountId);
      world.provider.script({ kind: 'answer', generation: overlong });
      assert.equal(okJson(await world.chat()).at('service', 'credits').value, 200);
      const after = await world.wallet.read(world.accountId);
      assert.deepEqual([before.balanceMicros - after.balanceMicros, after.reservedMicros], [measuredMicros, 0n]);
    },
    settings,
  ),
  gatewayCase(
    'leaves an uncovered overrun uncertain, with its hold and its result [ledger:overrun:uncertain] [ledger:overrun:keeps-result]',
    async (world) => {
      const hold = await greetingHold(world);
      const poor = await callerWith(world, hold + 5_000_000n);
      const id = await overrun(world, poor);
      const record = await recordOf(world, poor, id);
      assert.deepEqual(
        [record.at('status').value, record.at('error_code').value, record.at('response').value],
        ['uncertain', 'settlement_pending', null],
      );
      assert.equal(record.at('charged_credits').value, 0);
      assert.equal(record.at('reserved_credits').value, Number(hold) / 1_000_000);
      const { balanceMicros, reservedMicros } = await world.wallet.read(poor.accountId);
      assert.deepEqual([balanceMicros, reservedMicros], [hold + 5_000_000n, hold]);
      const operation = await world.admin.readOperation(id);
      assert.deepEqual([operation?.answer, operation?.pendingMicros], ['stored', measuredMicros]);
    },
    settings,
  ),
  gatewayCase(
    'tells the first caller of an uncovered overrun, and shows the result once it is paid [ledger:overrun:first-answer]',
    async (world) => {
      const poor = await callerWith(world, (await greetingHold(world)) + 5_000_000n);
      const id = await overrun(world, poor);
      assert.equal((await recordOf(world, poor, id)).at('response').value, null);
      await topUp(world, poor, measuredMicros);
      const record = await recordOf(world, poor, id);
      assert.equal(record.at('status').value, 'completed');
      assert.equal(record.at('response', 'choices', 0, 'message', 'content').value, 'A very long answer.');
      const replay = await world.chat(greeting, { key: poor.key, headers });
      assert.deepEqual(okJson(replay).value, record.at('response').value);
      assert.equal(replay.headers.get('idempotency-replayed'), 'true');
    },
    settings,
  ),
  gatewayCase(
    'settles an overrun as soon as balance suffices, or by the word of an operator [ledger:overrun:resolves]',
    async (world) => {
      const hold = await greetingHold(world);
      const paid = await callerWith(world, hold);
      const paidId = await overrun(world, paid);
      await topUp(world, paid, 1_000_000n);
      assert.equal((await recordOf(world, paid, paidId)).at('status').value, 'uncertain');
      await topUp(world, paid, measuredMicros);
      const settled = await recordOf(world, paid, paidId);
      assert.deepEqual([settled.at('status').value, settled.at('charged_credits').value], ['completed', 200]);
      const decided = await callerWith(world, hold);
      const chargedId = await overrun(world, decided);
      await world.admin.resolveOperation(chargedId, { executed: true, amountMicros: hold });
      const charged = await recordOf(world, decided, chargedId);
      assert.equal(charged.at('status').value, 'completed');
      assert.equal(charged.at('charged_credits').value, Number(hold) / 1_000_000);
      const denied = await callerWith(world, hold);
      const deniedId = await overrun(world, denied);
      await world.admin.resolveOperation(deniedId, { executed: false });
      assert.equal((await recordOf(world, denied, deniedId)).at('status').value, 'failed');
      assert.deepEqual(await world.wallet.read(denied.accountId), { balanceMicros: hold, reservedMicros: 0n });
    },
    settings,
  ),
  gatewayCase(
    'takes nothing that another operation has reserved [ledger:overrun:free-balance-only]',
    async (world) => {
      const hold = await greetingHold(world);
      // Enough for the overrun in all, but not beside what the other operation holds.
      const tight = await callerWith(world, measuredMicros + hold / 2n);
      const { promise: until, resolve } = Promise.withResolvers<void>();
      world.provider.script({ kind: 'wait', until, next: { kind: 'answer' } });
      const calls = world.provider.calls.length;
      const other = world.chat(undefined, { key: tight.key });
      await world.provider.received(calls + 1);
      const id = await overrun(world, tight);
      const { balanceMicros, reservedMicros } = await world.wallet.read(tight.accountId);
      assert.deepEqual([balanceMicros, reservedMicros], [measuredMicros + hold / 2n, 2n * hold]);
      resolve();
      okJson(await other);
      world.time.advance(120_000);
      await world.runJobs();
      assert.equal(
        (await recordOf(world, tight, id)).at('status').value,
        hold / 2n >= 20_000n ? 'completed' : 'uncertain',
      );
    },
    settings,
  ),
];
