import assert from 'node:assert/strict';
import { assertRefused, okJson, type Answer } from './answer.ts';
import { chatAbout, createdJson, uploadedId } from './file-ask.ts';
import { gatewayCase, type GatewayCase } from './gateway-case.ts';
import type { GatewayWorld } from './gateway-world.ts';
import { mediaSamples as samples } from './media-samples.ts';
import { usedBy } from './quota-ask.ts';
import { assertTold, beginUpload, sendPiece } from './upload-ask.ts';

const openai = { compatibility: { openai: true } } as const;
const google = { compatibility: { google: true } } as const;

const pdf = Buffer.from(samples.pdf, 'base64');

/** Sends a form as the platform writes it. */
const sendForm = async (world: GatewayWorld, form: FormData): Promise<Answer> => {
  const request = new Request('http://gateway.test', { method: 'POST', body: form });
  const headers = { 'content-type': request.headers.get('content-type') ?? '' };
  return world.send({ path: '/files', headers, body: new Uint8Array(await request.arrayBuffer()) });
};

const formOf = (bytes: Uint8Array, name: string, type = ''): FormData => {
  const form = new FormData();
  form.set('purpose', 'assistants');
  form.set('file', new Blob([Uint8Array.from(bytes)], { type }), name);
  return form;
};

const openaiCases: readonly GatewayCase[] = [
  gatewayCase(
    'takes a file as a form, and shows what those clients look at',
    async (world) => {
      const file = createdJson(await sendForm(world, formOf(pdf, 'report.pdf', 'application/pdf')));
      for (const [name, value] of Object.entries({
        object: 'file',
        display_name: 'report.pdf',
        filename: 'report.pdf',
        mime_type: 'application/pdf',
        size_bytes: pdf.length,
        bytes: pdf.length,
        purpose: 'assistants',
        status: 'active',
      }))
        assert.equal(file.at(name).value, value, name);
      okJson(await chatAbout(world, file.at('id').text()));
    },
    openai,
  ),
  gatewayCase(
    'knows the type of a file by its name where the form does not tell it',
    async (world) => {
      const file = createdJson(await sendForm(world, formOf(pdf, 'A.PDF', 'application/octet-stream')));
      assert.equal(file.at('mime_type').value, 'application/pdf');
      const named = createdJson(
        await sendForm(world, formOf(Buffer.from(samples.png, 'base64'), 'a.pdf', 'image/png')),
      );
      assert.equal(named.at('mime_type').value, 'image/png');
    },
    openai,
  ),
  gatewayCase(
    'refuses forms that hold no file, two files or something else',
    async (world) => {
      const empty = new FormData();
      empty.set('purpose', 'user_data');
      const two = formOf(pdf, 'a.pdf');
      two.append('file', new Blob([pdf]), 'b.pdf');
      const other = formOf(pdf, 'a.pdf');
      other.set('expires_after[anchor]', 'created_at');
      const purposeless = formOf(pdf, 'a.pdf');
      purposeless.set('purpose', 'a word, and more');
      assertRefused(await sendForm(world, purposeless), 422, 'invalid_request');
      assertRefused(await sendForm(world, empty), 422, 'invalid_request');
      assertRefused(await sendForm(world, two), 422, 'invalid_request');
      assertRefused(await sendForm(world, other), 422, 'unsupported_parameter');
      assertRefused(await sendForm(world, formOf(pdf, 'a.zip')), 422, 'unsupported_content');
      assertRefused(await sendForm(world, formOf(pdf, 'a.png', 'image/png')), 422, 'unsupported_content');
      // As in the JSON form, where data must be base64 of something.
      assertRefused(await sendForm(world, formOf(Buffer.alloc(0), 'a.txt')), 422, 'invalid_request');
      const large = Buffer.concat([pdf, Buffer.alloc(20_971_520)]);
      assertRefused(await sendForm(world, formOf(large, 'a.pdf')), 413, 'body_too_large');
      assert.deepEqual(okJson(await world.send({ path: '/files' })).at('data').value, []);
    },
    openai,
  ),
];

const ask = (world: GatewayWorld, method: string, path: string): Promise<Answer> =>
  world.send({ method, path: `/v1beta${path}`, key: null, headers: { 'x-goog-api-key': world.key } });

const video = Buffer.concat([Buffer.from(samples.mp4, 'base64'), Buffer.alloc(700_000, 7)]);

