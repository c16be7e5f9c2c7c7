import assert from 'node:assert/strict';
import { videoBounds } from '@tollgate/contract';
import { assertRefused, okJson } from './answer.ts';
import { createdJson, upload, uploadedId } from './file-ask.ts';
import { gatewayCase, type GatewayCase } from './gateway-case.ts';
import type { GatewayWorld } from './gateway-world.ts';
import { mediaSamples as samples } from './media-samples.ts';
import { suiteModel, suiteRow } from './suite-tariff.ts';
import { liteVideoModel, videoClient, videoModel, videoRow, workThrough, type VideoClient } from './video-ask.ts';

const image = { data: samples.png, mime_type: 'image/png' } as const;
const prompt = 'A harbour at night.';

/** Asserts that each body is refused with 422 and the code, and that nothing of them was registered. */
const assertBodiesRefused = async (client: VideoClient, code: string, bodies: readonly unknown[]): Promise<void> => {
  for (const body of bodies) {
    const error = assertRefused(await client.create(body), 422, code);
    assert.equal(error.at('request_id').value, undefined);
  }
};

const uploadedImage = async (world: GatewayWorld): Promise<string> =>
  createdJson(await upload(world, { display_name: 'a.png', mime_type: 'image/png', data: samples.png }))
    .at('id')
    .text();

/** A base64 image that is lifted out of the body: its end mark is where it belongs. */
const largePng = (): string => {
  const bytes = Buffer.from(samples.png, 'base64');
  return Buffer.concat([bytes.subarray(0, -12), Buffer.alloc(200_000, 7), bytes.subarray(-12)]).toString('base64');
};

const bytesOf = async (chunks: AsyncIterable<Uint8Array>): Promise<Buffer> => {
  const parts: Uint8Array[] = [];
  for await (const chunk of chunks) parts.push(chunk);
  return Buffer.concat(parts);
};

