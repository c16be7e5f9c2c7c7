import assert from 'node:assert/strict';
import type { Usage } from '@tollgate/provider';
import { assertRefused, okJson, type Answer } from './answer.ts';
import { gatewayCase, type GatewayCase } from './gateway-case.ts';
import { generate, helloBody, helloContent } from './generate-ask.ts';
import type { Caller, GatewayWorld } from './gateway-world.ts';
import { imageModel } from './interaction-ask.ts';
import { measured } from './measured.ts';
import { suiteModel } from './suite-tariff.ts';

const priced = (perMillion: Readonly<Record<string, string>>) => ({
  tariff: { version: `suite-${Object.keys(perMillion).join('-')}`, models: { '*': { perMillion } } },
});

const freeTokens = { input_text_tokens: '0', output_text_tokens: '0' };
const imagePrices = priced({ ...freeTokens, images: '40000' });

const callerOf = async (world: GatewayWorld, amountMicros: bigint, model: string): Promise<Caller> => {
  const accountId = await world.createAccount(amountMicros);
  return world.createCaller({ projectId: await world.createProject(accountId), model });
};

/** A caller with a thousandth of a credit. */
const poorCaller = (world: GatewayWorld, model: string): Promise<Caller> => callerOf(world, 1_000n, model);

/** Asserts that nothing was executed for a caller who cannot pay, and that nothing stays reserved. */
const assertUnpaid = async (world: GatewayWorld, { accountId }: Caller, answers: readonly Answer[]): Promise<void> => {
  for (const answer of answers) assertRefused(answer, 402, 'ai_insufficient_credits');
  await world.runJobs();
  assert.equal(world.provider.calls.length, 0, 'a call that cannot be paid reached the provider');
  const { balanceMicros, reservedMicros } = await world.wallet.read(accountId);
  assert.deepEqual([balanceMicros, reservedMicros], [1_000n, 0n]);
};

/** Every unit that has a price and that a call can use is reserved before anything runs. */
export const holdsCases: readonly GatewayCase[] = [
  gatewayCase(
    'runs nothing that makes images for an account which cannot pay for one [ledger:hold:estimate]',
    async (world) => {
      const poor = await poorCaller(world, imageModel);
      const { key } = poor;
      const path = `/models/${imageModel}`;
      const interaction = { input: 'Paint a house.' };
      const batch = { display_name: 'Images', requests: [{ key: 'one', request: helloBody }] };
      await assertUnpaid(world, poor, [
        await generate(world, helloBody, { key, model: imageModel }),
        await world.send({ path: `${path}:streamGenerateContent`, key, body: helloBody }),
        await world.send({ path: '/interactions', key, body: interaction }),
        await world.send({ path: '/batches', key, body: batch }),
      ]);
    },
    imagePrices,
  ),
  gatewayCase(
    'reserves as many images as the catalog says that an answer can have, and charges those that came',
    async (world) => {
      const rich = await callerOf(world, 400_000n, imageModel);
      world.provider.script({ kind: 'answer', generation: { usage: measured(['images', 10]) } });
      okJson(await generate(world, helloBody, { key: rich.key, model: imageModel }));
      const { balanceMicros, reservedMicros } = await world.wallet.read(rich.accountId);
      assert.deepEqual([balanceMicros, reservedMicros], [0n, 0n]);
      assert.ok(!world.logged().includes('hold_exceeded'), 'an amount within the hold was logged as beyond it');
    },
    imagePrices,
  ),
  gatewayCase(
    'charges images by the piece where the price list does, whatever the upstream meters them by',
    async (world) => {
      const rich = await callerOf(world, 1_000_000n, imageModel);
      const image = { kind: 'media', mimeType: 'image/png', data: 'iVBORw0KGgo=' } as const;
      const paint = async (usage: readonly Usage[]): Promise<number> => {
        world.provider.script({ kind: 'answer', generation: { parts: [image], usage } });
        return okJson(await generate(world, helloBody, { key: rich.key, model: imageModel }))
          .at('service', 'credits')
          .number();
      };
      assert.equal(await paint(measured(['input_text_tokens', 10], ['output_image_tokens', 1_290])), 0.04);
      assert.equal(await paint(measured(['input_text_tokens', 10], ['images', 2])), 0.08);
      assert.equal(await paint(measured(['input_text_tokens', 10], ['images', 0])), 0);
    },
    priced({ input_text_tokens: '0', output_text_tokens: '2', images: '40000' }),
  ),
  gatewayCase(
    'charges images by their tokens where the price list has a price for these',
    async (world) => {
      const rich = await callerOf(world, 10_000_000n, imageModel);
      const image = { kind: 'media', mimeType: 'image/png', data: 'iVBORw0KGgo=' } as const;
      const usage = measured(['output_image_tokens', 1_000]);
      world.provider.script({ kind: 'answer', generation: { parts: [image], usage } });
      const answer = okJson(await generate(world, helloBody, { key: rich.key, model: imageModel }));
      assert.equal(answer.at('service', 'credits').value, 0.03);
    },
    priced({ ...freeTokens, output_image_tokens: '30', images: '40000' }),
  ),
  gatewayCase(
    'logs a measure above its hold, with the unbounded unit',
    async (world) => {
      world.provider.script({
        kind: 'answer',
        generation: { usage: measured(['images', 2], ['input_text_tokens', 1]) },
      });
      okJson(await world.chat());
      assert.match(world.logged(), /"code":"hold_exceeded","operationId":"[0-9a-f-]{36}","unit":"images"/);
      assert.match(world.logged(), /"holdMicros":"0","measuredMicros":"80000"/);
      assert.match(world.logged(), /"unit":"images","quantity":2,"micros":"80000"/);
    },
    imagePrices,
  ),
  gatewayCase(
    'runs no tool of an upstream for an account which cannot pay for its calls',
    async (world) => {
      const poor = await poorCaller(world, suiteModel);
      const { key } = poor;
      const tools = [{ codeExecution: {} }, { urlContext: {} }];
      await assertUnpaid(world, poor, [
        await world.chat(
          { messages: [{ role: 'user', content: 'Hello' }], tools: [{ type: 'code_execution' }] },
          { key },
        ),
        await generate(world, { contents: [helloContent], tools }, { key }),
      ]);
      okJson(await world.chat(undefined, { key }));
    },
    priced({ ...freeTokens, code_execution_runs: '1000000', url_fetches: '1000000' }),
  ),
  gatewayCase(
    'reserves output at the most expensive kind that may come',
    async (world) => {
      const poor = await poorCaller(world, suiteModel);
      await assertUnpaid(world, poor, [await world.chat(undefined, { key: poor.key })]);
    },
    priced({ ...freeTokens, thought_tokens: '100' }),
  ),
  gatewayCase(
    'refuses a call that uses a unit without a price, names the unit and logs it',
    async (world) => {
      const error = assertRefused(await world.chat(), 503, 'access_or_service_unavailable');
      assert.match(error.at('message').text(), /no price for the unit input_text_tokens of the model flash-2\.5/);
      assert.equal(world.provider.calls.length, 0);
      assert.match(world.logged(), /"code":"hold_unpriced","model":"flash-2\.5","unit":"input_text_tokens"/);
    },
    priced({ output_text_tokens: '1' }),
  ),
];
