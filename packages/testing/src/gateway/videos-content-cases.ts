import assert from 'node:assert/strict';
import { basePath } from '@tollgate/contract';
import { scriptedVideo, scriptedVideoBytes } from '../fakes/scripted-videos.ts';
import { okJson } from './answer.ts';
import { gatewayCase, type GatewayCase } from './gateway-case.ts';
import { assertNoContent, videoClient, workThrough } from './video-ask.ts';

const bytes = Buffer.from(scriptedVideoBytes);
const hour = 3_600_000;

const read = async (response: Response): Promise<Buffer> => Buffer.from(await response.arrayBuffer());

/** GET /videos/{id}/content. */
export const videosContentCases: readonly GatewayCase[] = [
  gatewayCase('returns the bytes that the provider made [videos:content:binary]', async (world) => {
    const client = await videoClient(world);
    const response = await client.content(await client.completed());
    assert.equal(response.status, 200);
    assert.equal(response.headers.get('content-type'), 'video/mp4');
    assert.equal(response.headers.get('content-length'), String(bytes.length));
    assert.equal(response.headers.get('cache-control'), 'no-store');
    assert.equal(response.headers.get('content-range'), null);
    assert.ok((await read(response)).equals(bytes));
  }),
  gatewayCase(
    'takes the first video unless another index is asked for [videos:content:index-default]',
    async (world) => {
      const client = await videoClient(world);
      world.provider.scriptPolls({ kind: 'answer', videos: { videos: [scriptedVideo(null), scriptedVideo(null)] } });
      const id = await client.completed();
      for (const query of ['', '?index=0', '?index=1']) {
        const response = await client.content(id, { query });
        assert.equal(
          response.headers.get('content-disposition'),
          `inline; filename="video-${id}-${query === '?index=1' ? 1 : 0}.mp4"`,
        );
        assert.ok((await read(response)).equals(bytes));
      }
      for (const index of ['-1', '1.5', 'x', ''])
        await assertNoContent(await client.content(id, { query: `?index=${index}` }), 422, 'invalid_request');
    },
  ),
  gatewayCase('has no more content than was made [resources:content:index-missing]', async (world) => {
    const client = await videoClient(world);
    const id = await client.completed();
    for (const index of [1, 9, 999_999_999])
      await assertNoContent(await client.content(id, { query: `?index=${index}` }), 404, 'not_found');
    await assertNoContent(await client.content('not-a-uuid'), 404, 'not_found');
  }),
  gatewayCase('has no content before it is finished [resources:content:not-finished]', async (world) => {
    const client = await videoClient(world);
    const id = await client.created();
    await assertNoContent(await client.content(id), 409, 'request_in_progress');
    await world.runJobs();
    await assertNoContent(await client.content(id), 409, 'request_in_progress');
    await workThrough(world);
    assert.equal((await client.content(id, { method: 'HEAD' })).status, 200);
  }),
  gatewayCase('answers ranges and HEAD [resources:content:headers]', async (world) => {
    const client = await videoClient(world);
    const id = await client.completed();
    const size = bytes.length;
    const head = await client.content(id, { method: 'HEAD' });
    assert.deepEqual(
      ['content-length', 'accept-ranges', 'content-type'].map((name) => head.headers.get(name)),
      [String(size), 'bytes', 'video/mp4'],
    );
    assert.equal(await head.text(), '');
    assert.match(head.headers.get('content-disposition') ?? '', /^inline; filename="[\w.-]+"$/);
    for (const [range, from, to] of [
      ['bytes=0-0', 0, 1],
      ['bytes=65530-65545', 65_530, 65_546],
      ['bytes=100000-', 100_000, size],
      ['bytes=-7', size - 7, size],
      ['bytes=5-9999999', 5, size],
    ] as const) {
      const part = await client.content(id, { headers: { range } });
      assert.equal(part.status, 206, range);
      assert.equal(part.headers.get('content-range'), `bytes ${from}-${to - 1}/${size}`);
      assert.equal(part.headers.get('content-length'), String(to - from));
      assert.ok((await read(part)).equals(bytes.subarray(from, to)), range);
    }
    const outside = await client.content(id, { headers: { range: `bytes=${size}-` } });
    assert.equal(outside.headers.get('content-range'), `bytes */${size}`);
    await assertNoContent(outside, 416, 'range_not_satisfiable');
  }),
  gatewayCase('goes on with a download only where it is of the same content', async (world) => {
    const client = await videoClient(world);
    const id = await client.completed();
    const etag = (await client.content(id, { method: 'HEAD' })).headers.get('etag') ?? '';
    assert.match(etag, /^"[\w-]+"$/);
    for (const [held, status] of [
      [etag, 206],
      ['"another"', 200],
    ] as const) {
      const response = await client.content(id, { headers: { range: 'bytes=1-2', 'if-range': held } });
      assert.equal(response.status, status);
      assert.equal((await read(response)).length, status === 206 ? 2 : bytes.length);
    }
  }),
  gatewayCase(
    'names its videos by paths that need the key [videos:result:urls] [resources:record:urls]',
    async (world) => {
      const client = await videoClient(world);
      const id = await client.completed();
      const videos = (await client.get(id)).at('result', 'videos');
      const url = `${basePath}/videos/${id}/content?index=0`;
      assert.deepEqual(videos.value, [{ url, mime_type: 'video/mp4', index: 0 }]);
      const { pathname, search } = new URL(url, 'http://gateway.test/another/place');
      const path = `${pathname.slice(basePath.length)}${search}`;
      assert.ok((await read(await world.open({ key: client.key, path }))).equals(bytes));
      await assertNoContent(await world.open({ key: null, path }), 401, 'invalid_api_key');
    },
  ),
  gatewayCase('keeps a video for 48 hours and its record for longer', async (world) => {
    const client = await videoClient(world);
    const id = await client.created();
    await workThrough(world);
    const record = await client.get(id);
    const keptMs = Date.parse(record.at('expires_at').text()) - Date.parse(record.at('completed_at').text());
    assert.equal(keptMs, 48 * hour);
    world.time.advance(47 * hour);
    await world.runJobs();
    assert.equal((await client.content(id, { method: 'HEAD' })).status, 200);
    world.time.advance(2 * hour);
    await world.runJobs();
    await world.runJobs();
    await assertNoContent(await client.content(id), 404, 'not_found');
    const expired = await client.get(id);
    assert.deepEqual([expired.at('status').value, expired.at('charged_credits').value], ['expired', 8]);
    assert.equal(okJson(await world.send({ path: '/videos' })).at('data', 0, 'id').value, id);
    okJson(await client.remove(id));
  }),
  gatewayCase('removes the bytes of a deleted video', async (world) => {
    const client = await videoClient(world);
    const id = await client.completed();
    okJson(await client.remove(id));
    await assertNoContent(await client.content(id), 404, 'not_found');
    await workThrough(world);
    assert.equal((await client.get(id)).at('status').value, 'deleted');
  }),
];
