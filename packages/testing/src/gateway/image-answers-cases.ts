import assert from 'node:assert/strict';
import { defaultCatalog } from '@tollgate/contract';
import type { Part } from '@tollgate/provider';
import { assertRefused, jsonOf, okJson, requestIdOf, type Answer, type Json } from './answer.ts';
import { namedEvents, responsesWire as wire } from './dialect-wires.ts';
import { gatewayCase, type GatewayCase } from './gateway-case.ts';
import type { GatewayWorld } from './gateway-world.ts';
import { answerOf, drawn, imageModel, imageUsage, keyOf } from './media-ask.ts';
import { mediaSamples } from './media-samples.ts';

const { settings } = wire;
const tool = { type: 'image_generation' } as const;
const said = (text: string): Part => ({ kind: 'text', text });

/** The model of images calls functions, too. */
const withFunctions = defaultCatalog.map((row) =>
  row.id === imageModel ? { ...row, capabilities: [...row.capabilities, 'functions'] } : row,
);

const draw = (world: GatewayWorld, key: string, body: object = {}, identity = ''): Promise<Answer> =>
  world.send({
    path: wire.path,
    key,
    body: { input: 'A ferry at night.', tools: [tool], ...body },
    headers: identity === '' ? {} : { 'idempotency-key': identity },
  });

const typesIn = (body: Json): readonly unknown[] =>
  body
    .at('output')
    .list()
    .map((item) => item.at('type').value);

/** The last call's turns: each role, with the kinds of its parts. */
const turnsOf = (world: GatewayWorld): readonly unknown[] =>
  jsonOf(world.provider.calls.at(-1)?.call.contents)
    .list()
    .map((turn) => [
      turn.at('role').value,
      ...turn
        .at('parts')
        .list()
        .map((part) => part.at('kind').value),
    ]);

const refusals: readonly (readonly [body: object, field: string])[] = [
  [{ tools: [{ ...tool, size: '1024' }] }, 'tools[0].size'],
  [{ tools: [{ ...tool, model: 'other' }] }, 'tools[0].model'],
  [{ tools: [{ ...tool, output_format: 'gif' }] }, 'tools[0].output_format'],
  [{ tools: [{ ...tool, input_image_mask: { file_id: 'a' } }] }, 'tools[0].input_image_mask'],
  [{ tools: [{ ...tool, frame_count: 3 }] }, 'frame_count'],
  [{ tools: [tool, tool] }, 'tools'],
  [{ background: true }, 'tools'],
  [{ input: [{ type: 'image_generation_call', id: 'ig_1', result: 'AAAA' }] }, 'input[0].result'],
];