/** POST /videos: what it takes. */
export const videosBodyCases: readonly GatewayCase[] = [
  gatewayCase('needs a prompt, unless an image or a video is given [videos:body:prompt]', async (world) => {
    const client = await videoClient(world);
    await assertBodiesRefused(client, 'invalid_request', [{}, { prompt: '' }, { prompt: 7 }, { duration_seconds: 8 }]);
    okJson(await client.create({ image }));
    await workThrough(world);
    assert.equal(client.handed().prompt, null);
    okJson(await client.create({ prompt }));
    await workThrough(world);
    assert.equal(client.handed().prompt, prompt);
  }),
  gatewayCase('takes whole seconds above nothing as the length [videos:body:duration]', async (world) => {
    const client = await videoClient(world);
    // What has no price is a fault of the client's, and no missing price list.
    const wrong = [0, -1, 1.5, '8', null, 86_401, Number.MAX_SAFE_INTEGER].map((duration_seconds) => ({
      prompt,
      duration_seconds,
    }));
    await assertBodiesRefused(client, 'invalid_request', wrong);
    okJson(await client.create({ prompt, duration_seconds: 6 }));
    await workThrough(world);
    assert.equal(client.handed().durationSeconds, 6);
  }),
  gatewayCase('takes the resolutions that the model offers [videos:body:resolution]', async (world) => {
    const full = await videoClient(world);
    const lite = await videoClient(world, liteVideoModel);
    await assertBodiesRefused(full, 'invalid_request', [{ prompt, resolution: 720 }]);
    await assertBodiesRefused(lite, 'model_incompatible', [{ prompt, resolution: '4k' }]);
    for (const [client, resolution] of [
      [lite, '720p'],
      [full, '4k'],
    ] as const) {
      okJson(await client.create({ prompt, resolution }));
      await workThrough(world);
      assert.equal(client.handed().resolution, resolution);
    }
  }),
  gatewayCase('takes an aspect ratio as text [videos:body:aspect-ratio]', async (world) => {
    const client = await videoClient(world);
    await assertBodiesRefused(client, 'invalid_request', [
      { prompt, aspect_ratio: 1.78 },
      { prompt, aspect_ratio: '' },
    ]);
    okJson(await client.create({ prompt, aspect_ratio: '9:16' }));
    await workThrough(world);
    assert.equal(client.handed().aspectRatio, '9:16');
  }),
  gatewayCase('takes a negative prompt and a seed [videos:body:extras]', async (world) => {
    const tooLong = 'a'.repeat(videoBounds.promptCharsMax + 1);
    const client = await videoClient(world);
    await assertBodiesRefused(client, 'invalid_request', [
      { prompt, negative_prompt: 3 },
      { prompt, negative_prompt: tooLong },
      { prompt: tooLong },
      { prompt, seed: 1.5 },
      { prompt, seed: 'x' },
      { prompt, seed: -1 },
    ]);
    await assertBodiesRefused(client, 'unsupported_parameter', [
      { prompt, fps: 30 },
      { prompt, image: { ...image, x: 1 } },
    ]);
    okJson(await client.create({ prompt: tooLong.slice(1) }));
    // Two that are due together are submitted in any order.
    await workThrough(world);
    okJson(await client.create({ prompt, negative_prompt: 'rain', seed: 42 }));
    await workThrough(world);
    const { negativePrompt, seed } = client.handed();
    assert.deepEqual([negativePrompt, seed], ['rain', 42]);
  }),
  gatewayCase(
    'takes an initial image inline or as a file of the project [videos:body:initial-image]',
    async (world) => {
      const client = await videoClient(world);
      const fileId = await uploadedImage(world);
      const pdfId = await uploadedId(world);
      okJson(await client.create({ prompt, image }));
      await workThrough(world);
      assert.deepEqual(client.handed().image, { kind: 'media', mimeType: 'image/png', data: samples.png });
      okJson(await client.create({ prompt, image: { uri: `files/${fileId}` } }));
      await workThrough(world);
      const given = client.handed().image;
      assert.ok(given?.kind === 'blob');
      assert.deepEqual([given.mimeType, given.file?.id], ['image/png', fileId]);
      assert.equal((await bytesOf(given.read())).toString('base64'), samples.png);
      await assertBodiesRefused(client, 'unsupported_content', [
        { prompt, image: { data: samples.gif, mime_type: 'image/gif' } },
        { prompt, image: { data: samples.pdf, mime_type: 'application/pdf' } },
        { prompt, image: { uri: `files/${pdfId}` } },
        { prompt, image: { uri: `files/${fileId}`, mime_type: 'image/jpeg' } },
        { prompt, image: { uri: 'https://example.com/a.png' } },
        { prompt, image: {} },
        { prompt, image: { ...image, uri: `files/${fileId}` } },
      ]);
      await assertBodiesRefused(client, 'invalid_image', [{ prompt, image: { ...image, mime_type: 'image/webp' } }]);
      const unknown = await client.create({ prompt, image: { uri: 'files/01900000-0000-7000-8000-000000000000' } });
      assertRefused(unknown, 404, 'not_found');
    },
  ),
  gatewayCase('hands on a large inline image from where it was put aside', async (world) => {
    const client = await videoClient(world);
    const data = largePng();
    okJson(await client.create({ prompt, image: { data, mime_type: 'image/png' } }));
    // As long as no worker has taken the work up, it is not taken away.
    world.time.advance(2 * 3_600_000);
    world.provider.scriptVideos({ kind: 'answer' });
    let seen: Buffer | null = null;
    const { start } = world.provider.videos;
    const spied = {
      ...world.provider.videos,
      start: async (...given: Parameters<typeof start>) => {
        const media = given[0].image;
        seen = media?.kind === 'blob' ? await bytesOf(media.read()) : null;
        return start(...given);
      },
    };
    Object.assign(world.provider, { videos: spied });
    await workThrough(world);
    assert.ok(seen !== null && (seen as Buffer).equals(Buffer.from(data, 'base64')));
  }),
  gatewayCase('takes a final image beside an initial one only [videos:body:last-frame]', async (world) => {
    const client = await videoClient(world);
    await assertBodiesRefused(client, 'invalid_request', [{ prompt, last_frame: image }]);
    okJson(await client.create({ prompt, image, last_frame: { data: samples.jpeg, mime_type: 'image/jpeg' } }));
    await workThrough(world);
    assert.equal(client.handed().lastFrame?.mimeType, 'image/jpeg');
  }),
  gatewayCase('takes one to three references, each an asset or a style [videos:body:references]', async (world) => {
    const client = await videoClient(world);
    const reference_images = [image, { ...image, reference_type: 'style' }, { ...image, reference_type: 'asset' }];
    await assertBodiesRefused(client, 'invalid_request', [
      { prompt, reference_images: [] },
      { prompt, reference_images: [...reference_images, image] },
      { prompt, reference_images: [{ ...image, reference_type: 'mood' }] },
      { prompt, reference_images: image },
    ]);
    okJson(await client.create({ prompt, reference_images }));
    await workThrough(world);
    const types = client.handed().references?.map(({ type }) => type);
    assert.deepEqual(types, ['asset', 'style', 'asset']);
  }),
  gatewayCase(
    'takes references beside no other image or video [videos:body:exclusive-references] [videos:extension:exclusive]',
    async (world) => {
      const client = await videoClient(world);
      const video = await client.completed();
      await assertBodiesRefused(client, 'invalid_request', [
        { prompt, reference_images: [image], image },
        { prompt, reference_images: [image], image, last_frame: image },
        { prompt, video, reference_images: [image] },
        { prompt, video, image },
        { prompt, video, image, last_frame: image },
      ]);
    },
  ),
  gatewayCase(
    'continues a completed video of the project, in 720p [videos:extension:resolution] [videos:extension:source]',
    async (world) => {
      const client = await videoClient(world);
      const source = await client.created();
      assertRefused(await client.create({ prompt, video: source }), 409, 'request_in_progress');
      await workThrough(world);
      await assertBodiesRefused(client, 'invalid_request', [{ prompt, video: source, resolution: '1080p' }]);
      const id = await client.completed({ prompt, video: source, resolution: '720p' });
      const { extends: continued, resolution, durationSeconds } = client.handed();
      assert.deepEqual([continued?.reference, resolution, durationSeconds], [`note of ${source}`, '720p', undefined]);
      assert.equal((await client.get(id)).at('video').value, source);
      for (const unknown of ['01900000-0000-7000-8000-000000000000', 'x'])
        assertRefused(await client.create({ prompt, video: unknown }), 404, 'not_found');
      okJson(await client.remove(source));
      assertRefused(await client.create({ prompt, video: source }), 404, 'not_found');
      world.provider.scriptVideos({ kind: 'not_executed', reason: 'failed' });
      const failed = await client.created();
      await workThrough(world);
      assertRefused(await client.create({ prompt, video: failed }), 409, 'previous_request_failed');
    },
  ),
  gatewayCase(
    'continues no video of a model of another line [videos:extension:source]',
    async (world) => {
      const one = await videoClient(world, 'video-a');
      const source = await one.completed();
      assertRefused(await (await videoClient(world, 'video-b')).create({ video: source }), 422, 'model_incompatible');
      okJson(await (await videoClient(world, 'video-c')).create({ video: source }));
    },
    {
      catalog: [
        videoRow('video-a', 'a'),
        videoRow('video-b', 'b'),
        videoRow('video-c', 'a'),
        suiteRow({ id: suiteModel }),
      ],
    },
  ),
  gatewayCase(
    'is for keys of the video family alone [videos:key:video-family] [errors:code:model-incompatible] [catalog:family:video]',
    async (world) => {
      assertRefused(await world.send({ path: '/videos', body: { prompt } }), 422, 'model_incompatible');
      const omni = await videoClient(world, 'omni-1.1-flash');
      assertRefused(await omni.create(), 422, 'model_incompatible');
      for (const model of [videoModel, liteVideoModel, 'video-3.1-fast-generate-preview']) {
        const client = await videoClient(world, model);
        okJson(await client.create());
        const { key } = client;
        assert.equal(okJson(await world.send({ key, path: `/models/${model}` })).at('family').value, 'video');
      }
    },
  ),
];
