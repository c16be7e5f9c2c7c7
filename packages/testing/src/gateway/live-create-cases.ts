import assert from 'node:assert/strict';
import { defaultCatalog } from '@tollgate/contract';
import { assertRefused, jsonOf, okJson, uuidPattern } from './answer.ts';
import { gatewayCase, type GatewayCase } from './gateway-case.ts';
import { accessFrame, liveBody, liveClient, musicModel, musicTariff, nextJson } from './live-ask.ts';
import { suiteModel } from './suite-tariff.ts';

const inConfig = (more: object) => ({ config: { ...liveBody.config, ...more } });
const inGeneration = (more: object) => ({ config: { generationConfig: { ...more } } });

/** Everything that a session can be opened with, once each. */
const accepted: readonly object[] = [
  { config: {} },
  inGeneration({ responseModalities: ['AUDIO'] }),
  inGeneration({
    speechConfig: { voiceConfig: { prebuiltVoiceConfig: { voiceName: 'Kore' } }, languageCode: 'pt-BR' },
    temperature: 1,
    topP: 0.9,
    topK: 40,
    maxOutputTokens: 100,
    seed: 7,
    mediaResolution: 'MEDIA_RESOLUTION_LOW',
    thinkingConfig: { thinkingBudget: 0 },
    translationConfig: { targetLanguageCode: 'pl' },
  }),
  inConfig({ systemInstruction: 'Be brief.' }),
  inConfig({ systemInstruction: { parts: [{ text: 'Be brief.' }] } }),
  inConfig({ tools: [{ functionDeclarations: [{ name: 'weather', parameters: { type: 'OBJECT' } }] }] }),
  inConfig({ inputAudioTranscription: {}, outputAudioTranscription: { languageCodes: ['pl'] } }),
  inConfig({
    realtimeInputConfig: {
      automaticActivityDetection: { disabled: true, silenceDurationMs: 300 },
      activityHandling: 'NO_INTERRUPTION',
      turnCoverage: 'TURN_INCLUDES_ALL_INPUT',
    },
  }),
  inConfig({ contextWindowCompression: { triggerTokens: '1000', slidingWindow: { targetTokens: 500 } } }),
  inConfig({ proactivity: { proactiveAudio: true }, historyConfig: { initialHistoryInClientContent: true } }),
];

const refused: readonly (readonly [object, string])[] = [
  [inConfig({ sessionResumption: {} }), 'unsupported_parameter'],
  [inConfig({ model: 'models/x' }), 'unsupported_parameter'],
  [inConfig({ foo: 1 }), 'unsupported_parameter'],
  [inConfig({ tools: [{ googleSearch: {} }] }), 'unsupported_parameter'],
  [inGeneration({ responseModalities: ['IMAGE'] }), 'invalid_request'],
  [inGeneration({ temperature: 3 }), 'invalid_request'],
  [inGeneration({ stopSequences: ['x'] }), 'unsupported_parameter'],
  [{}, 'invalid_request'],
  [{ ...liveBody, model: 'flash-2.5' }, 'unsupported_parameter'],
];

const realtimeIds = defaultCatalog.filter(({ family }) => family === 'realtime').map(({ id }) => id);

