import assert from 'node:assert/strict';
import { statesByKind } from '@tollgate/contract';
import { assertRefused, okJson, requestIdOf } from './answer.ts';
import {
  chatAbout,
  copying,
  createdJson,
  deleteFile,
  fileKeptMs,
  getFile,
  pdfUpload,
  upload,
  uploadedId,
} from './file-ask.ts';
import { gatewayCase, type GatewayCase } from './gateway-case.ts';
import type { GatewayWorld } from './gateway-world.ts';
import { mediaSamples as samples } from './media-samples.ts';

const statusOf = async (world: GatewayWorld, id: string): Promise<unknown> =>
  okJson(await getFile(world, id)).at('status').value;

/** The bytes of every blob that the last call carried. */
const bytesOfLastCall = async (world: GatewayWorld): Promise<readonly string[]> => {
  const texts: string[] = [];
  for (const part of world.provider.calls.at(-1)?.call.contents.at(-1)?.parts ?? []) {
    if (part.kind !== 'blob') continue;
    const chunks: Uint8Array[] = [];
    for await (const chunk of part.read()) chunks.push(chunk);
    texts.push(Buffer.concat(chunks).toString('base64'));
  }
  return texts;
};

/** A file in each status, by its status; and one that is not there. */
const oneOfEach = async (world: GatewayWorld): Promise<Readonly<Record<string, string>>> => {
  const expired = await uploadedId(world);
  world.time.advance(fileKeptMs);
  await world.runJobs();
  const active = await uploadedId(world);
  world.provider.scriptFiles({ kind: 'answer', fileState: 'processing' });
  const processing = await uploadedId(world);
  world.provider.scriptFiles({ kind: 'answer', fileState: 'failed' });
  const failed = createdJson(await upload(world))
    .at('id')
    .text();
  const deleted = await uploadedId(world);
  okJson(await deleteFile(world, deleted));
  return { active, processing, failed, expired, deleted };
};

const contents = (part: unknown) => ({ contents: [{ role: 'user', parts: [part] }] });

