import assert from 'node:assert/strict';
import { assertRefused, okJson, type Json } from './answer.ts';
import { gatewayCase, type GatewayCase } from './gateway-case.ts';
import type { GatewayWorld } from './gateway-world.ts';
import {
  agentModel,
  functionCall,
  imageModel,
  interactionClient,
  lastCall,
  lastJob,
  musicModel,
  nobody,
  omniModel,
  outputOf,
  scriptCalls,
  stepsOf,
  transcriptionModel,
  withJobs,
} from './interaction-ask.ts';
import { mediaSamples as samples } from './media-samples.ts';
import { plainAnswerMicros } from './suite-tariff.ts';
import { videoBody, videoClient, videoMicros, workThrough } from './video-ask.ts';

const weather = { type: 'function', name: 'get_weather' } as const;
const png = { kind: 'media', mimeType: 'image/png', data: samples.png } as const;

const scriptImage = (world: GatewayWorld): void =>
  world.provider.script({ kind: 'answer', generation: { text: '', parts: [png] } });

const balanceMicros = async (world: GatewayWorld): Promise<bigint> =>
  (await world.wallet.read(world.accountId)).balanceMicros;

const day = 24 * 3_600_000;

/** Within a day, as time is moved on while work is waited for. */
const assertExpiry = (world: GatewayWorld, record: Json, keptMs: number): void => {
  const expiresMs = Date.parse(record.at('expires_at').text());
  assert.ok(Math.abs(expiresMs - world.time.now() - keptMs) < day, record.at('expires_at').text());
};

const scriptMedium = (world: GatewayWorld, mimeType: string, data: string): void =>
  world.provider.scriptPolls({
    kind: 'answer',
    interacted: { steps: [{ kind: 'model_output', content: [{ kind: 'media', mimeType, data }] }] },
  });

