import assert from 'node:assert/strict';
import { assertRefused, okJson, requestIdOf, type Answer } from './answer.ts';
import { namedEvents } from './dialect-wires.ts';
import { gatewayCase, type GatewayCase } from './gateway-case.ts';
import type { GatewayWorld } from './gateway-world.ts';
import { answerOf, drawn, imageModel, imageUsage, keyOf, mediaSettings } from './media-ask.ts';
import { mediaSamples } from './media-samples.ts';
import { suiteModel } from './suite-tariff.ts';

const path = '/images/generations';
const prompt = 'A ferry at night.';

const draw = (world: GatewayWorld, key: string, body: object = {}, identity = ''): Promise<Answer> =>
  world.send({ path, key, body: { prompt, ...body }, headers: identity === '' ? {} : { 'idempotency-key': identity } });

const refusals: readonly (readonly [body: object, field: string])[] = [
  [{ prompt: '' }, 'prompt'],
  [{ prompt: undefined }, 'prompt'],
  [{ n: 0 }, 'n'],
  [{ n: 11 }, 'n'],
  [{ n: 2, stream: true }, 'n'],
  [{ size: '1024' }, 'size'],
  [{ size: '1024x200' }, 'size'],
  [{ size: '4096x1024' }, 'size'],
  [{ response_format: 'url' }, 'response_format'],
  [{ output_format: 'svg' }, 'output_format'],
  [{ output_compression: 50 }, 'output_compression'],
  [{ moderation: 'low' }, 'moderation'],
  [{ style: 'vivid' }, 'style'],
  [{ partial_images: 4 }, 'partial_images'],
];