/** What becomes of a file, and how calls use it. */
export const fileUseCases: readonly GatewayCase[] = [
  gatewayCase(
    'shows a file as processing until its copy is ready, and asks anew [files:get:refreshes]',
    async (world) => {
      world.provider.scriptFiles({ kind: 'answer', fileState: 'processing' });
      world.provider.scriptFiles({ kind: 'answer', fileState: 'processing' });
      const file = createdJson(await upload(world));
      assert.equal(file.at('status').value, 'processing');
      const id = file.at('id').text();
      assert.equal(await statusOf(world, id), 'processing');
      world.time.advance(1_000);
      const active = okJson(await getFile(world, id));
      assert.equal(active.at('status').value, 'active');
      assert.equal(Date.parse(active.at('updated_at').text()), world.time.now());
    },
    copying,
  ),
  gatewayCase(
    'finishes a copy by itself',
    async (world) => {
      world.provider.scriptFiles({ kind: 'unknown' });
      const id = await uploadedId(world);
      world.time.advance(5_000);
      await world.runJobs();
      const listed = okJson(await world.send({ path: '/files' }));
      assert.deepEqual([listed.at('data', 0, 'id').value, listed.at('data', 0, 'status').value], [id, 'active']);
    },
    copying,
  ),
  gatewayCase(
    'fails a file that its provider refuses, with a code [files:move:processing-failed] [files:record:no-upstream]',
    async (world) => {
      world.provider.scriptFiles({ kind: 'not_executed', reason: 'invalid_request' });
      const file = createdJson(await upload(world));
      assert.equal(file.at('status').value, 'failed');
      assert.equal(file.at('error_code').value, 'unsupported_parameter');
      const answers = [await getFile(world, file.at('id').text()), await world.send({ path: '/files' })];
      for (const { text } of answers) assert.ok(!text.includes('scripted'), text);
    },
    copying,
  ),
  gatewayCase('expires a file when its time is over [files:move:active-expired]', async (world) => {
    const id = await uploadedId(world);
    world.time.advance(fileKeptMs - 1);
    assert.equal(await statusOf(world, id), 'active');
    world.time.advance(1);
    assert.equal(await statusOf(world, id), 'expired');
    await world.runJobs();
    assert.equal(await statusOf(world, id), 'expired');
  }),
  gatewayCase(
    'shows files of every status, and lists all but deleted ones [files:record:status] [files:list:states-included]',
    async (world) => {
      const ids = await oneOfEach(world);
      assert.deepEqual(Object.keys(ids).toSorted(), [...statesByKind.file].toSorted());
      for (const [status, id] of Object.entries(ids)) {
        // A look at a copy that is processing would find it ready.
        if (status === 'processing') world.provider.scriptFiles({ kind: 'answer', fileState: 'processing' });
        assert.equal(await statusOf(world, id), status);
      }
      const listed = okJson(await world.send({ path: '/files' }))
        .at('data')
        .list()
        .map((file) => file.at('status').text());
      assert.deepEqual(listed.toSorted(), ['active', 'expired', 'failed', 'processing']);
    },
    copying,
  ),
  gatewayCase('deletes a file once, and shows it as deleted [files:delete:response]', async (world) => {
    const id = await uploadedId(world);
    const before = okJson(await getFile(world, id));
    const deleted = okJson(await deleteFile(world, id));
    assert.deepEqual(
      { ...Object(deleted.value), updated_at: null },
      { ...Object(before.value), updated_at: null, status: 'deleted', deleted: true },
    );
    assertRefused(await deleteFile(world, id), 404, 'not_found');
    assert.equal(await statusOf(world, id), 'deleted');
    assert.deepEqual(okJson(await world.send({ path: '/files' })).at('data').value, []);
    assertRefused(await chatAbout(world, id), 404, 'not_found');
    await world.runJobs();
    assert.equal(await statusOf(world, id), 'deleted');
  }),
  gatewayCase('keeps a file while an operation uses it [files:delete:in-use] [errors:status:409]', async (world) => {
    const id = await uploadedId(world);
    const { promise, resolve } = Promise.withResolvers<void>();
    world.provider.script({ kind: 'wait', until: promise, next: { kind: 'answer' } });
    const chatting = chatAbout(world, id);
    await world.provider.received(1);
    assertRefused(await deleteFile(world, id), 409, 'request_in_progress');
    resolve();
    okJson(await chatting);
    okJson(await deleteFile(world, id));
  }),
  gatewayCase('keeps the results of earlier operations [files:delete:keeps-results]', async (world) => {
    const id = await uploadedId(world);
    const headers = { 'idempotency-key': 'about-the-file' };
    const answer = await chatAbout(world, id, { headers });
    const completion = okJson(answer);
    okJson(await deleteFile(world, id));
    await world.runJobs();
    assert.deepEqual((await world.record(requestIdOf(answer))).at('response').value, completion.value);
    const repeated = await chatAbout(world, id, { headers });
    assert.equal(repeated.headers.get('idempotency-replayed'), 'true');
    assert.equal(repeated.text, answer.text);
    assert.equal(world.provider.calls.length, 1);
  }),
  gatewayCase(
    'hands the bytes of a file to the provider, by either form of its id [chat:part:file-id-forms]',
    async (world) => {
      const id = await uploadedId(world);
      for (const form of [id, `files/${id}`]) {
        okJson(await chatAbout(world, form));
        assert.deepEqual(await bytesOfLastCall(world), [samples.pdf]);
        const part = world.provider.calls.at(-1)?.call.contents.at(-1)?.parts[1];
        assert.ok(part?.kind === 'blob' && part.mimeType === 'application/pdf' && part.filename === 'report.pdf');
        assert.ok(part.file?.id === id && part.file.reference !== null);
      }
    },
    copying,
  ),
  gatewayCase(
    'uses a file only while it is active [files:use:must-be-active] [chat:part:file-state]',
    async (world) => {
      const { active = '', ...others } = await oneOfEach(world);
      const foreign = await world.createProject(world.accountId);
      const { key } = await world.createCaller({ projectId: foreign, model: null });
      const statuses = { processing: 409, failed: 422, expired: 404, deleted: 404 } as const;
      const codes = { 404: 'not_found', 409: 'request_in_progress', 422: 'unsupported_content' } as const;
      for (const [state, status] of Object.entries(statuses)) {
        const error = assertRefused(await chatAbout(world, others[state] ?? ''), status, codes[status]);
        assert.equal(error.at('request_id').value, undefined);
      }
      assertRefused(await chatAbout(world, active, { key }), 404, 'not_found');
      assertRefused(await chatAbout(world, world.projectId), 404, 'not_found');
      assert.equal(world.provider.calls.length, 0);
      okJson(await chatAbout(world, active));
    },
    copying,
  ),
  gatewayCase('takes a file of 300,000 bytes on every route, the same as inline', async (world) => {
    const data = Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(300_000, 'x')]).toString('base64');
    const id = createdJson(await upload(world, { ...pdfUpload, data }))
      .at('id')
      .text();
    const path = '/models/flash-2.5:generateContent';
    const { key } = await world.createCaller({ projectId: world.projectId, model: 'flash-2.5' });
    for (const part of [
      { fileData: { fileUri: `files/${id}` } },
      { inlineData: { mimeType: 'application/pdf', data } },
    ]) {
      okJson(await world.send({ path, key, body: contents(part) }));
      const blobs = world.provider.calls.at(-1)?.call.contents.at(-1)?.parts ?? [];
      assert.deepEqual(
        blobs.map((blob) => blob.kind),
        ['blob'],
      );
    }
    okJson(await chatAbout(world, id));
    assert.deepEqual(await bytesOfLastCall(world), [data]);
  }),
];
