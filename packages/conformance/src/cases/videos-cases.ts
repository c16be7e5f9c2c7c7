import { conformanceCase, type ConformanceCase } from '../kit/conformance-case.ts';
import type { Kit } from '../kit/kit.ts';
import { unknownId } from '../kit/routes.ts';
import type { RuleId } from '../rules/rules.ts';
import type { Json } from '../wire/json.ts';
import { directed } from './bodies.ts';
import { finished, made } from './made-resource.ts';
import { mediaSamples } from './media-samples.ts';

const path = '/videos';
const needs = ['video'] as const;
const prompt = 'A harbour at night.';
const image = { data: mediaSamples.png, mime_type: 'image/png' };

const refused = async (kit: Kit, rule: RuleId, bodies: readonly object[]): Promise<void> => {
  for (const body of bodies) kit.refused(rule, await kit.send({ by: 'video', path, body }), 422);
};

const harbour = (kit: Kit): Promise<Json> => {
  const body = { prompt, resolution: '720p', aspect_ratio: '16:9' };
  return finished(kit, kit.rule, { by: 'video', path, body });
};

export const videosCases: readonly ConformanceCase[] = [
  conformanceCase(
    'makes a video of the size that was asked for',
    {
      charges: 1,
      rules: [
        'catalog:family:video',
        'videos:record:fields',
        'videos:result:urls',
        'ledger:charged:generations',
        'videos:body:aspect-ratio',
        'videos:body:resolution',
      ],
      needs: ['video', 'test-mode'],
    },
    async (kit) => {
      const record = await harbour(kit);
      kit.fields('catalog:family:video', record, { status: 'completed' });
      kit.holds('videos:record:fields', record.at('duration_seconds').number() > 0, 'no duration_seconds');
      kit.fields('videos:record:fields', record, { resolution: '720p', aspect_ratio: '16:9' });
      kit.fields('videos:body:resolution', record, { resolution: '720p' });
      kit.fields('videos:body:aspect-ratio', record, { aspect_ratio: '16:9' });
      kit.fields('videos:result:urls', record.at('result', 'videos', 0), { mime_type: 'video/mp4', index: 0 });
      kit.holds('ledger:charged:generations', record.at('charged_credits').number() > 0, 'a video costs nothing');
    },
  ),
  conformanceCase(
    'hands a video over, whole and in pieces',
    {
      charges: 1,
      rules: [
        'videos:content:binary',
        'videos:content:index-default',
        'resources:content:headers',
        'resources:content:index-missing',
        'resources:record:urls',
      ],
      needs: ['video', 'test-mode'],
    },
    async (kit) => {
      const record = await harbour(kit);
      const url = record.at('result', 'videos', 0, 'url').text();
      const { pathname } = new URL(kit.base);
      kit.need('resources:record:urls', url.startsWith(`${pathname}/`), `the path ${url}`);
      const content = url.slice(pathname.length);
      const bare = await kit.send({ path: content, key: null });
      kit.same('resources:record:urls', bare.status, 401, 'the status without a key');
      const file = await kit.send({ by: 'video', path: content });
      const { headers } = file;
      kit.same('videos:content:binary', [file.status, headers.get('content-type')], [200, 'video/mp4'], 'the file');
      kit.holds('videos:content:binary', file.bytes.length > 0, 'no bytes');
      const id = record.at('id').text();
      const plain = await kit.send({ by: 'video', path: `${path}/${id}/content` });
      const isSame = Buffer.compare(plain.bytes, file.bytes) === 0;
      kit.holds('videos:content:index-default', isSame, 'without an index other bytes come');
      kit.holds('resources:content:headers', headers.has('content-disposition'), 'no Content-Disposition');
      const slice = await kit.send({ by: 'video', path: content, headers: { range: 'bytes=0-9' } });
      kit.same('resources:content:headers', [slice.status, slice.bytes.length], [206, 10], 'a range');
      const head = await kit.send({ by: 'video', method: 'HEAD', path: content });
      kit.same('resources:content:headers', [head.status, head.bytes.length], [200, 0], 'status and body of HEAD');
      const beyond = await kit.send({ by: 'video', path: `${path}/${id}/content?index=9` });
      kit.refused('resources:content:index-missing', beyond, 404);
    },
  ),
  conformanceCase(
    'refuses wrong fields of a video',
    {
      rules: [
        'videos:body:prompt',
        'videos:body:duration',
        'videos:body:resolution',
        'videos:body:aspect-ratio',
        'videos:body:extras',
        'videos:body:initial-image',
        'videos:body:last-frame',
        'videos:body:references',
        'videos:body:exclusive-references',
        'videos:extension:exclusive',
      ],
      needs,
    },
    async (kit) => {
      await refused(kit, 'videos:body:prompt', [{}, { prompt: 7 }, { prompt: '' }]);
      await refused(
        kit,
        'videos:body:duration',
        [0, -1, 1.5, '8'].map((duration_seconds) => ({ prompt, duration_seconds })),
      );
      await refused(kit, 'videos:body:resolution', [{ prompt, resolution: 720 }]);
      await refused(kit, 'videos:body:aspect-ratio', [{ prompt, aspect_ratio: 1.78 }]);
      await refused(kit, 'videos:body:extras', [
        { prompt, negative_prompt: 3 },
        { prompt, seed: 1.5 },
        { prompt, seed: 'x' },
      ]);
      await refused(
        kit,
        'videos:body:initial-image',
        [{ data: mediaSamples.gif, mime_type: 'image/gif' }, {}, { uri: 'https://example.com/a.png' }].map((wrong) => ({
          prompt,
          image: wrong,
        })),
      );
      await refused(kit, 'videos:body:last-frame', [{ prompt, last_frame: image }]);
      await refused(kit, 'videos:body:references', [
        { prompt, reference_images: [] },
        { prompt, reference_images: [image, image, image, image] },
        { prompt, reference_images: [{ ...image, reference_type: 'mood' }] },
      ]);
      await refused(kit, 'videos:body:exclusive-references', [{ prompt, reference_images: [image], image }]);
      await refused(kit, 'videos:extension:exclusive', [
        { prompt, video: unknownId, image },
        { prompt, video: unknownId, reference_images: [image] },
      ]);
    },
  ),
  conformanceCase(
    'returns no content of a video that is not made yet, and continues none',
    {
      rules: [
        'resources:content:not-finished',
        'videos:extension:source',
        'videos:extension:resolution',
        'resources:delete:active-execution',
      ],
      needs: ['video', 'test-mode'],
    },
    async (kit) => {
      const record = await made(kit, 'resources:content:not-finished', {
        by: 'video',
        path,
        body: { prompt: directed('polls 3') },
      });
      const id = record.at('id').text();
      kit.refused(
        'resources:content:not-finished',
        await kit.send({ by: 'video', path: `${path}/${id}/content` }),
        409,
      );
      kit.refused(
        'videos:extension:source',
        await kit.send({ by: 'video', path, body: { prompt, video: id, resolution: '720p' } }),
        409,
      );
      kit.refused(
        'resources:delete:active-execution',
        await kit.send({ by: 'video', method: 'DELETE', path: `${path}/${id}` }),
        409,
      );
      kit.refused(
        'videos:extension:source',
        await kit.send({ by: 'video', path, body: { prompt, video: unknownId, resolution: '720p' } }),
        404,
        'not_found',
      );
      const other = await kit.send({ by: 'video', path, body: { prompt, video: id, resolution: '1080p' } });
      kit.holds(
        'videos:extension:resolution',
        other.status === 422 || other.status === 409,
        `the status is ${other.status}`,
      );
    },
  ),
];