const googleCases: readonly GatewayCase[] = [
  gatewayCase(
    'takes a file in pieces, and shows it in their form',
    async (world) => {
      const path = await beginUpload(world, { displayName: 'a.mp4', mimeType: 'video/mp4' });
      const first = await sendPiece(world, path, { command: 'upload', offset: 0, bytes: video.subarray(0, 262_144) });
      assert.equal(first.headers.get('x-goog-upload-status'), 'active');
      const asked = await sendPiece(world, path, { command: 'query' });
      assert.equal(asked.headers.get('x-goog-upload-size-received'), '262144');
      // Sent again, as after an answer that was lost.
      await sendPiece(world, path, { command: 'upload', offset: 0, bytes: video.subarray(0, 262_144) });
      await sendPiece(world, path, { command: 'upload', offset: 262_144, bytes: video.subarray(262_144, 524_288) });
      const last = await sendPiece(world, path, {
        command: 'upload, finalize',
        offset: 524_288,
        bytes: video.subarray(524_288),
      });
      assert.equal(last.headers.get('x-goog-upload-status'), 'final');
      const file = okJson(last).at('file');
      const name = file.at('name').text();
      assert.deepEqual(
        [file.at('uri').value, file.at('state').value, file.at('sizeBytes').value, file.at('displayName').value],
        [name, 'ACTIVE', String(video.length), 'a.mp4'],
      );
      assert.ok(Date.parse(file.at('expirationTime').text()) > world.time.now());
      const record = okJson(await world.send({ path: `/${name}` }));
      assert.equal(record.at('sha256').value, Buffer.from(file.at('sha256Hash').text(), 'base64').toString('hex'));
      assert.deepEqual(okJson(await ask(world, 'GET', `/${name}`)).value, file.value);
      assert.deepEqual(okJson(await ask(world, 'GET', '/files')).at('files').value, [file.value]);
      assert.deepEqual(okJson(await ask(world, 'DELETE', `/${name}`)).value, {});
      assertTold(await ask(world, 'GET', `/${name}`), 404, 'not_found');
      assertTold(await ask(world, 'DELETE', `/${name}`), 404, 'not_found');
      assert.deepEqual(okJson(await ask(world, 'GET', '/files')).at('files').value, []);
    },
    google,
  ),
  gatewayCase(
    'takes a file in one piece, and metadata and file in one body',
    async (world) => {
      const path = await beginUpload(world, { displayName: 'a', mimeType: 'application/pdf' });
      okJson(await sendPiece(world, path, { command: 'upload, finalize', offset: 0, bytes: pdf }));
      const body = Buffer.concat([
        Buffer.from('--x\r\nContent-Type: application/json\r\n\r\n{"file":{"displayName":"b"}}\r\n'),
        Buffer.from('--x\r\nContent-Type: application/pdf\r\n\r\n'),
        pdf,
        Buffer.from('\r\n--x--\r\n'),
      ]);
      const answer = await world.send({
        path: '/upload/v1beta/files?uploadType=multipart',
        headers: { 'content-type': 'multipart/related; boundary=x' },
        body: new Uint8Array(body),
      });
      assert.equal(okJson(answer).at('file', 'displayName').value, 'b');
    },
    google,
  ),
  gatewayCase(
    'refuses pieces that leave a gap, are too many, or belong to another project',
    async (world) => {
      const path = await beginUpload(world, { mimeType: 'video/mp4' });
      const bytes = video.subarray(0, 262_144);
      assertTold(await sendPiece(world, path, { command: 'upload', offset: 5, bytes }), 422, 'invalid_request');
      assertTold(
        await sendPiece(world, path, { command: 'upload, finalize', offset: 5, bytes }),
        422,
        'invalid_request',
      );
      assertTold(
        await sendPiece(world, '/upload/files', { command: 'upload', offset: 0, bytes }),
        422,
        'invalid_request',
      );
      for (const odd of [0, 1, 100, 300_000]) {
        const small = await sendPiece(world, path, { command: 'upload', offset: 0, bytes: video.subarray(0, odd) });
        assertTold(small, 422, 'invalid_request');
        assert.ok(small.text.includes(`has ${odd} bytes; accepted are multiples of 262144 bytes`), small.text);
        const asked = await sendPiece(world, path, { command: 'query' });
        assert.equal(asked.headers.get('x-goog-upload-size-received'), '0');
      }
      okJson(await sendPiece(world, path, { command: 'upload', offset: 0, bytes }));
      const large = Buffer.alloc(20_971_520);
      const offset = bytes.length;
      assertTold(await sendPiece(world, path, { command: 'upload', offset, bytes: large }), 413, 'body_too_large');
      const { key } = await world.createCaller({
        projectId: await world.createProject(world.accountId),
        model: null,
      });
      const foreign = await sendPiece(world, path, { command: 'upload, finalize', offset, bytes }, key);
      assertTold(foreign, 422, 'invalid_request');
      const cancelled = await sendPiece(world, path, { command: 'cancel' });
      assert.equal(cancelled.headers.get('x-goog-upload-status'), 'cancelled');
      assertTold(await sendPiece(world, path, { command: 'upload, finalize', offset, bytes }), 422, 'invalid_request');
      assertTold(
        await sendPiece(world, await beginUpload(world, { mimeType: 'image/png' }), {
          command: 'upload, finalize',
          offset: 0,
          bytes: pdf,
        }),
        422,
        'unsupported_content',
      );
      assert.deepEqual(okJson(await world.send({ path: '/files' })).at('data').value, []);
    },
    google,
  ),
];

