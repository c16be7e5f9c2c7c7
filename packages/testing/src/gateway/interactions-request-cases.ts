import assert from 'node:assert/strict';
import { assertRefused, okJson } from './answer.ts';
import { createdJson, deleteFile, pdfUpload, upload, uploadedId } from './file-ask.ts';
import { gatewayCase, type GatewayCase } from './gateway-case.ts';
import type { GatewayWorld } from './gateway-world.ts';
import {
  agentModel,
  assertCreated,
  interactionClient,
  lastCall,
  lastJob,
  nobody,
  omniModel,
  speechModel,
  transcriptionModel,
  withJobs,
  type InteractionClient,
} from './interaction-ask.ts';
import { mediaSamples as samples } from './media-samples.ts';
import { workThrough } from './video-ask.ts';

const wav = { type: 'audio', mime_type: 'audio/wav', data: samples.wav } as const;

const document = (id: string) => ({ input: [{ type: 'document', uri: `files/${id}` }] });

const withConfig = (generation_config: unknown, input: unknown = 'Hello') => ({ input, generation_config });

/** Statuses and codes of refused bodies, each with nothing handed over. */
const assertAllRefused = async (client: InteractionClient, code: string, bodies: readonly unknown[]): Promise<void> => {
  for (const body of bodies) assertRefused(await client.create(body), 422, code);
};

const modes = [
  { type: 'smart' },
  { type: 'verbatim', diarization_mode: 'speaker', timestamp_granularities: ['word'] },
] as const;

const tasks = ['text_to_video', 'image_to_video', 'reference_to_video', 'edit', 'extend'] as const;

