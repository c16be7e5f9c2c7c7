import assert from 'node:assert/strict';
import type { ServiceTier } from '@tollgate/provider';
import { assertRefused, jsonOf, okJson, requestIdOf, type Answer } from './answer.ts';
import { gatewayCase, type GatewayCase } from './gateway-case.ts';
import type { GatewaySettings } from './gateway-under-test.ts';
import { greeting, type GatewayWorld } from './gateway-world.ts';
import { measured } from './measured.ts';
import { suiteModel } from './suite-tariff.ts';

const perMillion = { input_text_tokens: '1000', output_text_tokens: '10' };

/** Ten tokens of input cost 0.01 credits as they are, half of it later, and twice of it sooner. */
const tiered: GatewaySettings = {
  compatibility: { openai: true, anthropic: true },
  tariff: {
    version: 'suite-service-tiers',
    serviceTiers: { flex: '0.5', priority: '2' },
    models: { '*': { perMillion }, 'flash-3.8': { perMillion, serviceTiers: {} } },
  },
};

const usage = measured(['input_text_tokens', 10]);

const script = (world: GatewayWorld, servedTier?: ServiceTier): void =>
  world.provider.script({ kind: 'answer', generation: { usage, servedTier } });

const ask = (world: GatewayWorld, tier: string | null, more: object = {}): Promise<Answer> =>
  world.chat({ ...greeting, max_tokens: 100, service_tier: tier, ...more });

const messageOf = (answer: Answer): string => jsonOf(JSON.parse(answer.text)).at('error', 'message').text();

/** What a chat holds while it waits with the provider. */
const holdOf = async (world: GatewayWorld, tier: string | null): Promise<number> => {
  const { promise: until, resolve } = Promise.withResolvers<void>();
  world.provider.script({ kind: 'wait', until, next: { kind: 'answer', generation: { usage } } });
  const before = world.provider.calls.length;
  const asked = ask(world, tier);
  await world.provider.received(before + 1);
  const { reservedMicros } = await world.wallet.read(world.accountId);
  resolve();
  okJson(await asked);
  return Number(reservedMicros);
};

const charges: readonly (readonly [asked: string | null, served: ServiceTier | undefined, credits: number])[] = [
  [null, undefined, 0.01],
  [null, 'priority', 0.01],
  ['auto', 'flex', 0.01],
  ['default', 'standard', 0.01],
  ['flex', 'flex', 0.005],
  ['flex', undefined, 0.005],
  ['flex', 'standard', 0.01],
  // Never above what is held.
  ['flex', 'priority', 0.01],
  ['priority', 'priority', 0.02],
  ['priority', undefined, 0.02],
  ['priority', 'standard', 0.01],
  ['priority', 'flex', 0.005],
];

