import assert from 'node:assert/strict';
import { bodyBounds, limits, routes, type Route } from '@tollgate/contract';
import { assertRefused, requestIdOf } from './answer.ts';
import { gatewayCase, type GatewayCase } from './gateway-case.ts';
import type { Ask, GatewayWorld } from './gateway-world.ts';
import { greeting } from './gateway-world.ts';
import { helloBody } from './generate-ask.ts';
import { everyKind, kindRows } from './kind-rows.ts';
import { keyRing, makeOne } from './made-resource.ts';
import { liveBody, liveModel } from './live-ask.ts';
import { suiteModel } from './suite-tariff.ts';
import { triggerId } from './trigger-ask.ts';
import { hookId } from './webhook-ask.ts';

const embedModel = 'embedding-001';

/** A valid request of every route that takes an identity. */
const identified = async (world: GatewayWorld): Promise<readonly Ask[]> => {
  const keys = keyRing(world);
  const asks: Ask[] = [
    { path: '/chat/completions', body: greeting },
    { path: `/models/${suiteModel}:generateContent`, body: helloBody },
    { path: `/models/${suiteModel}:streamGenerateContent`, body: helloBody },
    { path: '/embeddings', key: await keys(embedModel), body: { input: 'Hello' } },
    { path: '/live', key: await keys(liveModel), body: liveBody },
  ];
  for (const row of kindRows) {
    const key = await keys(row.model);
    asks.push({ path: row.path, key, body: await row.body(world, key) });
  }
  return asks;
};

const operations = async (world: GatewayWorld): Promise<number> =>
  (await world.admin.listOperations({ kind: 'project', projectId: world.projectId })).length;

/** A body of exactly so many bytes, almost all of which are white space. */
const blankOf = (bytes: number): Uint8Array => {
  const body = Buffer.alloc(bytes, ' ');
  body.write('{}', bytes - 2);
  return body;
};

/** The limit of each route with a JSON body, by the first part of its path; chat, generation and files have their own cases. */
const bodyBytesMax = (path: string): number => {
  const families = ['/embeddings', '/caches', '/batches', '/videos', '/interactions', '/triggers', '/environments'];
  return families.includes(path) ? 20_971_520 : 2_000_000;
};

const ownLimits = /^\/(?:chat|models|files)/;
const otherRoutes: readonly Route[] = routes.filter(({ request, path }) => request !== null && !ownLimits.test(path));

/** A body in which so many values and names are counted. */
const listOf = (signs: number): Uint8Array => Buffer.from(`{"k":[${'0,'.repeat(signs - 3)}0]}`);

/** A body of so many field names that differ. */
const namesOf = (names: number): Uint8Array =>
  Buffer.from(`{${Array.from({ length: names }, (_, index) => `"k${index}":0`).join(',')},"z":0}`);

/** The path of every route with a body, below which there is something to change. */
const changeable = async (world: GatewayWorld): Promise<(pattern: string) => string> => {
  const cache = await makeOne(world, keyRing(world), kindRows[0] ?? assert.fail());
  await world.runJobs();
  const ids: Readonly<Record<string, string>> = {
    '/caches': cache.id,
    '/webhooks': await hookId(world),
    '/triggers': await triggerId(world),
  };
  return (pattern) => pattern.replace('{model}', suiteModel).replace('{id}', ids[pattern.replace('/{id}', '')] ?? '');
};