/** Images of text. */
export const imagesCases: readonly GatewayCase[] = [
  gatewayCase(
    'images: makes an image with usage and credits, charges once, and its record and replay are the same',
    async (world) => {
      const key = await keyOf(world, imageModel);
      world.provider.script(answerOf({ kind: 'text', text: 'Here.' }, drawn(mediaSamples.png)));
      const answer = await draw(world, key, { size: '1536x1024', quality: 'auto', user: 'ana' }, 'whole');
      const body = okJson(answer);
      assert.deepEqual(body.at('data').value, [{ b64_json: mediaSamples.png }]);
      assert.equal(body.at('output_format').value, 'png');
      assert.deepEqual(body.at('usage').value, {
        input_tokens: 10,
        input_tokens_details: { image_tokens: 6, text_tokens: 4 },
        output_tokens: 5,
        output_tokens_details: { image_tokens: 5, text_tokens: 0 },
        total_tokens: 15,
      });
      assert.equal(body.at('service', 'credits').value, 0.02);
      const again = await draw(world, key, { size: '1536x1024', quality: 'auto', user: 'ana' }, 'whole');
      assert.equal(again.headers.get('idempotency-replayed'), 'true');
      assert.equal(again.text, answer.text);
      assert.deepEqual((await world.record(requestIdOf(answer))).at('response').value, body.value);
      const [{ call } = assert.fail()] = world.provider.calls;
      assert.deepEqual([call.modalities, call.endUser], [['image'], 'ana']);
      assert.deepEqual(call.image, { aspectRatio: '3:2', pixels: '1536x1024' });
      assert.equal(world.provider.calls.length, 1);
    },
    mediaSettings,
  ),
  gatewayCase(
    'images: carries every setting of an image to the call',
    async (world) => {
      const key = await keyOf(world, imageModel);
      world.provider.script(answerOf(drawn(mediaSamples.png), drawn(mediaSamples.png)));
      const settings = { n: 2, size: '512x512', quality: 'high', background: 'transparent', output_format: 'webp' };
      assert.equal(
        okJson(await draw(world, key, settings))
          .at('data')
          .list().length,
        2,
      );
      assert.deepEqual(world.provider.calls.at(-1)?.call.image, {
        aspectRatio: '1:1',
        pixels: '512x512',
        size: '512',
        count: 2,
        quality: 'high',
        background: 'transparent',
        format: 'webp',
      });
    },
    mediaSettings,
  ),
  gatewayCase(
    'images: a stream ends with the whole image, and is replayed byte for byte',
    async (world) => {
      const key = await keyOf(world, imageModel);
      world.provider.script(answerOf(drawn(mediaSamples.png)));
      const body = { stream: true, partial_images: 2, size: '1024x1024' };
      const answer = await draw(world, key, body, 'stream');
      const events = namedEvents(answer.text);
      assert.deepEqual(
        events.map(({ type }) => type),
        ['image_generation.completed'],
      );
      const [{ data } = assert.fail()] = events;
      assert.deepEqual(
        ['b64_json', 'output_format', 'size', 'quality', 'background'].map((name) => data.at(name).value),
        [mediaSamples.png, 'png', '1024x1024', 'auto', 'auto'],
      );
      assert.deepEqual([data.at('usage', 'total_tokens').value, data.at('service', 'credits').value], [15, 0.02]);
      assert.equal(data.at('created_at').value, Math.floor(world.time.now() / 1_000));
      assert.equal((await draw(world, key, body, 'stream')).text, answer.text);
      assert.equal(world.provider.calls.length, 1);
    },
    mediaSettings,
  ),
  gatewayCase(
    'images: keeps an image that is larger than a record, and replays it',
    async (world) => {
      const key = await keyOf(world, imageModel);
      const large = Buffer.alloc(600_000, 'pixels').toString('base64');
      world.provider.script(answerOf(drawn(large)));
      const answer = await draw(world, key, {}, 'large');
      assert.equal(okJson(answer).at('data', 0, 'b64_json').value, large);
      assert.equal((await draw(world, key, {}, 'large')).text, answer.text);
      const record = await world.record(requestIdOf(answer));
      assert.equal(record.at('response', 'data', 0, 'b64_json').value, large);
    },
    mediaSettings,
  ),
  gatewayCase(
    'images: says that a model made none, and charges what it used',
    async (world) => {
      const key = await keyOf(world, imageModel);
      const none = {
        kind: 'answer',
        generation: { text: 'I will not.', usage: imageUsage, finish: 'content_filter' },
      } as const;
      world.provider.script(none, none);
      const body = okJson(await draw(world, key));
      assert.deepEqual([body.at('data').value, body.at('finish_reason').value], [[], 'content_filter']);
      assert.equal(body.at('service', 'credits').value, 0.02);
      const streamed = await draw(world, key, { stream: true });
      assert.match(streamed.text, /^event: error\ndata: \{"error":\{/);
    },
    mediaSettings,
  ),
  gatewayCase(
    'images: refuses what it does not take, and names the field',
    async (world) => {
      const key = await keyOf(world, imageModel);
      for (const [body, field] of refusals) {
        const answer = await draw(world, key, body);
        assert.equal(answer.status, 422, answer.text);
        assert.ok(answer.text.includes(`The field ${field}`), answer.text);
      }
      const variations = await world.send({ path: '/images/variations', body: {}, key });
      assert.ok(assertRefused(variations, 422, 'unsupported_parameter').at('message').text().includes('variations'));
      const text = await keyOf(world, suiteModel);
      assertRefused(await draw(world, text), 422, 'model_incompatible');
      assertRefused(await world.send({ path, body: { prompt }, key: null }), 401, 'invalid_api_key');
      assert.equal(world.provider.calls.length, 0);
    },
    mediaSettings,
  ),
  gatewayCase(
    'images: names the setting that the provider of a model refuses, and charges nothing',
    async (world) => {
      const key = await keyOf(world, imageModel);
      const fields = [
        ['imageCount', 'n', { n: 2 }],
        ['imageFormat', 'output_format', { output_format: 'webp' }],
        ['image', 'size', { size: '512x512' }],
      ] as const;
      for (const [field, name, body] of fields) {
        world.provider.script({ kind: 'not_executed', reason: 'invalid_request', field });
        const error = assertRefused(await draw(world, key, body), 422, 'unsupported_parameter');
        assert.equal(error.at('param').value, name);
      }
    },
    mediaSettings,
  ),
  gatewayCase(
    'images: keeps the hold of an image whose outcome is unknown, whole and streamed',
    async (world) => {
      const key = await keyOf(world, imageModel);
      for (const body of [{}, { stream: true }]) {
        world.provider.script({ kind: 'unknown' });
        const answer = await draw(world, key, body, `unknown-${'stream' in body}`);
        assertRefused(answer, 502, 'request_failed');
        const record = await world.record(requestIdOf(answer));
        assert.equal(record.at('status').value, 'uncertain');
        assert.ok(record.at('reserved_credits').number() > 0);
        assert.notEqual((await draw(world, key, body, `unknown-${'stream' in body}`)).status, 200);
      }
      assert.equal(world.provider.calls.length, 2);
    },
    mediaSettings,
  ),
];
