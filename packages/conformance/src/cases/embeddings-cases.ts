import { conformanceCase, type ConformanceCase } from '../kit/conformance-case.ts';
import type { Kit } from '../kit/kit.ts';
import { unknownId } from '../kit/routes.ts';
import { requestIdOf } from '../wire/exchange.ts';
import { directed, identified } from './bodies.ts';
import { mediaSamples } from './media-samples.ts';

const needs = ['embedding'] as const;
const tasks = [
  'RETRIEVAL_QUERY',
  'RETRIEVAL_DOCUMENT',
  'SEMANTIC_SIMILARITY',
  'CLASSIFICATION',
  'CLUSTERING',
  'QUESTION_ANSWERING',
  'FACT_VERIFICATION',
  'CODE_RETRIEVAL_QUERY',
];

const embed = (kit: Kit, body: object, more: object = {}) =>
  kit.send({ ...more, by: 'embedding', path: '/embeddings', body: kit.body('embedding', body) });

const many = (count: number): object => ({ input: Array.from({ length: count }, (_, at) => `t${at}`) });

export const embeddingsCases: readonly ConformanceCase[] = [
  conformanceCase(
    'makes one vector for each text, in order',
    {
      charges: 1,
      rules: ['embeddings:response:shape', 'embeddings:response:vector-per-input', 'catalog:family:embedding'],
      needs,
    },
    async (kit) => {
      const answer = await embed(kit, { input: ['heron', 'crane', 'gull'] });
      const list = kit.taken('embeddings:response:shape', answer);
      kit.fields('embeddings:response:shape', list, { object: 'list', model: kit.model('embedding') });
      const data = list.at('data').list();
      kit.same(
        'embeddings:response:vector-per-input',
        data.map((one) => one.at('index').value),
        [0, 1, 2],
        'index of each vector',
      );
      kit.holds(
        'embeddings:response:shape',
        data.every(
          (one) =>
            one.at('object').value === 'embedding' &&
            one
              .at('embedding')
              .list()
              .every(({ value }) => typeof value === 'number'),
        ),
        'a vector is no list of numbers',
      );
      kit.holds('catalog:family:embedding', (data[0]?.at('embedding').list().length ?? 0) > 0, 'no vector came');
      const alone = kit.taken('embeddings:response:vector-per-input', await embed(kit, { input: 'gull' }));
      kit.same(
        'embeddings:response:vector-per-input',
        alone.at('data', 0, 'embedding').value,
        data[2]?.at('embedding').value,
        'the vector of the same text alone',
      );
    },
  ),
  conformanceCase(
    'reports the credits of vectors',
    { charges: 1, rules: ['embeddings:response:credits'], needs },
    async (kit) => {
      const answer = await embed(kit, { input: 'heron' });
      const list = kit.taken('embeddings:response:credits', answer);
      const record = kit.taken(
        'embeddings:response:credits',
        await kit.send({ by: 'embedding', path: `/requests/${requestIdOf(answer)}` }),
      );
      kit.same(
        'embeddings:response:credits',
        record.at('charged_credits').value,
        list.at(kit.brand, 'credits').value,
        'charged_credits of the record',
      );
    },
  ),
  conformanceCase(
    'takes 1 to 100 texts, none of them empty',
    {
      charges: 1,
      rules: ['embeddings:body:input-list', 'embeddings:body:input-text', 'embeddings:body:input-or-content'],
      needs,
    },
    async (kit) => {
      const full = kit.taken('embeddings:body:input-list', await embed(kit, many(100)));
      kit.same('embeddings:body:input-list', full.at('data').list().length, 100, 'vectors of 100 texts');
      kit.refused('embeddings:body:input-list', await embed(kit, many(101)), 422);
      for (const input of ['', ['a', '']]) kit.refused('embeddings:body:input-text', await embed(kit, { input }), 422);
      for (const body of [
        {},
        { input: 'a', content: { parts: [{ inlineData: { mimeType: 'text/plain', data: 'YQ==' } }] } },
      ])
        kit.refused('embeddings:body:input-or-content', await embed(kit, body), 422);
    },
  ),
  conformanceCase(
    'takes dimensions, tasks and titles',
    {
      rules: [
        'embeddings:body:dimensions',
        'embeddings:body:task-type',
        'embeddings:body:title',
        'embeddings:body:encoding-format',
      ],
      needs,
    },
    async (kit) => {
      for (const dimensions of [0, 3_073, 1.5, '8'])
        kit.refused('embeddings:body:dimensions', await embed(kit, { input: 'a', dimensions }), 422);
      kit.refused('embeddings:body:task-type', await embed(kit, { input: 'a', task_type: 'NOPE' }), 422);
      for (const more of [{ title: 'A' }, { title: 'A', task_type: 'RETRIEVAL_QUERY' }])
        kit.refused('embeddings:body:title', await embed(kit, { input: 'a', ...more }), 422);
      const packed = kit.taken(
        'embeddings:body:encoding-format',
        await embed(kit, { input: 'a', encoding_format: 'base64' }),
      );
      kit.holds('embeddings:body:encoding-format', packed.at('data', 0, 'embedding').text() !== '', 'no base64');
    },
  ),
  conformanceCase(
    'takes eight tasks, and parts of media as one vector',
    {
      charges: 3,
      rules: [
        'embeddings:body:task-type',
        'embeddings:body:title',
        'embeddings:body:content-parts',
        'embeddings:response:content-one-vector',
      ],
      needs: ['embedding', 'test-mode'],
    },
    async (kit) => {
      for (const task_type of tasks) {
        const { status } = await embed(kit, { input: 'a', task_type });
        kit.same('embeddings:body:task-type', status, 200, `the status of ${task_type}`);
      }
      kit.taken('embeddings:body:title', await embed(kit, { input: 'a', task_type: 'RETRIEVAL_DOCUMENT', title: 'A' }));
      const part = { inlineData: { mimeType: 'image/png', data: mediaSamples.png } };
      const answer = await embed(kit, { content: { parts: [part, part] } });
      // Not every model of embeddings reads images.
      if (answer.status === 422) return;
      const list = kit.taken('embeddings:body:content-parts', answer);
      kit.same('embeddings:response:content-one-vector', list.at('data').list().length, 1, 'vectors of two parts');
      const unknown = await embed(kit, { content: { parts: [{ fileData: { fileUri: `files/${unknownId}` } }] } });
      kit.refused('embeddings:body:content-parts', unknown, 404, 'not_found');
    },
  ),
  conformanceCase(
    'gives vectors again, and refuses a failed repeat',
    { charges: 1, rules: ['idempotency:replay:equal-answer', 'idempotency:header:optional'], needs },
    async (kit) => {
      const identity = identified(kit.fresh('vectors'));
      const first = await embed(kit, { input: 'heron' }, identity);
      const again = await embed(kit, { input: 'heron' }, identity);
      kit.same('idempotency:replay:equal-answer', [again.status, again.text], [200, first.text], 'the vectors again');
      const other = await embed(kit, { input: 'heron' });
      kit.holds(
        'idempotency:header:optional',
        requestIdOf(other) !== requestIdOf(first),
        'two calls are one operation',
      );
    },
  ),
  conformanceCase(
    'cuts no text silently',
    { rules: ['embeddings:response:no-truncation'], needs: ['embedding', 'directives'] },
    async (kit) => {
      kit.refused(
        'embeddings:response:no-truncation',
        await embed(kit, { input: directed('input-limit') }),
        422,
        'input_limit',
      );
    },
  ),
  conformanceCase('stores and searches no vectors', { rules: ['embeddings:scope:no-vector-index'] }, async (kit) => {
    for (const path of ['/embeddings/search', '/vectors', '/indexes']) {
      const { status } = await kit.send({ path, body: {} });
      kit.holds('embeddings:scope:no-vector-index', status === 404 || status === 405, `POST ${path} returns ${status}`);
    }
  }),
];