const fullCases: readonly GatewayCase[] = [
  gatewayCase(
    'begins no upload and takes no piece of one for a project that has no room',
    async (world) => {
      const path = await beginUpload(world, { mimeType: 'video/mp4' });
      await uploadedId(world);
      const start = await world.send({
        path: '/upload/v1beta/files',
        headers: { 'x-goog-upload-command': 'start' },
        body: { file: {} },
      });
      assertTold(start, 429, 'quota_exceeded');
      const bytes = video.subarray(0, 262_144);
      assertTold(await sendPiece(world, path, { command: 'upload', offset: 0, bytes }), 429, 'quota_exceeded');
      assertTold(
        await sendPiece(world, path, { command: 'upload, finalize', offset: 0, bytes }),
        429,
        'quota_exceeded',
      );
      const asked = await sendPiece(world, path, { command: 'query' });
      assert.equal(asked.headers.get('x-goog-upload-size-received'), '0');
      const oneShot = await world.send({
        path: '/upload/v1beta/files?uploadType=multipart',
        headers: { 'content-type': 'multipart/related; boundary=x' },
        body: new Uint8Array(Buffer.from('this is no multipart body')),
      });
      assertTold(oneShot, 429, 'quota_exceeded');
    },
    { ...google, quotas: { filesMax: 1 } },
  ),
  gatewayCase(
    'keeps no more bytes than a project may have of uploads that a process before took pieces of',
    async (world) => {
      const bytes = video.subarray(0, 262_144);
      const pieceOf = async (): Promise<string> => {
        const path = await beginUpload(world, { mimeType: 'video/mp4' });
        okJson(await sendPiece(world, path, { command: 'upload', offset: 0, bytes }));
        return path;
      };
      const first = await pieceOf();
      // Another process does not know of the piece: what is not finished counts in its own process alone.
      await world.reopen();
      const second = await pieceOf();
      const offset = bytes.length;
      const finished = await Promise.all(
        [first, second].map((path) => sendPiece(world, path, { command: 'upload, finalize', offset, bytes: pdf })),
      );
      assert.deepEqual(
        finished.map(({ status }) => status).toSorted((a, b) => a - b),
        [200, 429],
      );
      assert.deepEqual(await usedBy(world), { files: 1, keptBytes: offset + pdf.length });
    },
    { ...google, quotas: { keptBytesMax: 500_000 } },
  ),
];

const lengthCases: readonly GatewayCase[] = [
  gatewayCase(
    'keeps no upload that is empty or ends with another length than was announced',
    async (world) => {
      const announced = { 'x-goog-upload-header-content-length': String(pdf.length) };
      const finalize = (path: string, bytes: Uint8Array): Promise<Answer> =>
        sendPiece(world, path, { command: 'upload, finalize', offset: 0, bytes });
      const path = await beginUpload(world, { mimeType: 'application/pdf' }, announced);
      assertTold(await finalize(path, pdf.subarray(0, -1)), 422, 'invalid_request');
      assertTold(await finalize(path, Buffer.concat([pdf, Buffer.alloc(1)])), 422, 'invalid_request');
      assertTold(
        await finalize(await beginUpload(world, { mimeType: 'text/plain' }), Buffer.alloc(0)),
        422,
        'invalid_request',
      );
      const tooLarge = await world.send({
        path: '/upload/v1beta/files',
        headers: { 'x-goog-upload-command': 'start', 'x-goog-upload-header-content-length': '10000000000' },
        body: { file: {} },
      });
      assertTold(tooLarge, 413, 'body_too_large');
      assert.deepEqual(okJson(await world.send({ path: '/files' })).at('data').value, []);
      okJson(await finalize(path, pdf));
    },
    google,
  ),
];

const strictCases: readonly GatewayCase[] = [
  gatewayCase('knows neither forms nor uploads in pieces without the option', async (world) => {
    assertRefused(await sendForm(world, formOf(pdf, 'a.pdf')), 422, 'unsupported_content');
    const pieces = await world.send({ path: '/upload/files', body: { file: {} } });
    assertRefused(pieces, 404, 'not_found');
    const record = okJson(await world.send({ path: `/files/${await uploadedId(world)}` }));
    for (const name of ['bytes', 'filename', 'purpose', 'uri', 'state'])
      assert.equal(record.at(name).value, undefined, name);
  }),
];

/** Files as other clients upload them, with the compatibility options. */
export const filesCompatCases: readonly GatewayCase[] = [
  ...openaiCases,
  ...googleCases,
  ...fullCases,
  ...lengthCases,
  ...strictCases,
];
