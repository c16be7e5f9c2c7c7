import type { Kit } from '../kit/kit.ts';
import type { Json } from '../wire/json.ts';
import { conformanceCase, type ConformanceCase } from '../kit/conformance-case.ts';
import { finished } from './made-resource.ts';
import { mediaSamples } from './media-samples.ts';
import { path, refused, withTool } from './interaction-ask.ts';

const waltz = (kit: Kit): Promise<Json> =>
  finished(kit, kit.rule, { by: 'music', path, body: kit.body('music', { input: 'A slow waltz.' }) });

export const interactionsMediaCases: readonly ConformanceCase[] = [
  conformanceCase(
    'makes music of a plain input',
    {
      charges: 1,
      rules: ['interactions:music:plain-input', 'catalog:family:music', 'interactions:output:media'],
      needs: ['music', 'test-mode'],
    },
    async (kit) => {
      const record = await waltz(kit);
      kit.fields('interactions:music:plain-input', record, { status: 'completed' });
      const parts = record
        .at('result', 'steps')
        .list()
        .flatMap((step) => step.at('content').list());
      const audio = parts.find((part) => part.at('mime_type').text().startsWith('audio/'));
      kit.holds('catalog:family:music', audio !== undefined, 'no audio among the steps');
      const media = `${audio?.at('data').text() ?? ''}${audio?.at('uri').text() ?? ''}`;
      kit.holds('interactions:output:media', media !== '', 'neither data nor uri');
    },
  ),
  conformanceCase(
    'offers generated media for download',
    {
      charges: 1,
      rules: ['interactions:output:content-binary', 'resources:content:headers', 'interactions:output:media'],
      needs: ['music', 'test-mode'],
    },
    async (kit) => {
      const content = `${path}/${(await waltz(kit)).at('id').text()}/content`;
      const file = await kit.send({ by: 'music', path: content });
      const type = file.headers.get('content-type');
      kit.same(
        'interactions:output:content-binary',
        [file.status, type],
        [200, 'application/octet-stream'],
        'the file',
      );
      kit.holds('interactions:output:content-binary', file.bytes.length > 0, 'no bytes');
      const slice = await kit.send({ by: 'music', path: content, headers: { range: 'bytes=0-9' } });
      kit.same('resources:content:headers', [slice.status, slice.bytes.length], [206, 10], 'a range');
      const bare = await kit.send({ path: content, key: null });
      kit.same('interactions:output:media', bare.status, 401, 'the status without a key');
    },
  ),
  conformanceCase(
    'writes down what is said',
    {
      charges: 1,
      rules: [
        'interactions:transcription:audio-input',
        'catalog:family:transcription',
        'interactions:generation-config:transcription',
      ],
      needs: ['transcription', 'test-mode'],
    },
    async (kit) => {
      const input = [{ type: 'audio', mime_type: 'audio/wav', data: mediaSamples.wav }];
      const transcription_config = { language_codes: ['pt-BR'], mode: { type: 'smart' } };
      const body = kit.body('transcription', { input, generation_config: { transcription_config } });
      const record = await finished(kit, 'interactions:generation-config:transcription', {
        by: 'transcription',
        path,
        body,
      });
      kit.same('catalog:family:transcription', record.at('status').value, 'completed', 'status');
      kit.holds('interactions:transcription:audio-input', record.at('result', 'steps').list().length > 0, 'no steps');
    },
  ),
  conformanceCase(
    'makes videos with an omni model, and not by the route of videos',
    { charges: 1, rules: ['interactions:omni:video-format', 'catalog:family:omni'], needs: ['omni', 'test-mode'] },
    async (kit) => {
      const body = kit.body('omni', {
        input: 'A harbour.',
        response_format: { type: 'video', aspect_ratio: '16:9', resolution: '720p' },
      });
      const record = await finished(kit, 'interactions:omni:video-format', { by: 'omni', path, body });
      const parts = record
        .at('result', 'steps')
        .list()
        .flatMap((step) => step.at('content').list());
      kit.holds(
        'interactions:omni:video-format',
        parts.some((part) => part.at('mime_type').text().startsWith('video/')),
        'no video among the steps',
      );
      if (!('model' in kit.body('omni', {})))
        kit.refused(
          'catalog:family:omni',
          await kit.send({ by: 'omni', path: '/videos', body: { prompt: 'A harbour.' } }),
          422,
          'model_incompatible',
        );
    },
  ),

  conformanceCase(
    'goes on with another key of the project',
    { charges: 2, rules: ['interactions:previous:other-key'], needs: ['chat', 'sibling'] },
    async (kit) => {
      const rule = 'interactions:previous:other-key';
      const previous_interaction_id = (await finished(kit, rule, { path, body: kit.body('chat', { input: 'Hello' }) }))
        .at('id')
        .text();
      const next = await finished(kit, rule, {
        by: 'sibling',
        path,
        body: kit.body('sibling', { input: 'And?', previous_interaction_id }),
      });
      kit.same(
        rule,
        [next.at('status').value, next.at('previous_interaction_id').value],
        ['completed', previous_interaction_id],
        'status and previous_interaction_id',
      );
    },
  ),
  conformanceCase(
    'refuses tools that the model does not offer',
    { rules: ['catalog:release:tools-per-model'] },
    async (kit) => {
      const { json } = await kit.send({ path: `/models/${kit.model('chat')}` });
      if (
        json
          .at('capabilities')
          .list()
          .some(({ value }) => value === 'computer_use')
      )
        return;
      await refused(kit, 'catalog:release:tools-per-model', [
        withTool({ type: 'computer_use', environment: 'browser' }),
      ]);
    },
  ),
];
