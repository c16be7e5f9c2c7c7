import assert from 'node:assert/strict';
import { defaultCatalog } from '@tollgate/contract';
import { assertRefused, okJson } from './answer.ts';
import { cacheBody, cacheClient, cacheOf, cacheSettings, hourMs } from './cache-ask.ts';
import { deleteFile, uploadedId } from './file-ask.ts';
import { gatewayCase, type GatewayCase } from './gateway-case.ts';
import type { GatewayWorld } from './gateway-world.ts';
import { lastCall } from './generate-ask.ts';
import { mediaSamples } from './media-samples.ts';
import { suiteModel } from './suite-tariff.ts';

/** Asserts that each body is refused with 422 and the code, and that nothing of it is registered or reserved. */
const assertCachesRefused = async (world: GatewayWorld, code: string, bodies: readonly unknown[]): Promise<void> => {
  const client = cacheClient(world);
  for (const body of bodies) {
    const error = assertRefused(await client.create(body), 422, code);
    assert.equal(error.at('request_id').value, undefined);
  }
  assert.deepEqual(okJson(await world.send({ path: '/caches' })).at('data').value, []);
  assert.equal((await world.wallet.read(world.accountId)).reservedMicros, 0n);
};

const part = { text: 'Hello' } as const;

/** Bodies that say too little, or what no cache takes. */
const assertBodiesRefused = async (world: GatewayWorld): Promise<void> => {
  const client = cacheClient(world);
  for (const [code, body] of [
    ['invalid_request', { ttl_seconds: 60 }],
    ['invalid_request', { ttl_seconds: 60, contents: [] }],
    ['invalid_request', { ...cacheBody, display_name: 7 }],
    ['invalid_role', { ...cacheBody, contents: [{ role: 'system', parts: [part] }] }],
    ['unsupported_parameter', { ...cacheBody, model: suiteModel }],
    ['unsupported_parameter', { ...cacheBody, systemInstruction: { parts: [part] } }],
  ] as const)
    assertRefused(await client.create(body), 422, code);
};

const largePng = (): string => {
  const bytes = Buffer.from(mediaSamples.png, 'base64');
  return Buffer.concat([bytes.subarray(0, -12), Buffer.alloc(200_000, 7), bytes.subarray(-12)]).toString('base64');
};

/** POST /caches: what it takes. */
export const cachesBodyCases: readonly GatewayCase[] = [
  gatewayCase(
    'takes a name and contents, whose role may be left out [caches:body:fields]',
    async (world) => {
      const client = cacheClient(world);
      const contents = [{ parts: [part] }, { role: 'model', parts: [{ text: 'Yes?' }] }];
      const record = await client.active({ ...cacheBody, display_name: 'Manual', contents });
      assert.equal(record.at('display_name').value, 'Manual');
      assert.ok(!JSON.stringify(record.value).includes('Hello'));
      okJson(await client.use(record.at('id').text()));
      assert.deepEqual(
        lastCall(world).contents.map(({ role }) => role),
        ['user', 'model', 'user'],
      );
      await assertBodiesRefused(world);
    },
    cacheSettings,
  ),
  gatewayCase(
    'takes a whole number of 1 to 604800 seconds [caches:body:ttl-range] [errors:code:invalid-request]',
    async (world) => {
      await assertCachesRefused(world, 'invalid_request', [
        cacheOf(0),
        cacheOf(604_801),
        cacheOf(1.5),
        { ...cacheBody, ttl_seconds: '60' },
        { contents: cacheBody.contents },
      ]);
      const error = assertRefused(await cacheClient(world).create(cacheOf(0)), 422, 'invalid_request');
      assert.match(error.at('message').text(), /ttl_seconds/);
      for (const ttl of [1, 604_800]) okJson(await cacheClient(world).create(cacheOf(ttl)));
    },
    cacheSettings,
  ),
  gatewayCase(
    'refuses less context than the model keeps, without a charge [caches:body:minimum-size]',
    async (world) => {
      await assertCachesRefused(world, 'invalid_request', [{ ...cacheBody, contents: [{ parts: [part] }] }]);
      okJson(
        await cacheClient(world).create({ ...cacheBody, contents: [{ parts: [{ text: 'word '.repeat(1_000) }] }] }),
      );
    },
    {
      ...cacheSettings,
      catalog: defaultCatalog.map((row) => (row.id === suiteModel ? { ...row, cacheTokensMin: 1_000 } : row)),
    },
  ),
  gatewayCase(
    'keeps large media and copies of files, and sends them along [caches:body:fields]',
    async (world) => {
      const client = cacheClient(world);
      const data = largePng();
      const fileId = await uploadedId(world);
      const parts = [{ inlineData: { mimeType: 'image/png', data } }, { fileData: { fileUri: `files/${fileId}` } }];
      const id = (await client.active({ ...cacheOf(180_000), contents: [{ parts }] })).at('id').text();
      assertRefused(await deleteFile(world, fileId), 409, 'request_in_progress');
      world.time.advance(49 * hourMs);
      await world.runJobs();
      assert.equal(okJson(await world.send({ path: `/files/${fileId}` })).at('status').value, 'expired');
      await world.reopen();
      const read: Buffer[] = [];
      const { generate } = world.provider;
      const spied: typeof generate = async (call, context) => {
        for (const each of call.contents[0]?.parts ?? []) {
          if (each.kind !== 'blob') continue;
          const chunks: Uint8Array[] = [];
          for await (const chunk of each.read()) chunks.push(chunk);
          read.push(Buffer.concat(chunks));
        }
        return generate(call, context);
      };
      Object.assign(world.provider, { generate: spied });
      okJson(await client.use(id));
      assert.equal(read.length, 2);
      assert.equal(read[0]?.toString('base64'), data);
      assert.ok((read[1]?.length ?? 0) > 0);
    },
    cacheSettings,
  ),
  gatewayCase(
    'refuses files that are not there, and a model that does not generate',
    async (world) => {
      const unknown = { fileData: { fileUri: 'files/01900000-0000-7000-8000-000000000000' } };
      const client = cacheClient(world);
      assertRefused(await client.create({ ...cacheBody, contents: [{ parts: [unknown] }] }), 404, 'not_found');
      const { key } = await world.createCaller({ projectId: world.projectId, model: 'embedding-001' });
      assertRefused(await cacheClient(world, key).create(), 422, 'model_incompatible');
    },
    cacheSettings,
  ),
];
