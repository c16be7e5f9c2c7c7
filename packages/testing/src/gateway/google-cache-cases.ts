import assert from 'node:assert/strict';
import { okJson, requestIdOf, type Answer, type Json } from './answer.ts';
import { bookText, cacheSettings, hourMs, storageCredits, upstreamCacheSettings } from './cache-ask.ts';
import { gatewayCase, type GatewayCase } from './gateway-case.ts';
import type { GatewayWorld } from './gateway-world.ts';
import { helloContent } from './generate-ask.ts';
import {
  askGoogle,
  assertRefusedField,
  assertTold,
  google,
  keyOf,
  strangerOf,
  whileWorking,
  type GoogleAsk,
} from './google-ask.ts';
import { suiteModel } from './suite-tariff.ts';

const settings = { ...cacheSettings, ...google };
const path = '/cachedContents';
const contents = [{ role: 'user', parts: [{ text: bookText }] }];
const body = { model: `models/${suiteModel}`, displayName: 'Book', ttl: '600s', contents };

/** Creates a cache while a worker works: the client waits until it can be used. */
const create = (world: GatewayWorld, asked: object = body, more: GoogleAsk = {}): Promise<Answer> =>
  whileWorking(world, askGoogle(world, path, { ...more, body: asked }));

const idOf = (record: Json): string => record.at('name').text().replace('cachedContents/', '');

const sizeOf = (record: Json): number => record.at('usageMetadata', 'totalTokenCount').number();

const use = (world: GatewayWorld, name: string, more: GoogleAsk = {}): Promise<Answer> =>
  askGoogle(world, `/models/${suiteModel}:generateContent`, {
    ...more,
    body: { contents: [helloContent], cachedContent: name },
  });