/** What is asked for sooner or later than usual, and what it costs. */
export const serviceTierCases: readonly GatewayCase[] = [
  gatewayCase(
    'charges the service tier that was served, never above what the one that was asked for holds',
    async (world) => {
      for (const [asked, served, credits] of charges) {
        script(world, served);
        const answer = okJson(await ask(world, asked));
        const what = `asked ${asked}, served ${served}`;
        assert.equal(answer.at('service', 'credits').value, credits, what);
        const isAsked = asked === 'flex' || asked === 'priority';
        const shown = (served === 'standard' ? 'default' : served) ?? asked;
        assert.equal(answer.at('service_tier').value, isAsked ? shown : undefined, what);
        assert.equal(world.provider.calls.at(-1)?.call.serviceTier, isAsked ? asked : undefined, what);
      }
      assert.deepEqual((await world.admin.audit()).violations, []);
    },
    tiered,
  ),
  gatewayCase(
    'holds for the more expensive of the service tier that was asked for and the standard one',
    async (world) => {
      const standard = await holdOf(world, null);
      assert.equal(await holdOf(world, 'flex'), standard);
      assert.equal(await holdOf(world, 'priority'), 2 * standard);
    },
    tiered,
  ),
  gatewayCase(
    'refuses a service tier that is not sold, by name, on every wire that asks for one, before anything is reserved',
    async (world) => {
      const { key } = await world.createCaller({ projectId: world.projectId, model: null });
      const model = 'flash-3.8';
      const chat = await world.chat({ ...greeting, model, service_tier: 'flex' }, { key });
      assertRefused(chat, 422, 'unsupported_parameter');
      assert.match(messageOf(chat), /service_tier is flex.*flash-3\.8; accepted are auto, default\./);
      const respond = (body: object) =>
        world.send({ key, path: '/responses', body: { model: suiteModel, input: 'Hello', ...body } });
      const response = await respond({ model, service_tier: 'priority' });
      assert.equal(response.status, 422);
      assert.match(messageOf(response), /service_tier is priority/);
      assert.match(messageOf(await respond({ service_tier: 'flex', background: true })), /in the background/);
      // Also of a model that is sold without tiers.
      for (const each of [suiteModel, model]) {
        const scaled = await world.chat({ ...greeting, model: each, service_tier: 'scale' }, { key });
        assertRefused(scaled, 422, 'invalid_request');
        const responded = await respond({ model: each, service_tier: 'scale' });
        assert.equal(responded.status, 422);
        for (const answer of [scaled, responded])
          assert.match(messageOf(answer), /service_tier.*"auto".*"default".*"flex".*"priority"/);
      }
      const messages = { model, max_tokens: 10, messages: greeting.messages, service_tier: 'priority' };
      assert.equal((await world.send({ key, path: '/messages', body: messages })).status, 400);
      assert.equal(world.provider.calls.length, 0);
      assert.equal((await world.wallet.read(world.accountId)).reservedMicros, 0n);
    },
    tiered,
  ),
  gatewayCase(
    'a response shows its service tier whole, streamed and replayed, and a message may be standard only',
    async (world) => {
      const respond = (body: object, identity: string) =>
        world.send({
          path: '/responses',
          headers: { 'idempotency-key': identity },
          body: { input: 'Hello', max_output_tokens: 100, service_tier: 'priority', ...body },
        });
      script(world, 'priority');
      const whole = okJson(await respond({}, 'whole'));
      assert.deepEqual([whole.at('service_tier').value, whole.at('service', 'credits').value], ['priority', 0.02]);
      script(world, 'standard');
      const streamed = await respond({ stream: true }, 'streamed');
      assert.match(streamed.text, /"service_tier":"default"/);
      assert.equal((await respond({ stream: true }, 'streamed')).text, streamed.text);
      script(world);
      const body = { model: suiteModel, max_tokens: 10, messages: greeting.messages, service_tier: 'standard_only' };
      const message = await world.send({ path: '/messages', body, headers: { 'anthropic-version': '2023-06-01' } });
      assert.equal(message.status, 200, message.text);
      assert.equal(world.provider.calls.at(-1)?.call.serviceTier, 'standard');
      assert.deepEqual((await world.admin.audit()).violations, []);
    },
    tiered,
  ),
  gatewayCase(
    'prices by its service tier what is decided later, also in another process',
    async (world) => {
      world.provider.script({ kind: 'unknown' });
      const lost = await ask(world, 'flex');
      assert.equal(lost.status, 502);
      const id = requestIdOf(lost);
      await world.reopen();
      const verdict = { executed: true, usage: [{ unit: 'input_text_tokens', quantity: 10 }] } as const;
      assert.equal((await world.admin.resolveOperation(id, verdict)).kind, 'resolved');
      const operation = await world.admin.readOperation(id);
      assert.deepEqual([operation?.chargedMicros, operation?.serviceTier], [5_000n, 'flex']);
      assert.deepEqual((await world.admin.audit()).violations, []);
    },
    tiered,
  ),
  gatewayCase(
    'takes the service tier for a part of what was asked: another one is another request',
    async (world) => {
      const headers = { 'idempotency-key': 'one' };
      script(world, 'flex');
      const body = { ...greeting, max_tokens: 100, service_tier: 'flex' };
      const first = await world.chat(body, { headers });
      okJson(first);
      assert.equal((await world.chat(body, { headers })).text, first.text);
      const other = await world.chat({ ...body, service_tier: 'priority' }, { headers });
      assertRefused(other, 409, 'ai_idempotency_conflict');
    },
    tiered,
  ),
];