/** POST /live. */
export const liveCreateCases: readonly GatewayCase[] = [
  gatewayCase(
    'opens a session with a hold and returns the access of one socket [live:create:body] [live:create:response] [live:create:holds]',
    async (world) => {
      const client = await liveClient(world);
      const answer = await client.create();
      const access = okJson(answer);
      assert.deepEqual(access.keys().toSorted(), ['access_key', 'expires_at', 'id', 'url']);
      assert.match(access.at('id').text(), uuidPattern);
      assert.match(access.at('url').text(), /^wss?:\/\/[^/]+\/api\/v1\/ai\/live$/);
      assert.ok(access.at('access_key').text().length >= 32);
      assert.equal(Date.parse(access.at('expires_at').text()), world.time.now() + 60_000);
      assert.equal(answer.headers.get('cache-control'), 'no-store');
      assert.ok((await world.wallet.read(client.accountId)).reservedMicros > 0n);
      assert.ok(!world.logged().includes(access.at('access_key').text()));
    },
  ),
  gatewayCase('takes every setting of the contract and no other [live:create:config-subset]', async (world) => {
    const client = await liveClient(world);
    for (const body of accepted) assert.equal((await client.create(body)).status, 200, JSON.stringify(body));
    for (const [body, code] of refused) assertRefused(await client.create(body), 422, code);
  }),
  gatewayCase('takes no session up again for a client [live:create:no-session-resumption]', async (world) => {
    const client = await liveClient(world);
    assertRefused(await client.create(inConfig({ sessionResumption: { handle: 'x' } })), 422, 'unsupported_parameter');
  }),
  gatewayCase(
    'refuses a model of another family, and serves every realtime one [live:create:family] [catalog:family:realtime]',
    async (world) => {
      for (const model of [suiteModel, 'embedding-2', 'music-3.5']) {
        const client = await liveClient(world, model);
        assertRefused(await client.create(), 422, 'model_incompatible');
      }
      assert.equal(realtimeIds.length, 8);
      for (const model of realtimeIds) {
        const client = await liveClient(world, model);
        assert.equal((await client.create()).status, 200, model);
      }
    },
    { tariff: musicTariff },
  ),
  gatewayCase('refuses a session that the balance does not cover [live:create:holds]', async (world) => {
    const accountId = await world.createAccount(0n);
    const projectId = await world.createProject(accountId);
    const { key } = await world.createCaller({ projectId, model: 'flash-3.1-live-preview' });
    assertRefused(await world.send({ key, path: '/live', body: liveBody }), 402, 'ai_insufficient_credits');
  }),
  gatewayCase('refuses a session without a price for what it uses', async (world) => {
    const client = await liveClient(world, musicModel);
    assertRefused(await client.create(), 503, 'access_or_service_unavailable');
  }),
  gatewayCase(
    'gives the same access again while it can be used, and 409 after that [idempotency:live:replay]',
    async (world) => {
      const client = await liveClient(world);
      const headers = { 'idempotency-key': 'once' };
      const first = await client.create(liveBody, { headers });
      world.time.advance(10_000);
      const again = await client.create(liveBody, { headers });
      assert.deepEqual(okJson(again).value, okJson(first).value);
      assert.equal(again.headers.get('idempotency-replayed'), 'true');
      const other = { config: { generationConfig: { responseModalities: ['AUDIO'] } } };
      assertRefused(await client.create(other, { headers }), 409, 'ai_idempotency_conflict');
      const socket = await world.socket();
      socket.send(accessFrame(okJson(first)));
      assert.deepEqual((await nextJson(socket)).value, { setupComplete: {} });
      assertRefused(await client.create(liveBody, { headers }), 409, 'request_in_progress');
      socket.close();
      await client.ended(okJson(first).at('id').text());
      assert.equal((await client.create(liveBody, { headers })).status, 409);
    },
  ),
  gatewayCase('answers 409 for an access that expired unused [idempotency:live:replay]', async (world) => {
    const client = await liveClient(world);
    const headers = { 'idempotency-key': 'late' };
    okJson(await client.create(liveBody, { headers }));
    world.time.advance(61_000);
    assert.equal((await client.create(liveBody, { headers })).status, 409);
    await world.runJobs();
    assertRefused(await client.create(liveBody, { headers }), 409, 'previous_request_failed');
  }),
  gatewayCase('hands the settings to the provider, a system instruction always as a content', async (world) => {
    const client = await liveClient(world);
    const { upstream, socket, id } = await client.open({
      config: { ...liveBody.config, systemInstruction: 'Be brief.' },
    });
    assert.equal(upstream.call.operationId, id);
    assert.equal(upstream.call.kind, 'live');
    assert.deepEqual(jsonOf(upstream.call.config).value, {
      ...liveBody.config,
      systemInstruction: { parts: [{ text: 'Be brief.' }] },
    });
    socket.close();
    await client.ended(id);
  }),
];