/** An interaction from its creation to its end, and on to the next one. */
export const interactionsLifeCases: readonly GatewayCase[] = [
  gatewayCase('answers in steps and charges what was measured', async (world) => {
    const client = await interactionClient(world);
    const before = await balanceMicros(world);
    const id = await client.ended();
    const record = await client.get(id);
    assert.deepEqual(record.at('result', 'steps').value, [
      { type: 'model_output', content: [{ type: 'text', text: 'Scripted answer.' }] },
    ]);
    assert.equal(record.at('result', 'model').value, 'flash-2.5');
    assert.equal(record.at('charged_credits').value, record.at('result', 'service', 'credits').value);
    assert.equal(before - (await balanceMicros(world)), plainAnswerMicros);
    assert.ok(!JSON.stringify(record.value).includes('Tell me more.'));
    assert.deepEqual((await world.record(id)).at('response').value, record.value);
  }),
  gatewayCase(
    'is completed for a query of the request while it waits for a function [interactions:requires-action:request-record]',
    async (world) => {
      const client = await interactionClient(world);
      scriptCalls(world, functionCall('get_weather', { city: 'Lisbon' }));
      const id = await client.ended({ input: 'Weather?', tools: [weather] });
      const record = await client.get(id);
      assert.equal(record.at('status').value, 'requires_action');
      assert.deepEqual(stepsOf(record)[0]?.at('arguments').value, { city: 'Lisbon' });
      const request = await world.record(id);
      assert.deepEqual(
        [request.at('status').value, request.at('response', 'status').value],
        ['completed', 'requires_action'],
      );
    },
  ),
  gatewayCase(
    'goes on with another key of the project, and with nothing but the history [interactions:previous:other-key] [interactions:previous:not-inherited]',
    async (world) => {
      const first = await interactionClient(world);
      scriptCalls(world, functionCall('get_weather'));
      const id = await first.ended({ input: 'Weather?', system_instruction: 'Be brief.', tools: [weather] });
      const other = await interactionClient(world, 'pro-2.5');
      const next = await other.ended({
        previous_interaction_id: id,
        input: [{ type: 'function_result', call_id: 'call_get_weather', result: { degrees: 20 } }],
      });
      const record = await other.get(next);
      assert.deepEqual([record.at('status').value, record.at('model').value], ['completed', 'pro-2.5']);
      const call = lastCall(world);
      assert.deepEqual([call.systemInstruction, call.tools], [null, []]);
      assert.deepEqual(
        call.contents.map(({ role, parts }) => [role, parts[0]?.kind]),
        [
          ['user', 'text'],
          ['model', 'function_call'],
          ['user', 'function_response'],
        ],
      );
      const stranger = await interactionClient(world, undefined, await world.createProject(world.accountId));
      assertRefused(await stranger.create({ input: 'And?', previous_interaction_id: id }), 404, 'not_found');
    },
  ),
  gatewayCase(
    'shows small media in their step and larger ones behind an address that needs the key [interactions:output:media] [interactions:output:content-binary]',
    async (world) => {
      const client = await interactionClient(world, imageModel);
      scriptImage(world);
      const small = await client.ended();
      assert.deepEqual(
        [outputOf(await client.get(small)).at('data').value, outputOf(await client.get(small)).at('index').value],
        [samples.png, 0],
      );
      scriptMediumOfTen(world);
      const large = await client.ended();
      const uri = outputOf(await client.get(large))
        .at('uri')
        .text();
      assert.equal(uri, `/api/v1/ai/interactions/${large}/content?index=0`);
      for (const [id, bytes] of [
        [small, Buffer.from(samples.png, 'base64')],
        [large, tenBytes],
      ] as const) {
        const answer = await client.content(id, { query: '?index=0' });
        assert.deepEqual([answer.status, answer.headers.get('content-type')], [200, 'application/octet-stream']);
        assert.deepEqual(Buffer.from(await answer.arrayBuffer()), bytes);
      }
      const part = await client.content(large, { headers: { range: 'bytes=2-4' } });
      assert.deepEqual([part.status, Buffer.from(await part.arrayBuffer())], [206, tenBytes.subarray(2, 5)]);
      assert.equal((await client.content(large, { key: null })).status, 401);
      assert.equal((await client.content(large, { query: '?index=1' })).status, 404);
      const pending = await client.created();
      assert.equal((await client.content(pending)).status, 409);
    },
    { interactions: { inlineMediaBytesMax: Buffer.from(samples.png, 'base64').length } },
  ),
  gatewayCase(
    'makes music of plain words [interactions:music:plain-input] [catalog:family:music]',
    async (world) => {
      for (const model of ['music-3-clip-preview', 'music-3-pro-preview', musicModel]) {
        assert.equal(okJson(await world.send({ path: `/models/${model}` })).at('family').value, 'music');
        const client = await interactionClient(world, model);
        scriptMedium(world, 'audio/wav', samples.wav);
        const record = await client.get(await client.ended({ input: 'A waltz.' }));
        assert.deepEqual(
          [outputOf(record).at('type').value, outputOf(record).at('mime_type').value],
          ['audio', 'audio/wav'],
        );
        assert.equal(lastJob(world).format.kind, 'audio');
      }
    },
    withJobs,
  ),
  gatewayCase(
    'makes videos of models that read and write everything, by this route alone [interactions:omni:video-format] [catalog:family:omni]',
    async (world) => {
      const response_format = { type: 'video', aspect_ratio: '16:9', resolution: '720p' };
      for (const model of ['omni-flash-preview', omniModel]) {
        const client = await interactionClient(world, model);
        scriptMedium(world, 'video/mp4', samples.mp4);
        const record = await client.get(await client.ended({ input: 'A harbour.', response_format }));
        assert.equal(outputOf(record).at('type').value, 'video');
        assert.deepEqual(lastJob(world).format, { kind: 'video', aspectRatio: '16:9', resolution: '720p' });
        const answer = await world.send({ key: client.key, path: '/videos', body: { prompt: 'A harbour.' } });
        assertRefused(answer, 422, 'model_incompatible');
      }
    },
    withJobs,
  ),
  gatewayCase(
    'writes down what is said [interactions:transcription:audio-input] [catalog:family:transcription]',
    async (world) => {
      const model = okJson(await world.send({ path: `/models/${transcriptionModel}` }));
      assert.equal(model.at('family').value, 'transcription');
      const client = await interactionClient(world, transcriptionModel);
      const input = [{ type: 'audio', mime_type: 'audio/wav', data: samples.wav }];
      const record = await client.get(await client.ended({ input }));
      assert.equal(outputOf(record).at('text').value, 'Scripted report.');
      assert.deepEqual(
        lastJob(world).input.map((step) => (step.kind === 'user_input' ? step.content[0]?.kind : step.kind)),
        ['media'],
      );
    },
    withJobs,
  ),
  gatewayCase(
    'tells an upstream job to stop, and settles what it did until then, as it does of an answer that was cut [ledger:partial:charged]',
    async (world) => {
      const client = await interactionClient(world, agentModel);
      world.provider.scriptPolls({ kind: 'answer', jobProgress: { kind: 'running' } });
      const id = await client.created({ input: 'Research.' });
      await world.runJobs();
      const cancelling = okJson(await client.cancel(id));
      assert.equal(cancelling.at('status').value, 'cancelling');
      world.provider.scriptPolls({ kind: 'answer', interacted: { steps: [], status: 'cancelled' } });
      await workThrough(world);
      const record = await client.get(id);
      assert.deepEqual(
        [record.at('status').value, record.at('result', 'status').value, record.at('charged_credits').value],
        ['completed', 'cancelled', 0.02],
      );
      assert.equal(world.provider.interactionLog.cancelled.length, 1);
      assert.deepEqual(okJson(await client.cancel(id)).value, record.value);
      world.provider.script({ kind: 'answer', generation: { text: 'Cut', finish: 'length' } });
      assert.equal(okJson(await world.chat()).at('service', 'credits').value, 0.02);
    },
    withJobs,
  ),
  gatewayCase(
    'is continued for 55 days; its media last for seven, and videos for two [limits:retention:interactions] [limits:retention:media]',
    async (world) => {
      const client = await interactionClient(world, imageModel);
      const videos = await videoClient(world);
      const video = await videos.completed();
      scriptImage(world);
      const id = await client.ended();
      assertExpiry(world, await client.get(id), 7 * day);
      assertExpiry(world, await videos.get(video), 2 * day);
      world.time.advance(2 * day);
      await world.runJobs();
      assert.deepEqual([(await client.content(id)).status, (await videos.content(video)).status], [200, 404]);
      assert.equal((await videos.get(video)).at('status').value, 'expired');
      world.time.advance(6 * day);
      await world.runJobs();
      assert.equal((await client.content(id)).status, 404);
      assert.equal((await client.get(id)).at('status').value, 'completed');
      world.time.advance(46 * day);
      await world.runJobs();
      await client.ended({ input: 'Another.', previous_interaction_id: id });
      assert.deepEqual(
        lastCall(world).contents.map(({ role }) => role),
        ['user', 'model', 'user'],
      );
      assert.deepEqual(lastCall(world).contents[1]?.parts, [
        { kind: 'text', text: '[Media of an earlier turn are no longer available.]' },
      ]);
      world.time.advance(2 * day);
      await world.runJobs();
      assertRefused(await client.create({ input: 'And?', previous_interaction_id: id }), 404, 'not_found');
      assert.equal((await client.get(id)).at('status').value, 'completed');
    },
  ),
  gatewayCase('charges every kind of generation by what was measured [ledger:charged:generations]', async (world) => {
    const spent = async (act: () => Promise<unknown>): Promise<bigint> => {
      const before = await balanceMicros(world);
      await act();
      await workThrough(world);
      return before - (await balanceMicros(world));
    };
    const embedder = await interactionClient(world, 'embedding-001');
    const videos = await videoClient(world);
    const contents = [{ role: 'user', parts: [{ text: 'Hello' }] }];
    assert.deepEqual(
      [
        await spent(() => world.chat()),
        await spent(() => world.send({ path: '/models/flash-2.5:generateContent', body: { contents } })),
        await spent(() => world.send({ key: embedder.key, path: '/embeddings', body: { input: 'Hello' } })),
        await spent(() => videos.create(videoBody)),
        await spent(() => world.send({ path: '/interactions', body: { input: 'Hello' } })),
      ],
      [plainAnswerMicros, plainAnswerMicros, 3_000n, videoMicros, plainAnswerMicros],
    );
  }),
  gatewayCase('recovers an interaction by its identity, and leaves nothing behind of the repeat', async (world) => {
    const client = await interactionClient(world);
    const headers = { 'idempotency-key': 'once' };
    const body = { input: [{ type: 'image', mime_type: 'image/png', data: samples.png }] };
    const first = okJson(await client.create(body, { headers }));
    const again = await client.create(body, { headers });
    assert.deepEqual(
      [okJson(again).at('id').value, again.headers.get('idempotency-replayed')],
      [first.at('id').value, 'true'],
    );
    await workThrough(world);
    assert.equal(world.provider.calls.length, 1);
    assert.equal((await client.get(first.at('id').text())).at('status').value, 'completed');
    assertRefused(await client.create({ input: 'Other' }, { headers }), 409, 'ai_idempotency_conflict');
    assertRefused(await client.create({ input: 'x', previous_interaction_id: nobody }), 404, 'not_found');
  }),
];

const tenBytes = Buffer.alloc(1_000, 'ten bytes.');

const scriptMediumOfTen = (world: GatewayWorld): void =>
  world.provider.script({
    kind: 'answer',
    generation: { text: '', parts: [{ kind: 'media', mimeType: 'image/png', data: tenBytes.toString('base64') }] },
  });
