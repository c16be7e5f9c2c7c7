import { conformanceCase, type ConformanceCase } from '../kit/conformance-case.ts';
import { unknownId } from '../kit/routes.ts';
import { directed } from './bodies.ts';
import { finished, saidBy } from './made-resource.ts';
import { mediaSamples } from './media-samples.ts';
import { path, refused, taken } from './interaction-ask.ts';

const withConfig = (generation_config: unknown): object => ({ input: 'Hello', generation_config });

export const interactionsCases: readonly ConformanceCase[] = [
  conformanceCase(
    'answers in steps, and charges what it used',
    {
      charges: 1,
      rules: [
        'interactions:output:steps',
        'interactions:body:input',
        'interactions:record:fields',
        'ledger:charged:generations',
        'resources:record:result-credits',
      ],
      needs: ['chat', 'directives'],
    },
    async (kit) => {
      const record = await finished(kit, 'interactions:body:input', {
        path,
        body: kit.body('chat', { input: directed('echo heron') }),
      });
      kit.same(
        'interactions:output:steps',
        [record.at('status').value, saidBy(record)],
        ['completed', 'heron'],
        'status and text',
      );
      kit.same(
        'interactions:record:fields',
        [record.at('previous_interaction_id').value, record.at('agent_id').value, record.at('environment_id').value],
        [null, null, null],
        'previous_interaction_id, agent_id and environment_id',
      );
      kit.holds(
        'ledger:charged:generations',
        record.at('charged_credits').number() > 0,
        'an interaction costs nothing',
      );
      kit.same(
        'resources:record:result-credits',
        record.at('result', kit.brand, 'credits').value,
        record.at('charged_credits').value,
        'credits of the result',
      );
    },
  ),
  conformanceCase(
    'wants an input of text or items',
    {
      charges: 1,
      rules: [
        'interactions:body:input',
        'interactions:input:text-item',
        'interactions:input:media-item',
        'interactions:input:external-uri-refused',
        'interactions:input:uri-project-file',
      ],
    },
    async (kit) => {
      await refused(kit, 'interactions:body:input', [
        {},
        { input: 7 },
        { input: {} },
        { input: 'Hello', system_instruction: [] },
      ]);
      await taken(kit, 'interactions:input:text-item', [{ input: [{ type: 'text', text: 'Hello' }] }]);
      await refused(kit, 'interactions:input:text-item', [{ input: [{ type: 'text' }] }]);
      await refused(kit, 'interactions:input:media-item', [{ input: [{ type: 'image', mime_type: 'image/png' }] }]);
      await refused(kit, 'interactions:input:external-uri-refused', [
        { input: [{ type: 'image', mime_type: 'image/png', uri: 'https://example.com/a.png' }] },
      ]);
      const foreign = { input: [{ type: 'document', uri: `files/${unknownId}` }] };
      kit.refused(
        'interactions:input:uri-project-file',
        await kit.send({ path, body: kit.body('chat', foreign) }),
        404,
        'not_found',
      );
    },
  ),
  conformanceCase(
    'reads an image',
    { charges: 1, rules: ['interactions:input:media-item'], needs: ['chat', 'can:image_input'] },
    async (kit) => {
      await taken(kit, 'interactions:input:media-item', [
        {
          input: [
            { type: 'text', text: 'What is it?' },
            { type: 'image', mime_type: 'image/png', data: mediaSamples.png },
          ],
        },
      ]);
    },
  ),
  conformanceCase(
    'refuses fields that the contract does not have',
    { rules: ['interactions:body:unknown-fields'] },
    async (kit) => {
      await refused(
        kit,
        'interactions:body:unknown-fields',
        [
          { input: 'Hello', no_such_field: 1 },
          { input: 'Hello', environment: 'x' },
        ],
        'unsupported_parameter',
      );
    },
  ),
  conformanceCase(
    'takes settings within their bounds',
    {
      charges: 3,
      rules: [
        'interactions:generation-config:sampling',
        'interactions:generation-config:seed-stop',
        'interactions:generation-config:thinking-level',
        'interactions:response-format:fields',
        'interactions:generation-config:video-task',
        'interactions:generation-config:speech',
        'interactions:generation-config:transcription',
        'interactions:agent-config:fields',
      ],
    },
    async (kit) => {
      await taken(kit, 'interactions:generation-config:sampling', [
        withConfig({ temperature: 2, top_p: 1 }),
        withConfig({ temperature: 0 }),
      ]);
      await refused(
        kit,
        'interactions:generation-config:sampling',
        [{ temperature: 2.1 }, { temperature: -0.1 }, { top_p: 1.1 }, { top_p: -0.1 }].map(withConfig),
      );
      await refused(
        kit,
        'interactions:generation-config:seed-stop',
        [{ seed: 1.5 }, { seed: 'x' }, { stop_sequences: 'x' }].map(withConfig),
      );
      await refused(kit, 'interactions:generation-config:thinking-level', [withConfig({ thinking_level: 'max' })]);
      await refused(kit, 'interactions:response-format:fields', [{ input: 'Hello', response_format: { type: 'xml' } }]);
      await taken(kit, 'interactions:response-format:fields', [{ input: 'Hello', response_format: { type: 'text' } }]);
      await refused(kit, 'interactions:generation-config:video-task', [
        withConfig({ video_config: { task: 'upscale' } }),
      ]);
      await refused(kit, 'interactions:generation-config:speech', [withConfig({ speech_config: { speaker: 'x' } })]);
      await refused(kit, 'interactions:generation-config:transcription', [
        withConfig({ transcription_config: { mode: { type: 'verbatim', diarization_mode: 'x' } } }),
      ]);
      await refused(kit, 'interactions:agent-config:fields', [
        { input: 'Hello', agent_config: { visualization: 'maybe' } },
      ]);
    },
  ),
  conformanceCase(
    'configures agents only where the model is one',
    { rules: ['interactions:agent-config:needs-agent-model'] },
    async (kit) => {
      await refused(
        kit,
        'interactions:agent-config:needs-agent-model',
        [{ input: 'Hello', agent_config: { visualization: 'off' } }],
        'model_incompatible',
      );
    },
  ),
];