/** Images in the answers of Responses. */
export const imageAnswersCases: readonly GatewayCase[] = [
  gatewayCase(
    'responses: an image is an item in its order, with what was asked of it, charged once, stored and replayed',
    async (world) => {
      const key = await keyOf(world, imageModel);
      world.provider.script(answerOf(said('Before.'), drawn(mediaSamples.png), said('After.')));
      const asked = {
        tools: [wire.tool, { ...tool, size: '1536x1024', quality: 'high', background: 'opaque', output_format: 'png' }],
      };
      const answer = await draw(world, key, asked, 'whole');
      const body = okJson(answer);
      assert.deepEqual(typesIn(body), ['message', 'image_generation_call', 'message']);
      assert.deepEqual(body.at('output', 1).value, {
        id: `ig_${requestIdOf(answer)}_1`,
        type: 'image_generation_call',
        status: 'completed',
        result: mediaSamples.png,
        output_format: 'png',
        size: '1536x1024',
        quality: 'high',
        background: 'opaque',
      });
      assert.deepEqual(body.at('tools').value, asked.tools);
      assert.deepEqual([body.at('usage', 'total_tokens').value, body.at('service', 'credits').value], [15, 0.02]);
      const [{ call } = assert.fail()] = world.provider.calls;
      assert.deepEqual(call.modalities, ['text', 'image']);
      const image = { aspectRatio: '3:2', pixels: '1536x1024', quality: 'high', background: 'opaque', format: 'png' };
      assert.deepEqual(call.image, image);
      const again = await draw(world, key, asked, 'whole');
      assert.deepEqual([again.text, again.headers.get('idempotency-replayed')], [answer.text, 'true']);
      const stored = await world.send({ path: `/responses/${body.at('id').text()}`, key });
      assert.equal(stored.text, answer.text);
      assert.deepEqual((await world.record(requestIdOf(answer))).at('response').value, body.value);
      assert.equal(world.provider.calls.length, 1);
    },
    { ...settings, catalog: withFunctions },
  ),
  gatewayCase(
    'responses: a stream shows an image when it is whole, between its texts, and is replayed byte for byte',
    async (world) => {
      const key = await keyOf(world, imageModel);
      const sketch: Part = { kind: 'media', mimeType: 'image/png', data: 'c2tldGNo', thought: true };
      const pieces = [said('Be'), sketch, said('fore.'), drawn(mediaSamples.png), said('Af'), said('ter.')];
      world.provider.script({ kind: 'answer', pieces, generation: { text: '', usage: imageUsage } });
      const answer = await draw(world, key, { stream: true }, 'stream');
      const events = namedEvents(answer.text);
      const ofImage = events.filter(({ data }) => data.at('output_index').value === 1);
      assert.deepEqual(
        ofImage.map(({ type }) => type),
        [
          'response.output_item.added',
          'response.image_generation_call.in_progress',
          'response.image_generation_call.generating',
          'response.image_generation_call.completed',
          'response.output_item.done',
        ],
      );
      assert.equal(ofImage.at(0)?.data.at('item', 'result').value, null);
      assert.equal(ofImage.at(-1)?.data.at('item', 'result').value, mediaSamples.png);
      assert.equal(ofImage.at(1)?.data.at('item_id').value, `ig_${requestIdOf(answer)}_1`);
      assert.equal(events.filter(({ type }) => type === 'response.output_text.delta').length, 4);
      // An image that a model made while it was thinking is none of its answer.
      assert.ok(!answer.text.includes(sketch.data));
      const response = events.at(-1)?.data.at('response') ?? assert.fail();
      assert.deepEqual(typesIn(response), ['message', 'image_generation_call', 'message']);
      const again = await draw(world, key, { stream: true }, 'stream');
      assert.deepEqual([again.text, again.headers.get('idempotency-replayed')], [answer.text, 'true']);
      assert.equal(world.provider.calls.length, 1);
    },
    settings,
  ),
  gatewayCase(
    'responses: an image goes back to the model that made it, with its state, by its response, its item or itself',
    async (world) => {
      const key = await keyOf(world, imageModel);
      const made: Part = { kind: 'media', mimeType: 'image/png', data: mediaSamples.png, context: 'state of it' };
      world.provider.script(answerOf(made));
      const first = okJson(await draw(world, key));
      const ask = { type: 'message', role: 'user', content: 'Larger.' };
      const { value: item } = first.at('output', 0);
      const ways = [
        { input: [ask], previous_response_id: first.at('id').value },
        { input: [{ type: 'item_reference', id: first.at('output', 0, 'id').value }, ask] },
        { input: [item, ask] },
      ];
      for (const way of ways) {
        world.provider.script(answerOf(drawn(mediaSamples.png)));
        okJson(await draw(world, key, way));
        const turns = turnsOf(world).slice(-2);
        assert.deepEqual(turns, [
          ['model', 'media'],
          ['user', 'text'],
        ]);
        const [part] = world.provider.calls.at(-1)?.call.contents.at(-2)?.parts ?? [];
        assert.deepEqual(part, made);
      }
    },
    settings,
  ),
  gatewayCase(
    'responses: keeps an image that is larger than a record, replays it, and takes it back',
    async (world) => {
      const key = await keyOf(world, imageModel);
      const small = Buffer.from(mediaSamples.png, 'base64');
      const pixels = Buffer.alloc(600_000, 'pixels');
      const large = Buffer.concat([small.subarray(0, 33), pixels, small.subarray(33)]).toString('base64');
      let first: Json | undefined;
      for (const stream of [false, true]) {
        world.provider.script(answerOf(drawn(large)));
        const answer = await draw(world, key, { stream }, `large-${stream}`);
        assert.ok(answer.text.includes(large));
        first ??= stream ? undefined : okJson(answer);
        assert.equal((await draw(world, key, { stream }, `large-${stream}`)).text, answer.text);
      }
      assert.equal(world.provider.calls.length, 2);
      assert.ok(first !== undefined);
      const ask = { role: 'user', content: 'Larger.' };
      const ways = [
        { input: [ask], previous_response_id: first.at('id').value },
        { input: [first.at('output', 0).value, ask] },
      ];
      for (const way of ways) {
        okJson(await draw(world, key, way));
        const [part = assert.fail()] = world.provider.calls.at(-1)?.call.contents.at(-2)?.parts ?? [];
        assert.ok(part.kind === 'media' || part.kind === 'blob');
        // What is long in a body lies aside until its request is done.
        const sizeBytes = part.kind === 'media' ? Buffer.byteLength(part.data, 'base64') : part.sizeBytes;
        assert.deepEqual([part.mimeType, sizeBytes], ['image/png', Buffer.byteLength(large, 'base64')]);
      }
    },
    settings,
  ),
  gatewayCase(
    'responses: a choice that forces an image asks for nothing else, and the choice of none for text alone',
    async (world) => {
      const key = await keyOf(world, imageModel);
      for (const [choice, modalities] of [
        [tool, ['image']],
        ['required', ['image']],
        ['auto', ['text', 'image']],
        ['none', ['text']],
      ] as const) {
        okJson(await draw(world, key, { tool_choice: choice }));
        const call = world.provider.calls.at(-1)?.call;
        assert.deepEqual(call?.modalities, modalities);
        assert.deepEqual(call?.toolChoice, { kind: choice === 'none' ? 'none' : 'auto' });
      }
    },
    settings,
  ),
  gatewayCase(
    'responses: a model that makes no images goes without the tool, and is refused where the request forces it',
    async (world) => {
      const offered = { tools: [wire.tool, { ...tool, frame_count: 3 }] };
      const body = okJson(await world.send({ path: wire.path, body: wire.saying('Hello', offered) }));
      assert.deepEqual(body.at('tools').value, [wire.tool]);
      const call = world.provider.calls.at(-1)?.call;
      assert.deepEqual([call?.modalities, call?.image, call?.tools.length], [undefined, undefined, 1]);
      for (const more of [{ tool_choice: tool }, { tools: [tool], tool_choice: 'required' }]) {
        const refused = await world.send({ path: wire.path, body: wire.saying('Hello', { ...offered, ...more }) });
        assertRefused(refused, 422, 'model_incompatible');
        assert.match(refused.text, /The field tool_choice asks for image_generation/);
      }
      const undeclared = await world.send({ path: wire.path, body: wire.saying('Hello', { tool_choice: tool }) });
      assertRefused(undeclared, 422, 'invalid_request');
      assert.equal(world.provider.calls.length, 1);
    },
    settings,
  ),
  gatewayCase(
    'responses: refuses of an image what it does not take, and names the field',
    async (world) => {
      const key = await keyOf(world, imageModel);
      for (const [body, field] of refusals) {
        const answer = await draw(world, key, body);
        assert.equal(answer.status, 422, answer.text);
        assert.ok(answer.text.includes(field), `${field}: ${answer.text}`);
      }
      assert.equal(world.provider.calls.length, 0);
    },
    settings,
  ),
];