/** Caches in the terms of Google's clients: the same resource, credits and states. */
export const googleCacheCases: readonly GatewayCase[] = [
  gatewayCase(
    'google: creates a cache that can be used at once, shows it in its form, and charges the time that it was stored',
    async (world) => {
      const createdAtMs = world.time.now();
      const answer = await create(world);
      const record = okJson(answer);
      const id = idOf(record);
      const tokens = record.at('usageMetadata', 'totalTokenCount').number();
      assert.equal(requestIdOf(answer), id);
      assert.deepEqual(
        ['model', 'displayName', 'createTime', 'expireTime'].map((name) => record.at(name).value),
        [
          `models/${suiteModel}`,
          'Book',
          new Date(createdAtMs).toISOString(),
          new Date(createdAtMs + 600_000).toISOString(),
        ],
      );
      assert.deepEqual(okJson(await askGoogle(world, `${path}/${id}`)).at('name').value, `cachedContents/${id}`);
      okJson(await use(world, `cachedContents/${id}`));
      const sent = world.provider.calls.at(-1)?.call.contents.flatMap(({ parts }) => parts) ?? [];
      assert.ok(sent.some((part) => part.kind === 'text' && part.text === bookText));
      world.time.advance(60_000);
      assert.deepEqual(okJson(await askGoogle(world, `${path}/${id}`, { method: 'DELETE' })).value, {});
      assert.equal((await world.record(id)).at('charged_credits').value, storageCredits(tokens, 60));
      assertTold(await askGoogle(world, `${path}/${id}`), 404, 'NOT_FOUND', 'not_found');
      assertTold(await use(world, `cachedContents/${id}`), 404, 'NOT_FOUND', 'not_found');
      assert.equal((await world.wallet.read(world.accountId)).reservedMicros, 0n);
    },
    settings,
  ),
  gatewayCase(
    'google: replays the creation of a cache, and gives another body of the same identity a conflict',
    async (world) => {
      const headers = { 'idempotency-key': 'one-cache' };
      const first = await create(world, body, { headers });
      const again = await create(world, body, { headers });
      assert.deepEqual([again.text, again.headers.get('idempotency-replayed')], [first.text, 'true']);
      assertTold(await create(world, { ...body, ttl: '601s' }, { headers }), 409, 'ABORTED', 'ai_idempotency_conflict');
      const list = okJson(await askGoogle(world, path));
      assert.equal(list.at('cachedContents').list().length, 1);
    },
    settings,
  ),
  gatewayCase(
    'google: takes a model of the body for a key without one, a time to live as a moment, and an hour by default',
    async (world) => {
      const credential = await keyOf(world, null);
      const expireTime = new Date(world.time.now() + 90_500).toISOString();
      const { ttl: _, ...bare } = body;
      const until = okJson(await create(world, { ...bare, expireTime }, { credential }));
      assert.equal(until.at('model').value, `models/${suiteModel}`);
      const second = Date.parse(until.at('expireTime').text()) - world.time.now();
      assert.ok(second >= 90_500 && second < 92_000, String(second));
      const id = idOf(until);
      const patch = (change: object) => askGoogle(world, `${path}/${id}`, { method: 'PATCH', body: change });
      const changed = okJson(await patch({ ttl: '300s' }));
      assert.equal(changed.at('expireTime').value, new Date(world.time.now() + 300_000).toISOString());
      assertRefusedField(await patch({ ttl: '5' }), 'ttl');
      assertRefusedField(await patch({ displayName: 'x' }), 'displayName');
      const hour = okJson(await create(world, bare));
      assert.equal(hour.at('expireTime').value, new Date(world.time.now() + hourMs).toISOString());
    },
    settings,
  ),
  gatewayCase(
    'google: lists the caches that can be used, page by page, and goes on where one was deleted meanwhile',
    async (world) => {
      const names: string[] = [];
      for (const displayName of ['a', 'b', 'c']) {
        world.time.advance(1_000);
        names.unshift(
          okJson(await create(world, { ...body, displayName }))
            .at('name')
            .text(),
        );
      }
      const first = okJson(await askGoogle(world, `${path}?pageSize=2`));
      assert.deepEqual(
        first
          .at('cachedContents')
          .list()
          .map((each) => each.at('name').value),
        names.slice(0, 2),
      );
      okJson(await askGoogle(world, `/${names[1]}`, { method: 'DELETE' }));
      const token = first.at('nextPageToken').text();
      const second = okJson(await askGoogle(world, `${path}?pageSize=2&pageToken=${token}`));
      assert.deepEqual(
        second
          .at('cachedContents')
          .list()
          .map((each) => each.at('name').value),
        names.slice(2),
      );
      assert.equal(second.at('nextPageToken').value, undefined);
    },
    settings,
  ),
  gatewayCase(
    'google: keeps an instruction in a cache, stores its tokens for credits, and puts it before a call that has none of its own',
    async (world) => {
      const plain = okJson(await create(world));
      const instruction = { parts: [{ text: 'Speak like a sailor.' }, { text: 'Be brief.' }] };
      const held = okJson(await create(world, { ...body, systemInstruction: instruction }));
      assert.ok(sizeOf(held) > sizeOf(plain), `${sizeOf(held)} tokens, and ${sizeOf(plain)} without the instruction`);
      const name = held.at('name').text();
      okJson(await use(world, name));
      const sent = world.provider.calls.at(-1)?.call;
      assert.equal(sent?.systemInstruction, 'Speak like a sailor.\n\nBe brief.');
      assert.ok(
        sent.contents.some(({ parts }) => parts.some((part) => part.kind === 'text' && part.text === bookText)),
      );
      const repeated = { contents: [helloContent], cachedContent: name, systemInstruction: instruction };
      assertRefusedField(
        await askGoogle(world, `/models/${suiteModel}:generateContent`, { body: repeated }),
        'systemInstruction',
      );
      world.time.advance(60_000);
      okJson(await askGoogle(world, `/${name}`, { method: 'DELETE' }));
      assert.equal((await world.record(idOf(held))).at('charged_credits').value, storageCredits(sizeOf(held), 60));
    },
    settings,
  ),
  gatewayCase(
    'google: says of a cache that its upstream refuses why there is none, and charges nothing',
    async (world) => {
      world.provider.scriptCaches({ kind: 'not_executed', reason: 'invalid_request' });
      const refused = await create(world);
      assert.ok(refused.status >= 400, refused.text);
      assert.equal((await world.record(requestIdOf(refused))).at('charged_credits').value, 0);
      assert.deepEqual(okJson(await askGoogle(world, path)).at('cachedContents').value, []);
    },
    { ...upstreamCacheSettings, ...google },
  ),
  gatewayCase(
    'google: refuses by name what a cache does not hold, and shows another project nothing',
    async (world) => {
      for (const [field, value] of [
        ['systemInstruction.parts', { parts: [] }],
        ['toolConfig', {}],
        ['tools', [{ codeExecution: {} }]],
        ['ttl', '8d'],
        ['kmsKeyName', 'k'],
      ] as const)
        assertRefusedField(await create(world, { ...body, [field.replace('.parts', '')]: value }), field);
      assertTold(
        await create(world, { ...body, model: 'models/pro-2.5' }),
        422,
        'INVALID_ARGUMENT',
        'model_key_mismatch',
      );
      assert.deepEqual(await world.admin.listOperations({ kind: 'project', projectId: world.projectId }), []);
      const name = okJson(await create(world))
        .at('name')
        .text();
      const credential = await strangerOf(world, suiteModel);
      const foreign = [
        await askGoogle(world, `/${name}`, { credential }),
        await askGoogle(world, `/${name}`, { credential, method: 'DELETE' }),
        await askGoogle(world, `/${name}`, { credential, method: 'PATCH', body: { ttl: '60s' } }),
        await use(world, name, { credential }),
      ];
      for (const answer of foreign) assertTold(answer, 404, 'NOT_FOUND', 'not_found');
      assert.deepEqual(okJson(await askGoogle(world, path, { credential })).at('cachedContents').value, []);
    },
    settings,
  ),
];
