import assert from 'node:assert/strict';
import type { ModelTariffInput, TariffInput } from '@tollgate/engine';
import type { UsageUnit } from '@tollgate/provider';
import { okJson } from './answer.ts';
import { batchClient, batchOf, batchSettings } from './batch-ask.ts';
import { gatewayCase, type GatewayCase } from './gateway-case.ts';
import type { GatewayWorld } from './gateway-world.ts';
import { measured } from './measured.ts';
import { suiteModel } from './suite-tariff.ts';

/** The credits of a chat that used this. */
const creditsOf = async (world: GatewayWorld, ...usage: readonly (readonly [UsageUnit, number])[]): Promise<number> => {
  world.provider.script({ kind: 'answer', generation: { usage: measured(...usage) } });
  return okJson(await world.chat())
    .at('service', 'credits')
    .number();
};

const used = (quantity: number) => [{ unit: 'input_text_tokens', quantity }];

const priced = (version: string, model: ModelTariffInput) => ({ tariff: { version, models: { '*': model } } });

const perMillion = { input_text_tokens: '1000', cached_input_tokens: '100', output_text_tokens: '0' };

/** Tiers, a fee, prices of batches and a plan together. */
const layered: TariffInput = {
  version: 'suite-layered',
  models: {
    '*': {
      perMillion,
      tiers: [{ above: 10, perMillion: { input_text_tokens: '2000' } }],
      requestFee: '0.005',
      batch: { factor: '0.5' },
    },
  },
  plans: { half: { factor: '0.5' } },
};

