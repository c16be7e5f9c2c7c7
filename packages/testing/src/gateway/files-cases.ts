import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { assertRefused, jsonOf, okJson, uuidPattern } from './answer.ts';
import { createdJson, deleteFile, fileKeptMs, getFile, pdfUpload, upload, uploadedId } from './file-ask.ts';
import { gatewayCase, type GatewayCase } from './gateway-case.ts';
import type { GatewayWorld } from './gateway-world.ts';
import { mediaSamples as samples } from './media-samples.ts';

const recordKeys = [
  'created_at',
  'display_name',
  'error_code',
  'expires_at',
  'id',
  'mime_type',
  'name',
  'object',
  'sha256',
  'size_bytes',
  'status',
  'updated_at',
];

/** Asserts that each body is refused with 422 and the code, and that no file came of any. */
const assertUploadsRefused = async (world: GatewayWorld, code: string, bodies: readonly unknown[]): Promise<void> => {
  for (const body of bodies) assertRefused(await upload(world, body), 422, code);
  assert.deepEqual(okJson(await world.send({ path: '/files' })).at('data').value, []);
};

/** A body of exactly so many bytes, filled up with white space. */
const padded = (bytes: number): string => {
  const json = JSON.stringify(pdfUpload);
  return `${json}${' '.repeat(bytes - json.length)}`;
};

const textOf = (bytes: number) => ({
  display_name: 'long.txt',
  mime_type: 'text/plain',
  data: Buffer.alloc(bytes, 'words ').toString('base64'),
});

