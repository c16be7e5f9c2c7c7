import assert from 'node:assert/strict';
import { assertRefused, okJson, requestIdOf } from './answer.ts';
import { gatewayCase, type GatewayCase } from './gateway-case.ts';
import { greeting, type GatewayWorld } from './gateway-world.ts';
import { measured } from './measured.ts';
import { suiteModel, suiteRow, suiteTariff } from './suite-tariff.ts';

const read = (world: GatewayWorld) => world.wallet.read(world.accountId);

/** A model that answers at most ten tokens, so that its estimate is small. */
const smallModel = [suiteRow({ id: suiteModel, maxOutputTokens: 10 })];
const prices = suiteTariff.models['*'] ?? { perMillion: {} };

/** What things cost, and how amounts are written. */
export const amountsCases: readonly GatewayCase[] = [
  gatewayCase('charges by measure and tariff, not by message [ledger:tariff:no-fixed-price]', async (world) => {
    const price = async (output: number): Promise<number> => {
      world.provider.script({
        kind: 'answer',
        generation: { usage: measured(['input_text_tokens', 10], ['output_text_tokens', output]) },
      });
      return okJson(await world.chat())
        .at('service', 'credits')
        .number();
    };
    assert.deepEqual([await price(1), await price(1_000)], [0.012, 2.01]);
  }),
  gatewayCase('takes an explicit zero as a measure', async (world) => {
    world.provider.script({ kind: 'answer', generation: { usage: measured(['input_text_tokens', 0]) } });
    assert.equal(okJson(await world.chat()).at('service', 'credits').value, 0);
  }),
  gatewayCase('charges a partial answer for what was used', async (world) => {
    world.provider.script({ kind: 'answer', generation: { finish: 'length' } });
    const answer = await world.chat();
    assert.equal(okJson(answer).at('choices', 0, 'finish_reason').value, 'length');
    assert.equal((await world.record(requestIdOf(answer))).at('charged_credits').value, 0.02);
  }),
  gatewayCase('charges tools that were used and none that were only offered [ledger:charged:tools]', async (world) => {
    const tools = [{ type: 'code_execution' }, { type: 'url_context' }];
    const unused = okJson(await world.chat({ ...greeting, tools }));
    assert.equal(unused.at('service', 'credits').value, 0.02);
    world.provider.script({
      kind: 'answer',
      generation: { usage: measured(['input_text_tokens', 10], ['output_text_tokens', 5], ['code_execution_runs', 2]) },
    });
    assert.equal(okJson(await world.chat({ ...greeting, tools })).at('service', 'credits').value, 2.02);
    for (const [searches, credits] of [
      [2, 2.02],
      [0, 0.02],
    ] as const) {
      world.provider.script({
        kind: 'answer',
        generation: {
          usage: measured(['input_text_tokens', 10], ['output_text_tokens', 5], ['web_search_queries', searches]),
        },
      });
      assert.equal(okJson(await world.chat()).at('service', 'credits').value, credits);
    }
  }),
  gatewayCase(
    'refuses a model without a tariff and reserves nothing [ledger:precheck:missing-tariff] [errors:code:access-or-service-unavailable]',
    async (world) => {
      const error = assertRefused(await world.chat(), 503, 'access_or_service_unavailable');
      assert.equal(error.at('request_id').value, undefined);
      assert.equal(world.provider.calls.length, 0);
      assert.equal((await read(world)).reservedMicros, 0n);
      assert.deepEqual(await world.admin.listOperations({ kind: 'project', projectId: world.projectId }), []);
    },
    { tariff: { version: 'suite-other-models', models: { 'pro-2.5': prices } } },
  ),
  gatewayCase(
    "estimates by the length of the input, and never below the tariff's floor [ledger:hold:estimate]",
    async (world) => {
      const holdOf = async (content: string): Promise<bigint> => {
        const { promise: until, resolve } = Promise.withResolvers<void>();
        const calls = world.provider.calls.length;
        world.provider.script({ kind: 'wait', until, next: { kind: 'answer' } });
        const asked = world.chat({ messages: [{ role: 'user', content }] });
        await world.provider.received(calls + 1);
        const { reservedMicros } = await read(world);
        resolve();
        okJson(await asked);
        return reservedMicros;
      };
      const floor = 5_000_000n;
      assert.equal(await holdOf('short'), floor);
      const long = await holdOf('x'.repeat(100_000));
      assert.ok(long > floor && long >= 25_000n * 1_000n + 10n * 2_000n);
      assert.ok((await holdOf('x'.repeat(200_000))) > long);
    },
    {
      catalog: smallModel,
      tariff: {
        version: 'suite-floor',
        models: {
          '*': { ...prices, holdMinimum: '5' },
        },
      },
    },
  ),
  gatewayCase('prints credits as numbers of at most six decimals [ledger:numbers:json]', async (world) => {
    const price = async (input: number, output: number): Promise<string> => {
      world.provider.script({
        kind: 'answer',
        generation: { usage: measured(['input_text_tokens', input], ['output_text_tokens', output]) },
      });
      return /"credits":([^}]*)\}/.exec((await world.chat()).text)?.[1] ?? '';
    };
    await world.wallet.deposit(world.accountId, 10_000_000_000n);
    assert.equal(await price(100, 100), '0.3');
    assert.equal(await price(1, 0), '0.001');
    assert.equal(await price(3_000_000, 0), '3000');
    for (const [input, output] of [
      [1, 7],
      [333, 11],
      [99_999, 1],
    ] as const)
      assert.match(await price(input, output), /^\d+(?:\.\d{1,6})?$/);
  }),
  gatewayCase('keeps whole micro-credits, so that sums never drift [ledger:numbers:micro]', async (world) => {
    const start = (await read(world)).balanceMicros;
    let sum = 0n;
    for (let turn = 1; turn <= 40; turn += 1) {
      world.provider.script({
        kind: 'answer',
        generation: {
          usage: measured(
            ['input_text_tokens', turn * 7],
            ['cached_input_tokens', turn],
            ['output_text_tokens', turn % 3],
          ),
        },
      });
      const credits = okJson(await world.chat())
        .at('service', 'credits')
        .number();
      sum += BigInt(Math.round(credits * 1_000_000));
    }
    const operations = await world.admin.listOperations({ kind: 'project', projectId: world.projectId });
    assert.equal(
      operations.reduce((total, { chargedMicros }) => total + chargedMicros, 0n),
      sum,
    );
    assert.equal(start - (await read(world)).balanceMicros, sum);
  }),
];
