import assert from 'node:assert/strict';
import { assertRefused, okJson } from './answer.ts';
import { assertAllRefused, assertAllTaken, ofParts } from './chat-refusal.ts';
import { gatewayCase, type GatewayCase } from './gateway-case.ts';
import type { GatewayWorld } from './gateway-world.ts';
import { mediaSamples as samples } from './media-samples.ts';

const image = (url: string) => ({ type: 'image_url', image_url: { url } });
const dataUrl = (mimeType: string, data: string): string => `data:${mimeType};base64,${data}`;
const audio = (data: string, format: string) => ({ type: 'input_audio', input_audio: { data, format } });
const file = (fields: Readonly<Record<string, unknown>>) => ({ type: 'file', file: fields });
const text = (content: string) => ({ type: 'text', text: content });

const lastParts = (world: GatewayWorld) => world.provider.calls.at(-1)?.call.contents.at(-1)?.parts ?? [];

/** A sample that is too large for its base64 to be kept as text; `endBytes` of it stay at its end. */
const enlarged = (sample: string, endBytes = 0): Buffer => {
  const bytes = Buffer.from(sample, 'base64');
  const end = bytes.length - endBytes;
  return Buffer.concat([bytes.subarray(0, end), Buffer.alloc(90_000, 'more of the same? '), bytes.subarray(end)]);
};

/** Asserts that the last part that the provider was given is this, by reference. */
const assertBlob = async (world: GatewayWorld, mimeType: string, bytes: Buffer, filename?: string): Promise<void> => {
  const [part] = lastParts(world);
  assert.ok(part?.kind === 'blob', `found a part of kind ${part?.kind ?? ''}`);
  assert.deepEqual([part.mimeType, part.sizeBytes, part.filename], [mimeType, bytes.length, filename]);
  const chunks: Uint8Array[] = [];
  for await (const chunk of part.read()) chunks.push(chunk);
  assert.ok(Buffer.concat(chunks).equals(bytes), 'the bytes are others than were sent');
};

