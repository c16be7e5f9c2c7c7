import assert from 'node:assert/strict';
import { assertRefused, okJson, requestIdOf } from './answer.ts';
import { gatewayCase, type GatewayCase } from './gateway-case.ts';
import type { GatewayWorld } from './gateway-world.ts';
import { measured } from './measured.ts';
import { plainAnswerMicros, suiteModel, suiteRow } from './suite-tariff.ts';

const read = (world: GatewayWorld) => world.wallet.read(world.accountId);
const available = async (world: GatewayWorld): Promise<bigint> => {
  const { balanceMicros, reservedMicros } = await read(world);
  return balanceMicros - reservedMicros;
};

/** Starts a chat that stays with the provider until it is let go. */
const holdOpen = async (world: GatewayWorld) => {
  const { promise: until, resolve } = Promise.withResolvers<void>();
  world.provider.script({ kind: 'wait', until, next: { kind: 'answer' } });
  const calls = world.provider.calls.length;
  const asked = world.chat();
  await world.provider.received(calls + 1);
  return {
    finish: async () => {
      resolve();
      return asked;
    },
  };
};

/** A model that answers at most ten tokens, so that its estimate is small. */
const smallModel = [suiteRow({ id: suiteModel, maxOutputTokens: 10 })];

/** A caller whose account has so many micro-credits. */
const callerWith = async (world: GatewayWorld, amountMicros: bigint) => {
  const accountId = await world.createAccount(amountMicros);
  return world.createCaller({ projectId: await world.createProject(accountId), model: suiteModel });
};

