import assert from 'node:assert/strict';
import { assertRefused, okJson } from './answer.ts';
import { bookText, cacheClient, cacheOf, cacheSettings, tokensOf } from './cache-ask.ts';
import { gatewayCase, type GatewayCase } from './gateway-case.ts';
import { generate, helloBody, helloContent, lastCall, streamGenerate } from './generate-ask.ts';
import { measured } from './measured.ts';
import { suiteModel } from './suite-tariff.ts';

const otherModel = 'pro-2.5';

/** The own input of a call with `helloContent` at its most: a token a byte, and eight of the message. */
const ownTokensMax = 5 + 8;

/** 1,000 micro-credits for a token of input, 250 for one that was cached, 2,000 for each of five of output. */
const creditsOf = (input: number, full: number): number =>
  (full * 1_000 + (input - full) * 250 + 5 * 2_000) / 1_000_000;

const measuredAs = (input: number) => ({
  kind: 'answer' as const,
  generation: { usage: measured(['input_text_tokens', input], ['output_text_tokens', 5]) },
});

/** Generations that name a cache. */
export const cacheUseCases: readonly GatewayCase[] = [
  gatewayCase(
    'is named as caches/<cache_id>, comes before the contents and is metered as a read [caches:use:reference-form] [ledger:charged:cache-reads]',
    async (world) => {
      const client = cacheClient(world);
      const record = await client.active();
      const id = record.at('id').text();
      const tokens = tokensOf(record);
      const usage = measured(['input_text_tokens', tokens + 10], ['output_text_tokens', 5]);
      world.provider.script({ kind: 'answer', generation: { usage } }, { kind: 'answer', generation: { usage } });
      const answer = okJson(await client.use(id));
      const [first] = lastCall(world).contents;
      assert.deepEqual(first, { role: 'user', parts: [{ kind: 'text', text: bookText }] });
      assert.equal(lastCall(world).contents.length, 2);
      const credits = creditsOf(tokens + 10, ownTokensMax);
      assert.equal(answer.at('service', 'credits').value, credits);
      const streamed = await streamGenerate(world, { contents: [helloContent], cachedContent: `caches/${id}` });
      assert.equal(streamed.status, 200);
      assert.ok(streamed.text.includes(`"credits":${credits}`), streamed.text);
      for (const wrong of [id, `cachedContents/${id}`])
        assertRefused(await generate(world, { ...helloBody, cachedContent: wrong }), 422, 'invalid_request');
      for (const unknown of ['caches/x', 'caches/01900000-0000-7000-8000-000000000000'])
        assertRefused(await generate(world, { ...helloBody, cachedContent: unknown }), 404, 'not_found');
    },
    cacheSettings,
  ),
  gatewayCase(
    'makes nothing of the own input of a call cheaper where it holds less than it was estimated as',
    async (world) => {
      const client = cacheClient(world);
      const repeated = await client.active({
        ttl_seconds: 3_600,
        contents: [{ parts: [{ text: 'a'.repeat(8_000) }] }],
      });
      const cachedContent = `caches/${repeated.at('id').text()}`;
      const contents = [{ role: 'user', parts: [{ text: '0123456789'.repeat(100) }] }];
      // Each digit is a token, and 16 letters of the cache are one: of 1,500 tokens, the cache has 500.
      world.provider.script(measuredAs(1_500), measuredAs(1_000));
      const withCache = okJson(await generate(world, { contents, cachedContent }));
      const alone = okJson(await generate(world, { contents }));
      assert.equal(withCache.at('service', 'credits').value, creditsOf(1_500, 1_008));
      assert.equal(alone.at('service', 'credits').value, creditsOf(1_000, 1_000));
    },
    cacheSettings,
  ),
  gatewayCase(
    'is used with the model that created it only [caches:use:same-model]',
    async (world) => {
      const id = (await cacheClient(world).active()).at('id').text();
      const { key } = await world.createCaller({ projectId: world.projectId, model: otherModel });
      const body = { ...helloBody, cachedContent: `caches/${id}` };
      assertRefused(await generate(world, body, { key, model: otherModel }), 422, 'invalid_request');
      const { key: same } = await world.createCaller({ projectId: world.projectId, model: suiteModel });
      okJson(await generate(world, body, { key: same }));
    },
    cacheSettings,
  ),
  gatewayCase(
    'is used in its own project only [caches:use:other-project]',
    async (world) => {
      const id = (await cacheClient(world).active()).at('id').text();
      const projectId = await world.createProject(world.accountId);
      const { key } = await world.createCaller({ projectId, model: suiteModel });
      assertRefused(await cacheClient(world, key).use(id), 404, 'not_found');
    },
    cacheSettings,
  ),
  gatewayCase(
    'is used as long as it is kept, to the second, and a replay outlives it [caches:use:expired-or-deleted]',
    async (world) => {
      const client = cacheClient(world);
      const id = (await client.active(cacheOf(60))).at('id').text();
      const headers = { 'idempotency-key': 'kept' };
      const first = okJson(await client.use(id, {}, { headers }));
      world.time.advance(60_000);
      assertRefused(await client.use(id), 404, 'not_found');
      await world.runJobs();
      assertRefused(await client.use(id), 404, 'not_found');
      const again = await client.use(id, {}, { headers });
      assert.equal(again.headers.get('idempotency-replayed'), 'true');
      assert.deepEqual(okJson(again).value, first.value);
      const gone = (await client.active()).at('id').text();
      okJson(await client.remove(gone));
      assertRefused(await client.use(gone), 404, 'not_found');
    },
    cacheSettings,
  ),
  gatewayCase(
    'is not ended while a generation uses it',
    async (world) => {
      const client = cacheClient(world);
      const id = (await client.active()).at('id').text();
      const go = Promise.withResolvers<void>();
      world.provider.script({ kind: 'wait', until: go.promise, next: { kind: 'answer' } });
      const using = client.use(id);
      await world.provider.received(1);
      assertRefused(await client.remove(id), 409, 'request_in_progress');
      go.resolve();
      okJson(await using);
      okJson(await client.remove(id));
    },
    cacheSettings,
  ),
  gatewayCase(
    'is not used before it was created',
    async (world) => {
      const client = cacheClient(world);
      const id = okJson(await client.create())
        .at('id')
        .text();
      assertRefused(await client.use(id), 409, 'request_in_progress');
    },
    cacheSettings,
  ),
  gatewayCase(
    'is read by items of a batch, which keeps it from being ended',
    async (world) => {
      const client = cacheClient(world);
      const record = await client.active();
      const id = record.at('id').text();
      const request = {
        contents: [helloContent],
        cachedContent: `caches/${id}`,
      };
      const usage = measured(['input_text_tokens', tokensOf(record) + 10], ['output_text_tokens', 5]);
      world.provider.script({ kind: 'answer', generation: { usage } });
      const batch = okJson(await world.send({ path: '/batches', body: { requests: [{ key: 'a', request }] } }));
      assertRefused(await client.remove(id), 409, 'request_in_progress');
      await world.runJobs();
      assert.equal(lastCall(world).contents.length, 2);
      const done = okJson(await world.send({ path: `/batches/${batch.at('id').text()}` }));
      const credits = creditsOf(tokensOf(record) + 10, ownTokensMax);
      assert.deepEqual([done.at('status').value, done.at('charged_credits').value], ['completed', credits]);
      okJson(await client.remove(id));
    },
    cacheSettings,
  ),
];