/** The parts of a user's message that carry media. */
export const chatMediaCases: readonly GatewayCase[] = [
  gatewayCase('takes parts of four types [chat:message:user-content]', async (world) => {
    await assertAllTaken(world, [
      ofParts(text('What is this?')),
      ofParts(image(dataUrl('image/png', samples.png))),
      ofParts(audio(samples.wav, 'wav')),
      ofParts(file({ file_data: dataUrl('application/pdf', samples.pdf) })),
    ]);
    await assertAllRefused(world, 'unsupported_content', [
      ofParts({ type: 'video_url', video_url: { url: 'https://example.com/a.mp4' } }),
      ofParts({ type: 'input_text', text: 'x' }),
      ofParts('bare'),
      ofParts({}),
    ]);
  }),
  gatewayCase('takes PNG, JPEG and WebP as data URLs [chat:part:image-data-url]', async (world) => {
    for (const kind of ['png', 'jpeg', 'webp'] as const) {
      okJson(await world.chat(ofParts(image(dataUrl(`image/${kind}`, samples[kind])))));
      assert.deepEqual(lastParts(world), [{ kind: 'media', mimeType: `image/${kind}`, data: samples[kind] }]);
    }
  }),
  gatewayCase('hands large media on by reference, in whatever form a part holds them', async (world) => {
    const png = enlarged(samples.png, 12);
    const url = dataUrl('image/png', png.toString('base64'));
    okJson(await world.chat(ofParts(image(url))));
    await assertBlob(world, 'image/png', png);
    okJson(await world.chat(JSON.stringify(ofParts(image(url))).replaceAll('/', String.raw`\/`)));
    await assertBlob(world, 'image/png', png);
    const wav = enlarged(samples.wav);
    okJson(await world.chat(ofParts(audio(wav.toString('base64'), 'wav'))));
    await assertBlob(world, 'audio/wav', wav);
    okJson(await world.chat(ofParts(audio(dataUrl('audio/wav', wav.toString('base64')), 'wav'))));
    await assertBlob(world, 'audio/wav', wav);
    const pdf = enlarged(samples.pdf);
    okJson(await world.chat(ofParts(file({ file_data: pdf.toString('base64'), filename: 'a.pdf' }))));
    await assertBlob(world, 'application/pdf', pdf, 'a.pdf');
  }),
  gatewayCase('refuses large images as it refuses small ones', async (world) => {
    const png = enlarged(samples.png, 12).toString('base64');
    await assertAllRefused(world, 'invalid_image', [
      ofParts(image(dataUrl('image/jpeg', png))),
      ofParts(image(dataUrl('image/gif', png))),
      ofParts(image(dataUrl('image/png', enlarged(samples.png).toString('base64')))),
      ofParts(image(dataUrl('image/png', `*${png}`))),
      ofParts(image(dataUrl('image/png', `${png}*`))),
      ofParts(image(png)),
      ofParts(image(`https://example.com/${png}`)),
    ]);
  }),
  gatewayCase('compares chats by their exact bytes where they hold large media as well', async (world) => {
    const once = { headers: { 'idempotency-key': 'large-image' } };
    const body = JSON.stringify(ofParts(image(dataUrl('image/png', enlarged(samples.png, 12).toString('base64')))));
    const first = await world.chat(body, once);
    okJson(first);
    for (const other of [
      body.replace('image/png', 'image/PNG'),
      body.replace('image/png', String.raw`image\/png`),
      body.replace('/', String.raw`\u002f`),
      `${body} `,
    ])
      assertRefused(await world.chat(other, once), 409, 'ai_idempotency_conflict');
    assert.equal((await world.chat(body, once)).text, first.text);
  }),
  gatewayCase('refuses images that are incomplete or of another type [chat:part:image-invalid]', async (world) => {
    const cut = Buffer.from(samples.png, 'base64').subarray(0, -8).toString('base64');
    await assertAllRefused(world, 'invalid_image', [
      ofParts(image(dataUrl('image/gif', samples.gif))),
      ofParts(image(dataUrl('image/png', cut))),
      ofParts(image(dataUrl('image/png', ''))),
      ofParts(image('data:image/png;base64')),
      ofParts(image(`data:image/png,${samples.png}`)),
      ofParts(image(dataUrl('image/png', `${samples.png}*`))),
      ofParts(image(samples.png)),
      ofParts({ type: 'image_url', image_url: {} }),
    ]);
  }),
  gatewayCase('refuses an image of another type than it declares [chat:part:image-type-matches]', async (world) => {
    await assertAllRefused(world, 'invalid_image', [
      ofParts(image(dataUrl('image/png', samples.jpeg))),
      ofParts(image(dataUrl('image/jpeg', samples.webp))),
      ofParts(image(dataUrl('image/webp', samples.png))),
    ]);
  }),
  gatewayCase('takes several images, in order [chat:part:image-several]', async (world) => {
    const parts = [image(dataUrl('image/png', samples.png)), text('and'), image(dataUrl('image/jpeg', samples.jpeg))];
    okJson(await world.chat(ofParts(...parts)));
    assert.deepEqual(lastParts(world), [
      { kind: 'media', mimeType: 'image/png', data: samples.png },
      { kind: 'text', text: 'and' },
      { kind: 'media', mimeType: 'image/jpeg', data: samples.jpeg },
    ]);
  }),
  gatewayCase('takes audio in seven formats [chat:part:input-audio-formats]', async (world) => {
    for (const format of ['wav', 'mp3', 'aac', 'ogg', 'flac', 'mp4', 'm4a'] as const) {
      okJson(await world.chat(ofParts(audio(samples[format], format))));
      const [part] = lastParts(world);
      assert.ok(part?.kind === 'media' && part.mimeType.startsWith('audio/'), format);
    }
    await assertAllRefused(world, 'unsupported_content', [
      ofParts(audio(samples.wav, 'midi')),
      ofParts(audio(samples.mp3, 'wav')),
      ofParts(audio('not base64', 'wav')),
    ]);
  }),
  gatewayCase('takes audio with and without the prefix of a data URL [chat:part:input-audio-shape]', async (world) => {
    okJson(await world.chat(ofParts(audio(samples.wav, 'wav'))));
    const bare = lastParts(world);
    okJson(await world.chat(ofParts(audio(dataUrl('audio/wav', samples.wav), 'wav'))));
    assert.deepEqual(lastParts(world), bare);
  }),
  gatewayCase('refuses audio for a model that cannot hear [chat:part:input-audio-capability]', async (world) => {
    const { key } = await world.createCaller({ projectId: world.projectId, model: 'open-4-31b-it' });
    assertRefused(await world.chat(ofParts(audio(samples.wav, 'wav')), { key }), 422, 'unsupported_content');
    okJson(await world.chat(ofParts(image(dataUrl('image/png', samples.png))), { key }));
    assert.equal(world.provider.calls.length, 1);
  }),
  gatewayCase(
    'takes inline files as data URLs, or bare with a known ending [chat:part:file-data-url]',
    async (world) => {
      await assertAllTaken(world, [
        ofParts(file({ file_data: dataUrl('application/pdf', samples.pdf) })),
        ofParts(file({ file_data: dataUrl('application/pdf', samples.pdf), filename: 'a.pdf' })),
        ofParts(file({ file_data: samples.pdf, filename: 'a.pdf' })),
      ]);
      for (const { call } of world.provider.calls) {
        const [part] = call.contents[0]?.parts ?? [];
        assert.ok(part?.kind === 'media' && part.mimeType === 'application/pdf' && part.data === samples.pdf);
      }
      await assertAllRefused(world, 'unsupported_content', [
        ofParts(file({ file_data: samples.pdf })),
        ofParts(file({ file_data: samples.pdf, filename: 'a.unknown' })),
      ]);
    },
  ),
  gatewayCase("takes either a file's id or its data [chat:part:file-exactly-one]", async (world) => {
    await assertAllRefused(world, 'unsupported_content', [
      ofParts(file({})),
      ofParts(file({ filename: 'a.pdf' })),
      ofParts(
        file({
          file_id: '01900000-0000-7000-8000-000000000000',
          file_data: dataUrl('application/pdf', samples.pdf),
        }),
      ),
    ]);
  }),
  gatewayCase('refuses files of other types than they declare [chat:part:file-media]', async (world) => {
    await assertAllRefused(world, 'unsupported_content', [
      ofParts(file({ file_data: dataUrl('text/plain', samples.pdf) })),
      ofParts(file({ file_data: dataUrl('application/zip', samples.zip) })),
      ofParts(file({ file_data: dataUrl('application/pdf', samples.zip) })),
      ofParts(file({ file_data: samples.zip, filename: 'a.zip' })),
    ]);
    okJson(await world.chat(ofParts(file({ file_data: dataUrl('text/plain', samples.text) }))));
  }),
  gatewayCase('refuses addresses of files [chat:part:file-url-refused]', async (world) => {
    await assertAllRefused(world, 'unsupported_content', [
      ofParts(file({ file_url: 'https://example.com/a.pdf' })),
      ofParts(file({ file_id: 'https://example.com/a.pdf' })),
      ofParts(file({ file_data: 'https://example.com/a.pdf' })),
    ]);
  }),
  gatewayCase('knows no file that is not of this project', async (world) => {
    for (const file_id of ['01900000-0000-7000-8000-000000000000', 'files/01900000-0000-7000-8000-000000000000', 'x'])
      assertRefused(await world.chat(ofParts(file({ file_id }))), 404, 'not_found');
    assert.equal(world.provider.calls.length, 0);
  }),
];