/** Credits: reserved before, debited once by measure, given back otherwise. */
export const ledgerCases: readonly GatewayCase[] = [
  gatewayCase(
    'reserves before the provider is called, and debits nothing at that point [ledger:hold:taken-before-execution] [ledger:hold:not-a-charge]',
    async (world) => {
      const before = await read(world);
      assert.equal(before.reservedMicros, 0n);
      const open = await holdOpen(world);
      const during = await read(world);
      assert.equal(during.balanceMicros, before.balanceMicros);
      assert.ok(during.reservedMicros > 0n);
      const [operation] = await world.admin.listOperations({ kind: 'project', projectId: world.projectId });
      const record = await world.record(operation?.id ?? '');
      assert.equal(record.at('charged_credits').value, 0);
      assert.equal(record.at('reserved_credits').value, Number(during.reservedMicros) / 1_000_000);
      okJson(await open.finish());
    },
  ),
  gatewayCase('debits exactly what was measured [ledger:settle:debit-measured]', async (world) => {
    const before = await read(world);
    world.provider.script({
      kind: 'answer',
      generation: {
        usage: measured(['input_text_tokens', 123], ['cached_input_tokens', 40], ['output_text_tokens', 77]),
      },
    });
    const answer = okJson(await world.chat());
    const micros = 123n * 1_000n + 40n * 250n + 77n * 2_000n;
    assert.equal(answer.at('service', 'credits').value, Number(micros) / 1_000_000);
    assert.equal(before.balanceMicros - (await read(world)).balanceMicros, micros);
  }),
  gatewayCase('gives back what was reserved too much [ledger:settle:release-surplus]', async (world) => {
    const before = await available(world);
    okJson(await world.chat());
    assert.equal(await available(world), before - plainAnswerMicros);
    assert.equal((await read(world)).reservedMicros, 0n);
  }),
  gatewayCase('debits nothing and frees all when it failed for certain [ledger:failed:no-debit]', async (world) => {
    const before = await read(world);
    for (const reason of [
      'failed',
      'unavailable',
      'invalid_request',
      'unsupported',
      'input_limit',
      'rate_limited',
    ] as const) {
      world.provider.script({ kind: 'not_executed', reason });
      const answer = await world.chat();
      assert.notEqual(answer.status, 200);
      assert.deepEqual(await read(world), before, reason);
      assert.equal((await world.record(requestIdOf(answer))).at('status').value, 'failed');
    }
  }),
  gatewayCase(
    'keeps the reservation while consumption is not confirmed [ledger:uncertain:keeps-hold]',
    async (world) => {
      const before = await read(world);
      world.provider.script({ kind: 'hang' });
      const asked = world.chat();
      await world.provider.received(1);
      world.time.advance(600_000);
      const error = assertRefused(await asked, 502, 'request_failed');
      for (let round = 0; round < 3; round += 1) {
        world.time.advance(86_400_000);
        await world.runJobs();
      }
      const record = await world.record(error.at('request_id').text());
      assert.equal(record.at('status').value, 'uncertain');
      assert.ok(record.at('reserved_credits').number() > 0);
      assert.equal((await read(world)).balanceMicros, before.balanceMicros);
    },
  ),
  gatewayCase('marks a response without usage uncertain, and shows none of it', async (world) => {
    world.provider.script(
      { kind: 'answer', generation: { usage: [] } },
      { kind: 'answer', generation: { usage: [{ unit: 'output_text_tokens', quantity: 5, confirmed: false }] } },
    );
    for (let turn = 0; turn < 2; turn += 1) {
      const error = assertRefused(await world.chat(), 502, 'request_failed');
      const record = await world.record(error.at('request_id').text());
      assert.deepEqual([record.at('status').value, record.at('response').value], ['uncertain', null]);
    }
  }),
  gatewayCase('shares one wallet between the projects of an account [ledger:wallet:shared]', async (world) => {
    const other = await world.createCaller({
      projectId: await world.createProject(world.accountId),
      model: suiteModel,
    });
    const before = await available(world);
    okJson(await world.chat(undefined, { key: other.key }));
    assert.equal(await available(world), before - plainAnswerMicros);
    const open = await holdOpen(world);
    const whileOpen = await available(world);
    assert.ok(whileOpen < before - plainAnswerMicros);
    okJson(await open.finish());
  }),
  gatewayCase(
    'runs no more at once than the balance covers [ledger:concurrency:no-overdraft]',
    async (world) => {
      const open = await holdOpen(world);
      const hold = (await read(world)).reservedMicros;
      okJson(await open.finish());
      const poor = await callerWith(world, hold + hold / 2n);
      const { promise: until, resolve } = Promise.withResolvers<void>();
      for (let call = 0; call < 10; call += 1) world.provider.script({ kind: 'wait', until, next: { kind: 'answer' } });
      let refused = 0;
      const ask = async () => {
        const answer = await world.chat(undefined, { key: poor.key });
        if (answer.status === 402) refused += 1;
        if (refused === 9) resolve();
        return answer;
      };
      // A gateway that lets a second one run must fail the case, not hang it.
      void world.provider.received(3).then(() => resolve());
      const asked = Array.from({ length: 10 }, ask);
      const answers = await Promise.all(asked);
      const [ran, ...poorer] = answers.toSorted((one, other) => one.status - other.status);
      assert.equal(ran?.status, 200);
      for (const answer of poorer) assertRefused(answer, 402, 'ai_insufficient_credits');
      assert.equal(world.provider.calls.length, 2);
      const { balanceMicros } = await world.wallet.read(poor.accountId);
      assert.equal(balanceMicros, hold + hold / 2n - plainAnswerMicros);
    },
    { catalog: smallModel },
  ),
  gatewayCase('charges no query, however often [ledger:free:repeat-query]', async (world) => {
    const id = requestIdOf(await world.chat());
    const before = await read(world);
    for (let time = 0; time < 5; time += 1) assert.equal((await world.record(id)).at('charged_credits').value, 0.02);
    assert.deepEqual(await read(world), before);
  }),
  gatewayCase('answers queries with an empty wallet', async (world) => {
    const poor = await callerWith(world, 0n);
    for (const path of ['/models', `/models/${suiteModel}`, '/openapi.json'])
      okJson(await world.send({ path, key: poor.key }));
    assert.equal((await world.wallet.read(poor.accountId)).balanceMicros, 0n);
  }),
  gatewayCase('never shows failed what was debited [ledger:failed:never-with-debit]', async (world) => {
    world.provider.script(
      { kind: 'answer' },
      { kind: 'not_executed', reason: 'failed' },
      { kind: 'unknown' },
      { kind: 'answer', generation: { usage: [] } },
      { kind: 'answer', generation: { finish: 'length' } },
    );
    for (let turn = 0; turn < 5; turn += 1) await world.chat();
    const operations = await world.admin.listOperations({ kind: 'project', projectId: world.projectId });
    assert.equal(operations.length, 5);
    for (const { id, state, chargedMicros } of operations) {
      if (state === 'failed') assert.equal(chargedMicros, 0n);
      const resolved = await world.admin.resolveOperation(id, { executed: false });
      if (chargedMicros > 0n) assert.equal(resolved.kind, 'not_uncertain');
    }
    for (const { state, chargedMicros } of await world.admin.listOperations({
      kind: 'project',
      projectId: world.projectId,
    }))
      assert.ok(state !== 'failed' || chargedMicros === 0n);
  }),
  gatewayCase(
    'settles once, even if another process settles again [ledger:concurrency:single-settlement]',
    async (world) => {
      world.provider.script({ kind: 'unknown' });
      const id = requestIdOf(await world.chat());
      const start = (await read(world)).balanceMicros;
      const verdicts = await Promise.all(
        Array.from({ length: 5 }, () => world.admin.resolveOperation(id, { executed: true, amountMicros: 70_000n })),
      );
      assert.ok(verdicts.some(({ kind }) => kind === 'resolved'));
      world.time.advance(3_600_000);
      await Promise.all([world.runJobs(), world.runJobs()]);
      assert.equal((await world.record(id)).at('charged_credits').value, 0.07);
      assert.equal(start - (await read(world)).balanceMicros, 70_000n);
    },
  ),
];
