import assert from 'node:assert/strict';
import { assertRefused, okJson } from './answer.ts';
import { gatewayCase, type GatewayCase } from './gateway-case.ts';
import {
  assertContentRefused,
  assertContentTaken,
  configured,
  generate,
  helloBody,
  helloContent,
  lastCall,
  ofTurn,
} from './generate-ask.ts';
import { measured } from './measured.ts';
import { mediaSamples as samples } from './media-samples.ts';
import { suiteModel, suiteRow } from './suite-tariff.ts';

const speaker = (name: string) => ({
  speaker: name,
  voiceConfig: { prebuiltVoiceConfig: { voiceName: `${name}-voice` } },
});
const oneVoice = { voiceConfig: { prebuiltVoiceConfig: { voiceName: 'Kore' } } };

const bodyOf = (bytes: number): string => {
  const frame = JSON.stringify(ofTurn({ text: '' })).length;
  return JSON.stringify(ofTurn({ text: 'a'.repeat(bytes - frame) }));
};

const bodyCases: readonly GatewayCase[] = [
  gatewayCase('takes contents with a role and parts [generate:body:contents]', async (world) => {
    await assertContentRefused(world, 'invalid_request', [
      {},
      { contents: [] },
      { contents: 'Hello' },
      { contents: [{ role: 'user', parts: [] }] },
      [],
    ]);
    await assertContentRefused(world, 'invalid_role', [{ contents: [{ ...helloContent, role: 'system' }] }]);
    okJson(await generate(world));
    assert.deepEqual(lastCall(world).contents, [{ role: 'user', parts: [{ kind: 'text', text: 'Hello' }] }]);
  }),
  gatewayCase('takes a body of 20 MiB and no more [generate:body:max-size]', async (world) => {
    await world.wallet.deposit(world.accountId, 10_000_000_000n);
    for (const [bytes, status] of [
      [20_000_000, 200],
      [20_971_521, 413],
    ] as const) {
      const body = bodyOf(bytes);
      assert.equal(body.length, bytes);
      const answer = await generate(world, body);
      assert.equal(answer.status, status, answer.text.slice(0, 200));
      if (status === 413) assertRefused(answer, 413, 'body_too_large');
    }
    assert.equal(world.provider.calls.length, 1);
  }),
  gatewayCase("takes the key's model in the path and no other [generate:path:model]", async (world) => {
    assertRefused(await generate(world, helloBody, { model: 'pro-2.5' }), 422, 'model_key_mismatch');
    okJson(await generate(world, helloBody, { model: 'service-auto' }));
    const { key } = await world.createCaller({ projectId: world.projectId, model: null });
    okJson(await generate(world, helloBody, { model: 'pro-2.5', key }));
    assertRefused(await generate(world, helloBody, { model: 'nope', key }), 404, 'not_found');
    assertRefused(await generate(world, helloBody, { model: 'embedding-2', key }), 422, 'model_incompatible');
  }),
  gatewayCase(
    'takes text in systemInstruction and nothing else [generate:system-instruction:text-only]',
    async (world) => {
      const parts = [{ text: 'Be brief.' }, { text: 'Be kind.' }];
      okJson(await generate(world, { ...helloBody, systemInstruction: { parts } }));
      assert.equal(lastCall(world).systemInstruction, 'Be brief.\n\nBe kind.');
      await assertContentRefused(world, 'unsupported_content', [
        {
          ...helloBody,
          systemInstruction: { parts: [{ inlineData: { mimeType: 'image/png', data: samples.png } }] },
        },
      ]);
    },
  ),
  gatewayCase('takes a cache alone, and knows none that is not there [generate:cache:exclusive]', async (world) => {
    const cachedContent = 'caches/01900000-0000-7000-8000-000000000000';
    await assertContentRefused(world, 'invalid_request', [
      { ...helloBody, cachedContent, systemInstruction: { parts: [{ text: 'Be brief.' }] } },
      { ...helloBody, cachedContent, tools: [{ codeExecution: {} }] },
      { ...helloBody, cachedContent, toolConfig: { functionCallingConfig: { mode: 'NONE' } } },
    ]);
    assertRefused(await generate(world, { ...helloBody, cachedContent }), 404, 'not_found');
    assert.equal(world.provider.calls.length, 0);
  }),
  gatewayCase('takes safety settings of known categories and thresholds [generate:safety-settings]', async (world) => {
    const setting = { category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_ONLY_HIGH' };
    okJson(await generate(world, { ...helloBody, safetySettings: [setting] }));
    assert.deepEqual(lastCall(world).safety, [setting]);
    await assertContentRefused(world, 'invalid_request', [
      { ...helloBody, safetySettings: [{ ...setting, category: 'HARM_CATEGORY_JUNK' }] },
      { ...helloBody, safetySettings: [{ ...setting, threshold: 'BLOCK_SOME' }] },
    ]);
  }),
];

const configCases: readonly GatewayCase[] = [
  gatewayCase('hands sampling and resolution on [generate:config:sampling]', async (world) => {
    const sampling = { temperature: 0.3, topP: 0.9, topK: 20 };
    okJson(await generate(world, configured({ ...sampling, mediaResolution: 'MEDIA_RESOLUTION_HIGH' })));
    assert.deepEqual([lastCall(world).sampling, lastCall(world).mediaResolution], [sampling, 'high']);
    okJson(await generate(world, configured({})));
    assert.deepEqual(lastCall(world).sampling, {});
    await assertContentRefused(world, 'invalid_request', [
      configured({ topP: '0.9' }),
      configured({ topK: '20' }),
      configured({ mediaResolution: 'HIGH' }),
    ]);
    await assertContentRefused(world, 'invalid_temperature', [configured({ temperature: '0.3' })]);
  }),
  gatewayCase(
    'hands seed and stop sequences on, unless the model takes none [generate:config:seed-stop]',
    async (world) => {
      okJson(await generate(world, configured({ seed: 7, stopSequences: ['END'] })));
      assert.deepEqual(lastCall(world).sampling, { seed: 7, stopSequences: ['END'] });
      const { key } = await world.createCaller({ projectId: world.projectId, model: 'plain' });
      for (const config of [{ seed: 7 }, { stopSequences: ['END'] }])
        assertRefused(await generate(world, configured(config), { key, model: 'plain' }), 422, 'model_incompatible');
      assert.equal(world.provider.calls.length, 1);
    },
    { catalog: [suiteRow({ id: suiteModel }), suiteRow({ id: 'plain', settingsRefused: ['seed', 'stopSequences'] })] },
  ),
  gatewayCase('hands the format of the reply on [generate:config:response-format]', async (world) => {
    const responseJsonSchema = {
      type: 'object',
      properties: { city: { type: 'string' }, size: { const: 3 } },
      $defs: { a: true },
    };
    okJson(await generate(world, configured({ responseMimeType: 'application/json', responseJsonSchema })));
    const format = lastCall(world).responseFormat;
    assert.deepEqual(format, { kind: 'json_schema', name: 'response', schema: responseJsonSchema });
    okJson(await generate(world, configured({ responseMimeType: 'application/json' })));
    assert.deepEqual(lastCall(world).responseFormat, { kind: 'json_object' });
    okJson(await generate(world, configured({ responseMimeType: 'text/plain' })));
    assert.deepEqual(lastCall(world).responseFormat, { kind: 'text' });
  }),
  gatewayCase('hands thinking on, and charges what was thought [generate:config:thinking]', async (world) => {
    world.provider.script({
      kind: 'answer',
      generation: { usage: measured(['input_text_tokens', 10], ['output_text_tokens', 5], ['thought_tokens', 100]) },
    });
    const thinkingConfig = { includeThoughts: true, thinkingBudget: 200, thinkingLevel: 'LOW' };
    const answer = okJson(await generate(world, configured({ thinkingConfig })));
    assert.deepEqual(lastCall(world).thinking, { includeThoughts: true, budgetTokens: 200, level: 'low' });
    assert.equal(answer.at('service', 'credits').value, 0.22);
  }),
  gatewayCase(
    'takes the three modalities of an answer from models that have them [generate:config:modalities]',
    async (world) => {
      for (const modality of ['TEXT', 'IMAGE', 'AUDIO'])
        okJson(await generate(world, configured({ responseModalities: [modality] })));
      assert.deepEqual(lastCall(world).modalities, ['audio']);
      await assertContentRefused(world, 'invalid_request', [configured({ responseModalities: ['VIDEO'] })]);
      const { key } = await world.createCaller({ projectId: world.projectId, model: 'writer' });
      const body = configured({ responseModalities: ['TEXT', 'IMAGE'] });
      assertRefused(await generate(world, body, { key, model: 'writer' }), 422, 'model_incompatible');
    },
    {
      catalog: [
        suiteRow({ id: suiteModel, capabilities: ['image_generation', 'speech_generation'] }),
        suiteRow({ id: 'writer' }),
      ],
    },
  ),
  gatewayCase(
    'hands the form of an image on [generate:config:image]',
    async (world) => {
      okJson(await generate(world, configured({ imageConfig: { aspectRatio: '16:9', imageSize: '2K' } })));
      assert.deepEqual(lastCall(world).image, { aspectRatio: '16:9', size: '2K' });
      await assertContentRefused(world, 'invalid_request', [
        configured({ imageConfig: { aspectRatio: 1.5 } }),
        configured({ imageConfig: { imageSize: 2048 } }),
      ]);
    },
    { catalog: [suiteRow({ id: suiteModel, capabilities: ['image_generation'] })] },
  ),
  gatewayCase(
    'hands one voice on, or two [generate:config:speech]',
    async (world) => {
      okJson(await generate(world, configured({ speechConfig: oneVoice })));
      assert.deepEqual(lastCall(world).speech, { kind: 'one_voice', voice: 'Kore' });
      const speakerVoiceConfigs = [speaker('Ana'), speaker('Rui')];
      okJson(await generate(world, configured({ speechConfig: { multiSpeakerVoiceConfig: { speakerVoiceConfigs } } })));
      assert.deepEqual(lastCall(world).speech, {
        kind: 'several_voices',
        speakers: [
          { speaker: 'Ana', voice: 'Ana-voice' },
          { speaker: 'Rui', voice: 'Rui-voice' },
        ],
      });
      await assertContentRefused(world, 'invalid_request', [
        configured({ speechConfig: {} }),
        configured({ speechConfig: { voiceConfig: {} } }),
        configured({ speechConfig: { ...oneVoice, multiSpeakerVoiceConfig: { speakerVoiceConfigs } } }),
      ]);
    },
    { catalog: [suiteRow({ id: suiteModel, capabilities: ['speech_generation'] })] },
  ),
];

/** What POST /models/{model}:generateContent takes and refuses. */
export const generateRequestCases: readonly GatewayCase[] = [
  ...bodyCases,
  ...configCases,
  gatewayCase('refuses what only other clients send', async (world) => {
    await assertContentRefused(world, 'unsupported_parameter', [
      { ...helloBody, messages: [] },
      { ...helloBody, model: suiteModel },
      configured({ maxOutputTokens: 5 }),
      configured({ candidateCount: 1 }),
      configured({ responseSchema: { type: 'OBJECT' } }),
      { ...helloBody, systemInstruction: { role: 'user', parts: [{ text: 'Be brief.' }] } },
    ]);
    await assertContentTaken(world, [helloBody]);
  }),
];
