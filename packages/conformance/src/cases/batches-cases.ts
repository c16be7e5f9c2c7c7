import { conformanceCase, type ConformanceCase } from '../kit/conformance-case.ts';
import type { Kit } from '../kit/kit.ts';
import type { RuleId } from '../rules/rules.ts';
import { contents, directed } from './bodies.ts';
import { finished, made, remove } from './made-resource.ts';

const path = '/batches';
const entry = (key: unknown, request: unknown = contents('Hello')) => ({ key, request });
const batchOf = (...keys: readonly string[]): object => ({ requests: keys.map((key) => entry(key)) });

const refused = async (kit: Kit, rule: RuleId, bodies: readonly object[]): Promise<void> => {
  for (const body of bodies) kit.refused(rule, await kit.send({ path, body }), 422);
};

export const batchesCases: readonly ConformanceCase[] = [
  conformanceCase(
    'runs every item and returns its result by its key',
    {
      charges: 1,
      rules: [
        'batches:body:fields',
        'batches:record:counts',
        'batches:result:item-shape',
        'batches:result:keyed-any-order',
        'ledger:charged:batch-items',
        'batches:tariff:per-item',
        'batches:item:generate-shape',
      ],
    },
    async (kit) => {
      const body = { display_name: 'Night run', ...batchOf('a', 'b', 'c') };
      const record = await finished(kit, 'batches:body:fields', { path, body });
      kit.same(
        'batches:body:fields',
        [record.at('status').value, record.at('display_name').value],
        ['completed', 'Night run'],
        'status and display_name',
      );
      kit.same(
        'batches:record:counts',
        [record.at('request_count').value, record.at('completed_count').value, record.at('failed_count').value],
        [3, 3, 0],
        'request_count, completed_count and failed_count',
      );
      const results = record.at('result', 'results').list();
      kit.same(
        'batches:result:keyed-any-order',
        results.map((one) => one.at('key').text()).toSorted(),
        ['a', 'b', 'c'],
        'the keys of the results',
      );
      kit.holds(
        'batches:result:item-shape',
        results.every(
          (one) => one.at('status').value === 'completed' && one.at('response', 'candidates').list().length > 0,
        ),
        'an item is not completed or has no response',
      );
      kit.holds('ledger:charged:batch-items', record.at('charged_credits').number() > 0, 'a batch costs nothing');
      const told = results.map((one) => one.at('credits').number());
      if (told.every(Number.isFinite))
        kit.holds(
          'batches:tariff:per-item',
          Math.abs(told.reduce((sum, one) => sum + one, 0) - record.at('charged_credits').number()) < 5e-6,
          'charged_credits are not the sum of the items',
        );
      await remove(kit, `${path}/${record.at('id').text()}`);
    },
  ),
  conformanceCase(
    'takes 1 to 100 requests with keys of their own',
    {
      rules: [
        'batches:body:max-100',
        'batches:body:not-empty',
        'batches:item:key-rules',
        'batches:item:generate-shape',
        'batches:body:fields',
      ],
    },
    async (kit) => {
      await refused(kit, 'batches:body:not-empty', [{ requests: [] }]);
      await refused(kit, 'batches:body:max-100', [batchOf(...Array.from({ length: 101 }, (_, at) => `k${at}`))]);
      await refused(kit, 'batches:item:key-rules', [batchOf(''), batchOf('a', 'a'), batchOf('k'.repeat(129))]);
      await refused(kit, 'batches:body:fields', [
        {},
        { requests: {} },
        { requests: [{ key: 'a' }] },
        { requests: [{ request: contents('x') }] },
        { ...batchOf('a'), display_name: 7 },
      ]);
      const wrong = [
        { ...contents('x'), model: kit.model('chat') },
        { messages: [{ role: 'user', content: 'Hello' }] },
        { input: 'Hello' },
      ];
      await refused(
        kit,
        'batches:item:generate-shape',
        wrong.map((request) => ({ requests: [entry('a', request)] })),
      );
    },
  ),
  conformanceCase(
    'completes although some items fail',
    {
      charges: 1,
      rules: ['batches:result:partial-failures', 'batches:record:counts', 'batches:result:item-shape'],
      needs: ['chat', 'directives'],
    },
    async (kit) => {
      const requests = [entry('good'), entry('bad', contents(directed('fail')))];
      const record = await finished(kit, 'batches:result:partial-failures', { path, body: { requests } });
      kit.same('batches:result:partial-failures', record.at('status').value, 'completed', 'status');
      const bad = record
        .at('result', 'results')
        .list()
        .find((one) => one.at('key').value === 'bad');
      kit.same(
        'batches:result:partial-failures',
        bad?.at('status').value,
        'failed',
        'the status of the item that fails',
      );
      kit.holds(
        'batches:result:item-shape',
        bad?.at('error', 'code').text() !== '' && bad?.at('error', 'message').text() !== '',
        'its error lacks code or message',
      );
      kit.same(
        'batches:record:counts',
        [record.at('completed_count').value, record.at('failed_count').value],
        [1, 1],
        'completed_count and failed_count',
      );
    },
  ),
  conformanceCase(
    'stops what is left when it is cancelled, and charges what ran',
    {
      charges: 1,
      rules: ['resources:cancel:requested', 'resources:cancel:ends-completed', 'resources:cancel:keeps-charge'],
      needs: ['chat', 'directives'],
    },
    async (kit) => {
      const slow = contents(directed('slow 1500'));
      const requests = Array.from({ length: 30 }, (_, at) => entry(`k${at}`, slow));
      const id = (await made(kit, 'resources:cancel:requested', { path, body: { requests } })).at('id').text();
      await kit.until({ path: `${path}/${id}` }, ({ json }) => json.at('status').value === 'processing');
      kit.taken('resources:cancel:requested', await kit.send({ method: 'POST', path: `${path}/${id}/cancel` }));
      const answer = await kit.until({ path: `${path}/${id}` }, ({ json }) =>
        ['completed', 'failed', 'uncertain'].includes(json.at('status').text()),
      );
      const status = answer.json.at('status').text();
      // What was never handed over may also end failed.
      if (status === 'failed') return;
      kit.same('resources:cancel:ends-completed', status, 'completed', 'status in the end');
      const results = answer.json.at('result', 'results').list();
      kit.holds(
        'resources:cancel:ends-completed',
        results.some((one) => one.at('status').value === 'cancelled'),
        'no item is cancelled',
      );
      const ran = results.filter((one) => one.at('status').value === 'completed').length;
      kit.holds(
        'resources:cancel:keeps-charge',
        ran === 0 || answer.json.at('charged_credits').number() > 0,
        'what ran is not charged',
      );
    },
  ),
  conformanceCase(
    'embeds items with a model of embeddings',
    { rules: ['batches:item:embedding-shape'], needs: ['embedding'] },
    async (kit) => {
      if ('model' in kit.body('embedding', {})) return;
      const requests = [entry('texts', { input: ['one', 'two'] })];
      const record = await finished(kit, 'batches:item:embedding-shape', { by: 'embedding', path, body: { requests } });
      kit.same(
        'batches:item:embedding-shape',
        record.at('result', 'results', 0, 'response', 'data').list().length,
        2,
        'vectors of the item',
      );
      kit.refused('batches:item:embedding-shape', await kit.send({ by: 'embedding', path, body: batchOf('a') }), 422);
    },
  ),
];