/** What else than units an operation is priced by. */
export const priceCases: readonly GatewayCase[] = [
  gatewayCase(
    'charges a whole request by the prices of long input, counting what was read from a cache',
    async (world) => {
      assert.equal(await creditsOf(world, ['input_text_tokens', 10]), 0.01);
      assert.equal(await creditsOf(world, ['input_text_tokens', 11]), 0.022);
      assert.equal(await creditsOf(world, ['input_text_tokens', 4], ['cached_input_tokens', 10]), 0.009);
      assert.deepEqual((await world.admin.audit()).violations, []);
    },
    priced('suite-tiers', { perMillion, tiers: [{ above: 10, perMillion: { input_text_tokens: '2000' } }] }),
  ),
  gatewayCase(
    'charges the fee of a request once where anything was used, and nothing where nothing was',
    async (world) => {
      assert.equal(await creditsOf(world, ['input_text_tokens', 3]), 0.008);
      assert.equal(await creditsOf(world, ['input_text_tokens', 0]), 0);
      assert.deepEqual((await world.admin.audit()).violations, []);
    },
    priced('suite-fee', { perMillion, requestFee: '0.005' }),
  ),
  gatewayCase(
    'charges an account by its plan, which an operation keeps, and shows its prices where the host does',
    async (world) => {
      const pricesOf = async () => okJson(await world.send({ path: `/models/${suiteModel}` })).at('prices');
      assert.equal((await pricesOf()).at('per_million', 'input_text_tokens').value, '1000.000000');
      assert.equal(await creditsOf(world, ['input_text_tokens', 10]), 0.015);
      await world.admin.changeAccount(world.accountId, { plan: 'half' });
      assert.equal((await pricesOf()).at('per_million', 'input_text_tokens').value, '500.000000');
      assert.equal((await pricesOf()).at('request_fee').value, '0.002500');
      assert.equal(await creditsOf(world, ['input_text_tokens', 10]), 0.0075);
      await world.admin.changeAccount(world.accountId, { plan: null });
      assert.equal(await creditsOf(world, ['input_text_tokens', 10]), 0.015);
      const operations = await world.admin.listOperations({ kind: 'account', accountId: world.accountId });
      assert.deepEqual(
        operations.map(({ plan }) => plan),
        [null, 'half', null],
      );
      assert.deepEqual((await world.admin.audit()).violations, []);
    },
    {
      showPrices: true,
      tariff: {
        version: 'suite-plans',
        models: { '*': { perMillion, requestFee: '0.005' } },
        plans: { half: { factor: '0.5' } },
      },
    },
  ),
  gatewayCase(
    'charges an account with a plan that no list has by the list, and logs the plan and the list once',
    async (world) => {
      const warned = () => world.logged().split('unknown_plan').length - 1;
      await world.admin.changeAccount(world.accountId, { plan: 'half' });
      assert.equal(await creditsOf(world, ['input_text_tokens', 10]), 0.005);
      assert.equal(warned(), 0);
      await world.admin.changeAccount(world.accountId, { plan: 'hafl' });
      assert.equal(warned(), 1);
      assert.equal(await creditsOf(world, ['input_text_tokens', 10]), 0.01);
      assert.equal(await creditsOf(world, ['input_text_tokens', 10]), 0.01);
      assert.equal(warned(), 2);
      for (const text of ['hafl', 'suite-known-plans', world.accountId]) assert.ok(world.logged().includes(text));
    },
    { tariff: { version: 'suite-known-plans', models: { '*': { perMillion } }, plans: { half: { factor: '0.5' } } } },
  ),
  gatewayCase(
    'prices past usage by its own list as it was charged, and by another one as that one charges',
    async (world) => {
      const fromMs = world.time.now();
      await creditsOf(world, ['input_text_tokens', 10]);
      await creditsOf(world, ['input_text_tokens', 11]);
      await creditsOf(world, ['input_text_tokens', 0]);
      world.provider.script(
        { kind: 'answer', generation: { usage: measured(['input_text_tokens', 7]) } },
        { kind: 'answer', generation: { usage: measured(['input_text_tokens', 70]) } },
      );
      await batchClient(world).created(batchOf('short', 'long'));
      await world.runJobs();
      await world.admin.changeAccount(world.accountId, { plan: 'half' });
      await creditsOf(world, ['input_text_tokens', 40]);
      const wallet = await world.wallet.read(world.accountId);
      const spentMicros = 1_000_000_000n - wallet.balanceMicros;
      const sumsBy = async (tariff: TariffInput) => {
        const query = { tariff, fromMs, untilMs: world.time.now() + 1, accountId: world.accountId };
        const { items, next } = await world.admin.priceUsage(query);
        assert.equal(next, null);
        assert.deepEqual(
          items.flatMap(({ unpriced }) => unpriced),
          [],
        );
        assert.equal(
          items.reduce((sum, { requests }) => sum + requests, 0),
          5,
        );
        return {
          charged: items.reduce((sum, { chargedMicros }) => sum + chargedMicros, 0n),
          priced: items.reduce((sum, { pricedMicros }) => sum + pricedMicros, 0n),
        };
      };
      assert.deepEqual(await sumsBy(layered), { charged: spentMicros, priced: spentMicros });
      const doubled = { ...layered, version: 'suite-doubled', markUp: 2 };
      assert.deepEqual(await sumsBy(doubled), { charged: spentMicros, priced: 2n * spentMicros });
      assert.deepEqual(await world.wallet.read(world.accountId), wallet);
    },
    { ...batchSettings, tariff: layered },
  ),
  gatewayCase(
    'prices a verdict on a batch by the length of each item, and a sum of them by the mean length',
    async (world) => {
      /** A batch of an item that used 7 tokens and one whose outcome is unknown, and the name of that one. */
      const uncertain = async () => {
        world.provider.script(
          { kind: 'answer', generation: { usage: measured(['input_text_tokens', 7]) } },
          { kind: 'unknown' },
        );
        const id = await batchClient(world).created(batchOf('known', 'lost'));
        await world.runJobs();
        const parts = (await world.admin.listParts(id)) ?? [];
        const [part, ...others] = parts.flatMap(({ part: name, state }) => (state === 'unknown' ? [name] : []));
        assert.ok(part !== undefined && others.length === 0);
        return { id, part };
      };
      const chargeOf = async (id: string, verdict: Parameters<typeof world.admin.resolveOperation>[1]) => {
        const answer = await world.admin.resolveOperation(id, verdict);
        assert.ok(answer.kind === 'resolved');
        return answer.operation.chargedMicros;
      };
      const named = await uncertain();
      const parts = [{ part: named.part, executed: true, usage: used(11) } as const];
      // 500 micro-credits a token as an item, 1,000 in a long one, and the fee of 5,000 once.
      assert.equal(await chargeOf(named.id, { executed: true, parts }), 7n * 500n + 11n * 1_000n + 5_000n);
      const summed = await uncertain();
      assert.equal(await chargeOf(summed.id, { executed: true, usage: used(20) }), 20n * 500n + 5_000n);
      const long = await uncertain();
      assert.equal(await chargeOf(long.id, { executed: true, usage: used(22) }), 22n * 1_000n + 5_000n);
      assert.deepEqual((await world.admin.audit()).violations, []);
    },
    { ...batchSettings, tariff: layered },
  ),
];