/** Rules that every route keeps that they speak of. */
export const everyRouteCases: readonly GatewayCase[] = [
  gatewayCase(
    'executes anew whatever has no identity, and once what has one, on every route that takes it [idempotency:header:optional]',
    async (world) => {
      await world.wallet.deposit(world.accountId, 10_000_000_000n);
      for (const ask of await identified(world)) {
        const before = await operations(world);
        const headers = { 'idempotency-key': `once${ask.path}` };
        const ids = [];
        for (const more of [{}, {}, { headers }, { headers }]) {
          const answer = await world.send({ ...ask, ...more });
          assert.equal(answer.status, 200, answer.text);
          ids.push(requestIdOf(answer));
        }
        assert.equal(new Set(ids).size, 3, ask.path);
        assert.equal(ids[2], ids[3]);
        assert.equal((await operations(world)) - before, 3, ask.path);
      }
    },
    everyKind,
  ),
  gatewayCase('reads an identity on exactly the routes that are described as taking one', async (world) => {
    const headers = { 'idempotency-key': 'two words' };
    const id = '01a1f7d0-0000-7000-8000-000000000000';
    const asked: readonly Route[] = routes.filter(({ method }) => method !== 'GET');
    assert.ok(asked.some(({ path, takesIdentity }) => path === '/agents' && takesIdentity));
    for (const { method, path: pattern, request, takesIdentity } of asked) {
      const path = pattern.replace('{model}', suiteModel).replace(/\{\w+\}/, id);
      const answer = await world.send({ method, path, headers, body: request === null ? undefined : {} });
      assert.equal(/"invalid_idempotency_key"/.test(answer.text), takesIdentity, `${method} ${pattern}`);
    }
  }),
  gatewayCase(
    'bounds the body of every other route, of known length or not [limits:body:other-routes]',
    async (world) => {
      const pathOf = await changeable(world);
      const bound = otherRoutes.map(({ path }) => path).toSorted();
      assert.ok(bound.length >= 12 && bound.includes('/live') && bound.includes('/agents'));
      for (const { method, path: pattern } of otherRoutes) {
        const path = pathOf(pattern);
        const bytes = bodyBytesMax(pattern);
        const whole = await world.send({ method, path, body: blankOf(bytes) });
        assert.notEqual(whole.status, 413, `${method} ${pattern}`);
        const more = blankOf(bytes + 1);
        assertRefused(await world.send({ method, path, body: more }), 413, 'body_too_large');
        assertRefused(await world.send({ method, path, body: new Blob([more]).stream() }), 413, 'body_too_large');
      }
      assert.equal(limits.bodyBytesMax.other, 2_000_000);
    },
    { ...everyKind, receives: true },
  ),
  gatewayCase(
    'counts what a body holds before it is parsed, on every route, of known length or not',
    async (world) => {
      const { nodesMax, depthMax } = bodyBounds;
      const deep = `{"k":${'['.repeat(depthMax)}${']'.repeat(depthMax)}}`;
      const bodied: readonly Route[] = routes.filter(({ request }) => request !== null);
      const pathOf = await changeable(world);
      for (const { method, path: pattern } of bodied) {
        const path = pathOf(pattern);
        const ask = { method, path, headers: { 'content-type': 'application/json' } };
        assert.notEqual((await world.send({ ...ask, body: listOf(nodesMax) })).status, 413, path);
        const more = listOf(nodesMax + 1);
        for (const body of [more, new Blob([more]).stream()]) {
          const error = assertRefused(await world.send({ ...ask, body }), 413, 'body_too_large');
          assert.match(error.at('message').text(), /more than 50000 values and field names \(bodyNodesMax\)/, path);
        }
        const named = assertRefused(
          await world.send({ ...ask, body: namesOf(nodesMax / 10 + 1) }),
          413,
          'body_too_large',
        );
        assert.match(named.at('message').text(), /more than 5000 field names that differ/, path);
        const error = assertRefused(await world.send({ ...ask, body: Buffer.from(deep) }), 422, 'invalid_request');
        assert.match(error.at('message').text(), /more than 128 levels deep;/, path);
      }
    },
    { ...everyKind, receives: true },
  ),
  gatewayCase(
    'takes messages, contents and input on their own routes alone [versioning:formats:not-interchangeable]',
    async (world) => {
      const formats = { messages: greeting.messages, contents: helloBody.contents, input: 'Hello' };
      const keys = keyRing(world);
      const routesOf = [
        ['/chat/completions', suiteModel, 'messages'],
        [`/models/${suiteModel}:generateContent`, suiteModel, 'contents'],
        [`/models/${suiteModel}:streamGenerateContent`, suiteModel, 'contents'],
        ['/interactions', suiteModel, 'input'],
        ['/embeddings', embedModel, 'input'],
      ] as const;
      for (const [path, model, own] of routesOf) {
        const key = await keys(model);
        assert.equal((await world.send({ path, key, body: { [own]: formats[own] } })).status, 200, path);
        for (const [name, value] of Object.entries(formats)) {
          if (name === own) continue;
          for (const body of [{ [name]: value }, { [own]: formats[own], [name]: value }]) {
            const error = assertRefused(await world.send({ path, key, body }), 422, 'unsupported_parameter');
            assert.ok(error.at('message').text().includes(name), path);
          }
        }
      }
    },
  ),
];