/** Uploading, and what is shown of a file. */
export const filesCases: readonly GatewayCase[] = [
  gatewayCase(
    'answers 201 with the whole record [files:upload:created] [files:record:fields] [files:record:name] [limits:retention:files]',
    async (world) => {
      const file = createdJson(await upload(world));
      assert.deepEqual(file.keys().toSorted(), recordKeys);
      assert.match(file.at('id').text(), uuidPattern);
      const createdAtMs = Date.parse(file.at('created_at').text());
      const bytes = Buffer.from(samples.pdf, 'base64');
      assert.deepEqual(file.value, {
        id: file.at('id').text(),
        object: 'file',
        name: `files/${file.at('id').text()}`,
        display_name: 'report.pdf',
        mime_type: 'application/pdf',
        size_bytes: bytes.length,
        sha256: createHash('sha256').update(bytes).digest('hex'),
        status: 'active',
        created_at: new Date(createdAtMs).toISOString(),
        updated_at: new Date(createdAtMs).toISOString(),
        expires_at: new Date(createdAtMs + fileKeptMs).toISOString(),
        error_code: null,
      });
      assert.equal(createdAtMs, world.time.now());
      assert.deepEqual(okJson(await getFile(world, file.at('id').text())).value, file.value);
    },
  ),
  gatewayCase('takes every media type, and gives it its one spelling', async (world) => {
    for (const [mime_type, data, spelled] of [
      ['audio/x-wav', samples.wav, 'audio/wav'],
      ['audio/mp3', samples.mp3, 'audio/mpeg'],
      ['audio/m4a', samples.m4a, 'audio/mp4'],
      ['VIDEO/MP4', samples.mp4, 'video/mp4'],
      ['image/png', samples.png, 'image/png'],
      ['image/webp', samples.webp, 'image/webp'],
      ['text/plain; charset=utf-8', samples.text, 'text/plain'],
    ] as const) {
      const file = createdJson(await upload(world, { display_name: 'a', mime_type, data }));
      assert.equal(file.at('mime_type').value, spelled);
    }
  }),
  gatewayCase('refuses missing, wrong and other fields [files:upload:fields]', async (world) => {
    const { data, mime_type, display_name } = pdfUpload;
    await assertUploadsRefused(world, 'invalid_request', [
      { display_name, mime_type },
      { display_name, data },
      { mime_type, data },
      { ...pdfUpload, data: 7 },
      { ...pdfUpload, mime_type: null },
      { ...pdfUpload, display_name: ['a'] },
      { ...pdfUpload, data: { kind: 'lifted' } },
      [],
      'null',
    ]);
    await assertUploadsRefused(world, 'unsupported_parameter', [{ ...pdfUpload, purpose: 'user_data' }]);
    assertRefused(await upload(world, '{"data":'), 400, 'invalid_json');
    assertRefused(
      await upload(world, 'a=b', { headers: { 'content-type': 'multipart/form-data; boundary=x' } }),
      422,
      'unsupported_content',
    );
  }),
  gatewayCase('refuses what is not pure base64 [files:upload:base64-no-prefix]', async (world) => {
    const long = Buffer.from('%PDF'.repeat(30_000)).toString('base64');
    await assertUploadsRefused(
      world,
      'invalid_request',
      [
        `data:application/pdf;base64,${samples.pdf}`,
        '***',
        '',
        `${samples.pdf}=`,
        `data:application/pdf;base64,${long}`,
        `${long.slice(0, 100_000)}-${long.slice(100_001)}`,
        `${long}=`,
        long.slice(1),
      ].map((data) => ({ ...pdfUpload, data })),
    );
  }),
  gatewayCase('refuses a file that is none of the type it declares', async (world) => {
    const long = Buffer.alloc(120_000, 'words ').toString('base64');
    await assertUploadsRefused(world, 'unsupported_content', [
      { ...pdfUpload, mime_type: 'application/zip', data: samples.zip },
      { ...pdfUpload, data: samples.zip },
      { ...pdfUpload, mime_type: 'text/plain' },
      { ...pdfUpload, mime_type: 'image/png', data: samples.jpeg },
      { ...pdfUpload, data: long },
    ]);
  }),
  gatewayCase('makes a file of its own of every upload [files:upload:distinct]', async (world) => {
    const ids = new Set([await uploadedId(world), await uploadedId(world)]);
    assert.equal(ids.size, 2);
    await deleteFile(world, [...ids][0] ?? '');
    assert.equal(okJson(await getFile(world, [...ids][1] ?? '')).at('status').value, 'active');
  }),
  gatewayCase('takes files of 20,971,520 bytes and not one more [files:upload:max-file]', async (world) => {
    for (const bytes of [20_000_000, 20_971_520])
      assert.equal(createdJson(await upload(world, textOf(bytes))).at('size_bytes').value, bytes);
    assertRefused(await upload(world, textOf(20_971_521)), 413, 'body_too_large');
  }),
  gatewayCase('takes bodies of 29,360,128 bytes and not one more [files:upload:max-json]', async (world) => {
    for (const bytes of [28_000_000, 29_360_128]) createdJson(await upload(world, padded(bytes)));
    assertRefused(await upload(world, padded(29_360_129)), 413, 'body_too_large');
  }),
  gatewayCase('lists the newest first, at most a hundred [files:list:envelope]', async (world) => {
    const ids: string[] = [];
    for (let at = 0; at < 101; at += 1) {
      ids.push(await uploadedId(world));
      world.time.advance(1);
    }
    const list = okJson(await world.send({ path: '/files' }));
    assert.deepEqual(list.keys().toSorted(), ['data', 'object']);
    assert.equal(list.at('object').value, 'list');
    assert.deepEqual(
      list
        .at('data')
        .list()
        .map((file) => file.at('id').value),
      ids.slice(1).toReversed(),
    );
    assert.deepEqual(list.at('data', 0).keys().toSorted(), recordKeys);
  }),
  gatewayCase('needs no balance and moves none', async (world) => {
    const accountId = await world.createAccount(0n);
    const projectId = await world.createProject(accountId);
    const { key } = await world.createCaller({ projectId, model: null });
    const id = await uploadedId(world, { key });
    okJson(await getFile(world, id, { key }));
    okJson(await world.send({ path: '/files', key }));
    okJson(await deleteFile(world, id, { key }));
    assert.deepEqual(await world.wallet.read(accountId), { balanceMicros: 0n, reservedMicros: 0n });
  }),
  gatewayCase('demands a key, and answers errors as objects', async (world) => {
    for (const ask of [
      { path: '/files', body: pdfUpload },
      { path: '/files' },
      { path: `/files/${world.projectId}` },
      { path: `/files/${world.projectId}`, method: 'DELETE' },
    ])
      assertRefused(await world.send({ ...ask, key: null }), 401, 'invalid_api_key');
    for (const id of ['x', 'files', world.projectId]) {
      assertRefused(await getFile(world, id), 404, 'not_found');
      assertRefused(await deleteFile(world, id), 404, 'not_found');
    }
    const wrong = await world.send({ path: '/files', method: 'PATCH', body: {} });
    assertRefused(wrong, 405, 'method_not_allowed');
    assert.deepEqual((wrong.headers.get('allow') ?? '').split(', ').toSorted(), ['GET', 'POST']);
  }),
  gatewayCase('shares files among the keys of a project and with no other project', async (world) => {
    const id = await uploadedId(world);
    const sibling = await world.createCaller({ projectId: world.projectId, model: null });
    assert.equal(jsonOf(JSON.parse((await getFile(world, id, sibling)).text)).at('id').value, id);
    const elsewhere = await world.createProject(world.accountId);
    const { key } = await world.createCaller({ projectId: elsewhere, model: null });
    assertRefused(await getFile(world, id, { key }), 404, 'not_found');
    assertRefused(await deleteFile(world, id, { key }), 404, 'not_found');
    assert.deepEqual(okJson(await world.send({ path: '/files', key })).at('data').value, []);
    okJson(await deleteFile(world, id, { key: sibling.key }));
  }),
];
