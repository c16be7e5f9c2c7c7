import assert from 'node:assert/strict';
import type { ServiceTier } from '@tollgate/provider';
import { jsonOf, okJson, requestIdOf } from './answer.ts';
import { gatewayCase, type GatewayCase } from './gateway-case.ts';
import type { GatewaySettings } from './gateway-under-test.ts';
import { greeting, type GatewayWorld } from './gateway-world.ts';
import { helloBody } from './generate-ask.ts';
import { askGoogle, assertRefusedField } from './google-ask.ts';
import { measured } from './measured.ts';
import { suiteModel } from './suite-tariff.ts';

const perMillion = { input_text_tokens: '1000', output_text_tokens: '10' };

/** Ten tokens of input cost 0.01 credits as they are, half of it later, and twice of it sooner. */
const tiered: GatewaySettings = {
  compatibility: { google: true, anthropic: true },
  showPrices: true,
  tariff: {
    version: 'suite-service-tier-wires',
    serviceTiers: { flex: '0.5', priority: '2' },
    models: { '*': { perMillion }, 'flash-3.8': { perMillion, serviceTiers: {} } },
  },
};

const script = (world: GatewayWorld, servedTier?: ServiceTier): void =>
  world.provider.script({
    kind: 'answer',
    generation: { usage: measured(['input_text_tokens', 10]), servedTier },
  });

const askContent = (world: GatewayWorld, tier: string, more: { verb?: string; identity?: string } = {}) =>
  askGoogle(world, `/models/${suiteModel}:${more.verb ?? 'generateContent'}`, {
    body: { ...helloBody, serviceTier: tier },
    headers: more.identity === undefined ? {} : { 'idempotency-key': more.identity },
  });

const charges: readonly (readonly [asked: string, served: ServiceTier | undefined, shown: unknown, credits: number])[] =
  [
    ['flex', 'flex', 'flex', 0.005],
    ['flex', undefined, 'flex', 0.005],
    ['priority', 'standard', 'standard', 0.01],
    ['priority', 'priority', 'priority', 0.02],
    ['standard', 'standard', 'standard', 0.01],
    ['unspecified', 'priority', undefined, 0.01],
  ];

/** How the wires of other vendors ask for a service tier, and read how it was served. */
export const serviceTierWiresCases: readonly GatewayCase[] = [
  gatewayCase(
    'a Google client asks for a service tier, is charged by it and reads it beside the usage',
    async (world) => {
      for (const [asked, served, shown, credits] of charges) {
        script(world, served);
        const answer = await askContent(world, asked);
        const body = okJson(answer);
        const what = `asked ${asked}, served ${served}`;
        assert.equal(body.at('service', 'credits').value, credits, what);
        assert.equal(body.at('usageMetadata', 'serviceTier').value, shown, what);
        const sent = world.provider.calls.at(-1)?.call.serviceTier;
        assert.equal(sent, asked === 'unspecified' ? undefined : asked, what);
        const operation = await world.admin.readOperation(requestIdOf(answer));
        assert.equal(operation?.servedTier ?? undefined, asked === 'unspecified' ? undefined : served, what);
      }
      assert.deepEqual((await world.admin.audit()).violations, []);
    },
    tiered,
  ),
  gatewayCase(
    'a stream of generateContent ends with its service tier, and is replayed with it',
    async (world) => {
      script(world, 'priority');
      const how = { verb: 'streamGenerateContent?alt=sse', identity: 'one' };
      const streamed = await askContent(world, 'priority', how);
      const last = jsonOf(JSON.parse(streamed.text.trim().split('\n\n').at(-1)?.slice('data: '.length) ?? ''));
      assert.equal(last.at('usageMetadata', 'serviceTier').value, 'priority');
      assert.equal(last.at('service', 'credits').value, 0.02);
      assert.equal((await askContent(world, 'priority', how)).text, streamed.text);
      const other = await askContent(world, 'flex', how);
      assert.equal(other.status, 409, other.text);
      assert.equal(world.provider.calls.length, 1);
    },
    tiered,
  ),
  gatewayCase(
    'refuses to a Google client a service tier that is not sold, is unknown, or stands in a batch, by its field',
    async (world) => {
      const { key } = await world.createCaller({ projectId: world.projectId, model: null });
      const ask = (path: string, body: object) => askGoogle(world, path, { credential: key, body });
      const unsold = await ask('/models/flash-3.8:generateContent', { ...helloBody, serviceTier: 'flex' });
      assertRefusedField(unsold, 'serviceTier');
      assert.match(unsold.text, /flash-3\.8; accepted are unspecified, standard\./);
      const unknown = await ask(`/models/${suiteModel}:generateContent`, { ...helloBody, serviceTier: 'deferred' });
      assert.match(unknown.text, /serviceTier/);
      assert.equal(unknown.status, 422);
      const request = { ...helloBody, serviceTier: 'flex' };
      const batch = { displayName: 'One', inputConfig: { requests: { requests: [{ request }] } } };
      const batched = await ask(`/models/${suiteModel}:batchGenerateContent`, { batch });
      assert.match(batched.text, /serviceTier is flex, which is not offered in a batch; accepted are unspecified/);
      assert.equal(batched.status, 422);
      assert.equal(world.provider.calls.length, 0);
      assert.equal((await world.wallet.read(world.accountId)).reservedMicros, 0n);
    },
    tiered,
  ),
  gatewayCase(
    'a message says whole and from the first event of its stream that it was served as standard',
    async (world) => {
      const ask = (more: object) =>
        world.send({
          path: '/messages',
          headers: { 'anthropic-version': '2023-06-01' },
          body: { model: suiteModel, max_tokens: 10, messages: greeting.messages, ...more },
        });
      for (const more of [{}, { service_tier: 'auto' }, { service_tier: 'standard_only' }]) {
        script(world, 'standard');
        assert.equal(okJson(await ask(more)).at('usage', 'service_tier').value, 'standard');
      }
      script(world, 'standard');
      const { text } = await ask({ stream: true });
      assert.match(text, /event: message_start\ndata: .*"service_tier":"standard"/);
      assert.match(text, /event: message_delta\ndata: .*"service_tier":"standard"/);
    },
    tiered,
  ),
  gatewayCase(
    'the prices of a model name its service tiers and their factors, and no others',
    async (world) => {
      const { key } = await world.createCaller({ projectId: world.projectId, model: null });
      const tiersOf = async (model: string) =>
        okJson(await world.send({ key, path: `/models/${model}` })).at('prices', 'service_tiers').value;
      assert.deepEqual(await tiersOf(suiteModel), [
        { service_tier: 'flex', factor: '0.500000' },
        { service_tier: 'priority', factor: '2.000000' },
      ]);
      assert.deepEqual(await tiersOf('flash-3.8'), []);
    },
    tiered,
  ),
];
