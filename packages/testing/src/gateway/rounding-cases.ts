import assert from 'node:assert/strict';
import type { Rounding } from '@tollgate/engine';
import { okJson } from './answer.ts';
import { createEmbedder, type Embedder } from './embedder.ts';
import { gatewayCase, type GatewayCase } from './gateway-case.ts';
import type { GatewayWorld } from './gateway-world.ts';
import { measured } from './measured.ts';

/** Five tokens of which a million cost 0.05 credits: a quarter of a micro-credit. */
const tokensOfOne = 5;
const quarterPicos = 250_000;

const priced = (rounding?: Rounding) => ({
  tariff: {
    version: `suite-${rounding ?? 'default'}`,
    models: { '*': { perMillion: { embedding_tokens: '0.05', input_text_tokens: '0.05' } } },
    ...(rounding === undefined ? {} : { rounding }),
  },
});

/** Makes so many embeddings, some of them at the same time, and returns the cost of each. */
const embedMany = async (world: GatewayWorld, { embed }: Embedder, count: number): Promise<readonly number[]> => {
  const told: number[] = [];
  for (let made = 0; made < count; made += 10) {
    const steps = Array.from({ length: 10 }, () => ({
      kind: 'answer' as const,
      embeddings: { usage: measured(['embedding_tokens', tokensOfOne]) },
    }));
    world.provider.script(...steps);
    const answers = await Promise.all(steps.map(() => embed({ input: 'word' })));
    for (const answer of answers) told.push(okJson(answer).at('service', 'credits').number() * 1e6);
  }
  return told.map((micros) => Math.round(micros));
};

const sumOf = (amounts: readonly number[]): bigint => amounts.reduce((sum, amount) => sum + BigInt(amount), 0n);

/** Amounts below a micro-credit. */
export const roundingCases: readonly GatewayCase[] = [
  gatewayCase(
    'charges many small operations exactly, and tells each what was debited for it [ledger:numbers:micro]',
    async (world) => {
      const before = await world.wallet.read(world.accountId);
      const told = await embedMany(world, await createEmbedder(world), 310);
      const after = await world.wallet.read(world.accountId);
      const debited = before.balanceMicros - after.balanceMicros;
      const { remainderPicos, violations } = await world.admin.audit();
      assert.deepEqual(violations, []);
      assert.equal(Number(debited) * 1e6 + remainderPicos, told.length * quarterPicos);
      assert.ok(debited >= 76n && debited <= 78n, `${debited} were debited of 77.5`);
      assert.equal(sumOf(told), debited);
    },
    priced(),
  ),
  gatewayCase(
    'rounds each charge up where the price list says so',
    async (world) => {
      const before = await world.wallet.read(world.accountId);
      const told = await embedMany(world, await createEmbedder(world), 20);
      const after = await world.wallet.read(world.accountId);
      assert.deepEqual([...new Set(told)], [1]);
      assert.equal(before.balanceMicros - after.balanceMicros, 20n);
      assert.equal((await world.admin.audit()).remainderPicos, 0);
    },
    priced('up'),
  ),
  gatewayCase(
    'rounds each charge half up where the price list says so',
    async (world) => {
      const before = await world.wallet.read(world.accountId);
      const told = await embedMany(world, await createEmbedder(world), 20);
      const after = await world.wallet.read(world.accountId);
      assert.deepEqual([...new Set(told)], [0]);
      assert.equal(before.balanceMicros, after.balanceMicros);
    },
    priced('half_up'),
  ),
  gatewayCase(
    'charges at least the minimum of the price list where anything was used, and nothing where nothing was',
    async (world) => {
      const credits = async (quantity: number): Promise<number> => {
        world.provider.script({ kind: 'answer', generation: { usage: measured(['input_text_tokens', quantity]) } });
        return okJson(await world.chat())
          .at('service', 'credits')
          .number();
      };
      assert.deepEqual([await credits(1), await credits(0), await credits(3)], [0.002, 0, 0.003]);
    },
    {
      tariff: {
        version: 'suite-minimum',
        models: { '*': { perMillion: { input_text_tokens: '1000', output_text_tokens: '0' }, chargeMinimum: '0.002' } },
      },
    },
  ),
];