/** What an interaction can be asked for. */
export const interactionsRequestCases: readonly GatewayCase[] = [
  gatewayCase('shows what an interaction goes on from and works with [interactions:record:fields]', async (world) => {
    const client = await interactionClient(world);
    const record = okJson(await client.create());
    assert.deepEqual(
      ['object', 'status', 'previous_interaction_id', 'agent_id', 'environment_id', 'result'].map(
        (name) => record.at(name).value,
      ),
      ['interaction', 'reserved', null, null, null, null],
    );
    const previous_interaction_id = await client.ended();
    const agent_id = okJson(await client.createAgent())
      .at('id')
      .text();
    const next = okJson(await client.create({ input: 'And?', previous_interaction_id, agent_id }));
    assert.deepEqual(
      [next.at('previous_interaction_id').value, next.at('agent_id').value],
      [previous_interaction_id, agent_id],
    );
  }),
  gatewayCase(
    'hands voice and language to a model that speaks [interactions:generation-config:speech]',
    async (world) => {
      const client = await interactionClient(world, speechModel);
      await client.ended(withConfig({ speech_config: { voice: 'Kore', language: 'pt-BR' } }));
      assert.deepEqual(lastCall(world).speech, { kind: 'one_voice', voice: 'Kore', language: 'pt-BR' });
      await assertAllRefused(client, 'unsupported_parameter', [withConfig({ speech_config: { speaker: 'x' } })]);
    },
  ),
  gatewayCase('takes four levels of thinking [interactions:generation-config:thinking-level]', async (world) => {
    const client = await interactionClient(world);
    for (const level of ['minimal', 'low', 'medium', 'high'] as const) {
      await client.ended(withConfig({ thinking_level: level }));
      assert.deepEqual(lastCall(world).thinking, { level });
    }
    await assertAllRefused(client, 'invalid_request', [withConfig({ thinking_level: 'max' })]);
  }),
  gatewayCase(
    'takes both modes of a transcript [interactions:generation-config:transcription]',
    async (world) => {
      const client = await interactionClient(world, transcriptionModel);
      for (const mode of modes) {
        const transcription_config = { language_codes: ['pt-BR'], custom_vocabulary: ['Tollgate'], mode };
        await client.ended(withConfig({ transcription_config }, [wav]));
        assert.equal(lastJob(world).transcription?.mode?.kind, mode.type);
      }
      assert.deepEqual(lastJob(world).transcription, {
        languageCodes: ['pt-BR'],
        customVocabulary: ['Tollgate'],
        mode: { kind: 'verbatim', diarization: 'speaker', timestampGranularities: ['word'] },
      });
      const wrong = { transcription_config: { mode: { type: 'verbatim', diarization_mode: 'x' } } };
      await assertAllRefused(client, 'invalid_request', [withConfig(wrong, [wav])]);
    },
    withJobs,
  ),
  gatewayCase(
    'takes five tasks of a video [interactions:generation-config:video-task]',
    async (world) => {
      const client = await interactionClient(world, omniModel);
      for (const task of tasks) {
        await client.ended(withConfig({ video_config: { task } }));
        assert.equal(lastJob(world).videoTask, task);
      }
      await assertAllRefused(client, 'invalid_request', [withConfig({ video_config: { task: 'upscale' } })]);
    },
    withJobs,
  ),
  gatewayCase(
    'configures agents only where the model is one [interactions:agent-config:needs-agent-model]',
    async (world) => {
      const agent_config = { collaborative_planning: true, visualization: 'off', thinking_summaries: 'auto' };
      await assertAllRefused(await interactionClient(world), 'model_incompatible', [{ input: 'Hello', agent_config }]);
      const client = await interactionClient(world, agentModel);
      await client.ended({ input: 'Hello', agent_config });
      assert.deepEqual(lastJob(world).agent, {
        collaborativePlanning: true,
        visualization: 'off',
        thinkingSummaries: 'auto',
      });
    },
    withJobs,
  ),
  gatewayCase(
    'reads files of the project that are active [interactions:input:uri-project-file]',
    async (world) => {
      const client = await interactionClient(world);
      const id = await uploadedId(world);
      await client.ended(document(id));
      const part = lastCall(world).contents[0]?.parts[0];
      assert.ok(part?.kind === 'blob' && part.file?.id === id);
      const other = await interactionClient(world, undefined, await world.createProject(world.accountId));
      assertRefused(await other.create(document(id)), 404, 'not_found');
      assertRefused(await client.create(document(nobody)), 404, 'not_found');
      world.provider.scriptFiles({ kind: 'answer', fileState: 'processing' });
      const processing = createdJson(await upload(world, pdfUpload))
        .at('id')
        .text();
      assertRefused(await client.create(document(processing)), 409, 'request_in_progress');
      const image = { input: [{ type: 'image', uri: `files/${id}` }] };
      assertRefused(await client.create(image), 422, 'unsupported_content');
      for (const [mime_type, status] of [
        ['application/pdf', 200],
        ['text/plain', 422],
      ] as const) {
        const declared = { input: [{ type: 'document', uri: `files/${id}`, mime_type }] };
        assert.equal((await client.create(declared)).status, status, mime_type);
      }
      await workThrough(world);
      okJson(await deleteFile(world, id));
      assertRefused(await client.create(document(id)), 404, 'not_found');
    },
    { fileSteps: [] },
  ),
  gatewayCase(
    'works with an environment of the project that is active [interactions:environment-id:active]',
    async (world) => {
      const client = await interactionClient(world);
      const environment_id = okJson(await world.send({ key: client.key, path: '/environments', body: {} }))
        .at('id')
        .text();
      const body = { input: 'Hello', environment_id };
      assertCreated(await client.create(body));
      const other = await interactionClient(world, undefined, await world.createProject(world.accountId));
      assertRefused(await other.create(body), 404, 'not_found');
      await workThrough(world);
      okJson(await world.send({ key: client.key, method: 'DELETE', path: `/environments/${environment_id}` }));
      assertRefused(await client.create(body), 404, 'not_found');
      assertRefused(await client.create({ input: 'Hello', environment_id: nobody }), 404, 'not_found');
    },
  ),
  gatewayCase(
    'uses the model of the key, whether it is named or not [models:use:omitted]',
    async (world: GatewayWorld) => {
      const client = await interactionClient(world);
      assert.equal(okJson(await client.create({ input: 'Hello' })).at('model').value, 'flash-2.5');
      assert.equal(okJson(await client.create({ input: 'Hello', model: 'flash-2.5' })).at('model').value, 'flash-2.5');
      assertRefused(await client.create({ input: 'Hello', model: 'pro-2.5' }), 422, 'model_key_mismatch');
      assert.equal(okJson(await world.chat()).at('model').value, 'flash-2.5');
      const embedder = await interactionClient(world, 'embedding-001');
      const vectors = await world.send({ key: embedder.key, path: '/embeddings', body: { input: 'Hello' } });
      assert.equal(okJson(vectors).at('model').value, 'embedding-001');
      assertRefused(await embedder.create(), 422, 'model_incompatible');
    },
  ),
  gatewayCase('takes no index of content that is no integer of at least 0 [limits:content-index]', async (world) => {
    for (const kind of ['videos', 'interactions'])
      for (const index of ['-1', '1.5', 'x'])
        assertRefused(await world.send({ path: `/${kind}/${nobody}/content?index=${index}` }), 422, 'invalid_request');
  }),
];
