import assert from 'node:assert/strict';
import { assertRefused, jsonOf, okJson, type Answer } from './answer.ts';
import { gatewayCase, type GatewayCase } from './gateway-case.ts';
import type { Ask, GatewayWorld } from './gateway-world.ts';
import { mediaSamples as samples } from './media-samples.ts';
import { suiteModel } from './suite-tariff.ts';
import { assertNoContent, videoClient, workThrough, type VideoClient } from './video-ask.ts';

const settings = { compatibility: { openai: true } } as const;

const png = Buffer.from(samples.png, 'base64');

/** An image that is lifted out of its body: its end mark is where it belongs. */
const largePng = Buffer.concat([png.subarray(0, -12), Buffer.alloc(200_000, 7), png.subarray(-12)]);

const sendForm = async (
  world: GatewayWorld,
  { key }: VideoClient,
  fields: Readonly<Record<string, string | Buffer>>,
  more: Partial<Ask> = {},
): Promise<Answer> => {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields))
    if (typeof value === 'string') form.set(name, value);
    else form.set(name, new Blob([Uint8Array.from(value)]), 'first.png');
  const request = new Request('http://gateway.test', { method: 'POST', body: form });
  const headers = { ...more.headers, 'content-type': request.headers.get('content-type') ?? '' };
  return world.send({ key, path: '/videos', ...more, headers, body: new Uint8Array(await request.arrayBuffer()) });
};

const balanceMicros = async (world: GatewayWorld): Promise<bigint> =>
  (await world.wallet.read(world.accountId)).balanceMicros;

const prompt = 'A harbour at night.';

const refusals: readonly (readonly [body: object, field: string])[] = [
  [{ seconds: '4' }, 'prompt'],
  [{ prompt, seconds: 'four' }, 'seconds'],
  [{ prompt, seconds: '0' }, 'seconds'],
  [{ prompt, size: '1024x1792' }, 'size'],
  [{ prompt, seconds: '4', seed: 1 }, 'seed'],
  [{ prompt, input_reference: { image_url: 'https://example.com/a.png' } }, 'input_reference.image_url'],
  [{ prompt, input_reference: { image_url: 'data:image/png;base64,AAAA' } }, 'input_reference.image_url'],
];

/** Videos in the form of OpenAI's clients. */
export const wireVideosCases: readonly GatewayCase[] = [
  gatewayCase(
    'videos of a form: are videos of the project, made once under one identity and charged as every video',
    async (world) => {
      const client = await videoClient(world);
      const before = await balanceMicros(world);
      const fields = { prompt, seconds: '4', size: '720x1280', input_reference: largePng };
      const headers = { 'idempotency-key': 'once' };
      const created = okJson(await sendForm(world, client, fields, { headers }));
      assert.deepEqual(
        ['object', 'status', 'seconds', 'size', 'error'].map((name) => created.at(name).value),
        ['video', 'queued', '4', '720x1280', null],
      );
      const id = created.at('id').text();
      await workThrough(world);
      // Another boundary, and the same parts.
      const again = await sendForm(world, client, fields, { headers });
      const done = okJson(again);
      assert.deepEqual(
        [done.at('id').value, done.at('status').value, again.headers.get('idempotency-replayed')],
        [id, 'completed', 'true'],
      );
      assertRefused(await sendForm(world, client, { prompt }, { headers }), 409, 'ai_idempotency_conflict');
      const { prompt: asked, durationSeconds, resolution, aspectRatio, image } = client.handed();
      assert.deepEqual([asked, durationSeconds, resolution, aspectRatio], [prompt, 4, '720p', '9:16']);
      assert.equal(image?.mimeType, 'image/png');
      assert.equal(world.provider.videoCalls.length, 1);
      const charged = before - (await balanceMicros(world));
      assert.ok(charged > 0n);
      assert.equal((await world.record(id)).at('charged_credits').value, Number(charged) / 1_000_000);
      assert.equal((await client.content(id)).status, 200);
      await assertNoContent(await client.content(id, { query: '?variant=thumbnail' }), 422, 'unsupported_parameter');
      const { key } = await world.createCaller({
        projectId: await world.createProject(world.accountId),
        model: suiteModel,
      });
      assertRefused(await world.send({ key, path: `/videos/${id}` }), 404, 'not_found');
      assert.equal(okJson(await client.remove(id)).at('object').value, 'video.deleted');
      assertRefused(await world.send({ key: client.key, path: `/videos/${id}` }), 404, 'not_found');
    },
    settings,
  ),
  gatewayCase(
    'videos of a form: have the form in which they were asked for, and those of the contract have theirs',
    async (world) => {
      const client = await videoClient(world);
      const own = okJson(await client.create({ prompt, seconds: 4 }));
      assert.deepEqual([own.at('status').value, own.at('seconds').value], ['queued', '4']);
      const contract = okJson(await client.create({ prompt, duration_seconds: 4 }));
      assert.deepEqual([contract.at('status').value, contract.at('duration_seconds').value], ['reserved', 4]);
      await workThrough(world);
      const id = own.at('id').text();
      assert.equal((await client.get(id)).at('progress').value, 100);
      assert.equal((await client.get(contract.at('id').text())).at('status').value, 'completed');
      const body = { prompt, video: { id } };
      const extended = okJson(await world.send({ key: client.key, path: '/videos/extensions', body }));
      assert.equal(extended.at('remixed_from_video_id').value, id);
      await workThrough(world);
      const listed = okJson(await world.send({ key: client.key, path: '/videos' }))
        .at('data')
        .list();
      assert.deepEqual(
        listed.map((video) => [video.at('status').value, video.at('wire').value]),
        listed.map(() => ['completed', undefined]),
      );
      assert.equal(listed.length, 3);
    },
    settings,
  ),
  gatewayCase(
    'videos of a form: refuse what they do not carry, and name it',
    async (world) => {
      const client = await videoClient(world);
      for (const [body, field] of refusals) {
        const answer = await client.create(body);
        assert.equal(answer.status, 422, answer.text);
        const message = jsonOf(JSON.parse(answer.text)).at('error', 'message').text();
        assert.ok(message.includes(field), `${field}: ${message}`);
      }
      assertRefused(
        await sendForm(world, client, { prompt, input_reference: png.subarray(0, 20) }),
        422,
        'invalid_image',
      );
      for (const path of ['/videos/edits', '/videos/characters', '/videos/a/remix'])
        assertRefused(await world.send({ key: client.key, path, body: { prompt } }), 422, 'unsupported_parameter');
      assert.deepEqual(okJson(await world.send({ key: client.key, path: '/videos' })).at('data').value, []);
    },
    settings,
  ),
];
