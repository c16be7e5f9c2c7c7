import { conformanceCase, type ConformanceCase } from '../kit/conformance-case.ts';
import { ended, made, remove } from './made-resource.ts';

export const resourcesStatesCases: readonly ConformanceCase[] = [
  conformanceCase(
    'refuses to delete what is under way',
    { charges: 1, rules: ['resources:delete:active-execution', 'errors:status:409'], needs: ['chat', 'directives'] },
    async (kit) => {
      const body = kit.body('chat', { input: '[[sandbox: slow 3000]]' });
      const id = (await made(kit, 'resources:delete:active-execution', { path: '/interactions', body }))
        .at('id')
        .text();
      const answer = await kit.send({ method: 'DELETE', path: `/interactions/${id}` });
      kit.refused('resources:delete:active-execution', answer, 409);
      kit.refused('errors:status:409', answer, 409);
      await ended(kit, 'resources:delete:active-execution', { path: `/interactions/${id}` });
      await remove(kit, `/interactions/${id}`);
    },
  ),
  conformanceCase(
    'cancels what is under way, and changes nothing that has ended',
    {
      charges: 1,
      rules: ['resources:cancel:requested', 'resources:cancel:final-unchanged'],
      needs: ['chat', 'directives'],
    },
    async (kit) => {
      const body = kit.body('chat', { input: '[[sandbox: slow 3000]]' });
      const id = (await made(kit, 'resources:cancel:requested', { path: '/interactions', body })).at('id').text();
      await kit.until({ path: `/interactions/${id}` }, ({ json }) => json.at('status').value === 'processing');
      const cancelled = kit.taken(
        'resources:cancel:requested',
        await kit.send({ method: 'POST', path: `/interactions/${id}/cancel` }),
      );
      kit.holds(
        'resources:cancel:requested',
        ['cancelling', 'settling', 'completed', 'failed', 'uncertain'].includes(cancelled.at('status').text()),
        `the status ${cancelled.at('status').text()}`,
      );
      const record = await ended(kit, 'resources:cancel:requested', { path: `/interactions/${id}` });
      const again = kit.taken(
        'resources:cancel:final-unchanged',
        await kit.send({ method: 'POST', path: `/interactions/${id}/cancel` }),
      );
      kit.same('resources:cancel:final-unchanged', again.value, record.value, 'the record of what has ended');
    },
  ),
  conformanceCase(
    'fails what was never handed over, or ends it with what it used',
    { charges: 1, rules: ['resources:cancel:final-unchanged'] },
    async (kit) => {
      const id = (
        await made(kit, 'resources:cancel:final-unchanged', {
          path: '/interactions',
          body: kit.body('chat', { input: 'Hello' }),
        })
      )
        .at('id')
        .text();
      const record = await ended(kit, 'resources:cancel:final-unchanged', { path: `/interactions/${id}` });
      const cancelled = kit.taken(
        'resources:cancel:final-unchanged',
        await kit.send({ method: 'POST', path: `/interactions/${id}/cancel` }),
      );
      kit.same(
        'resources:cancel:final-unchanged',
        [cancelled.at('status').value, cancelled.at('charged_credits').value],
        [record.at('status').value, record.at('charged_credits').value],
        'status and charged_credits',
      );
    },
  ),
  conformanceCase(
    'shows states of a running one, and no result',
    {
      charges: 1,
      rules: ['resources:record:result-when-complete', 'requests:record:states'],
      needs: ['chat', 'directives'],
    },
    async (kit) => {
      const body = kit.body('chat', { input: '[[sandbox: slow 2500]]' });
      const record = await made(kit, 'resources:record:result-when-complete', { path: '/interactions', body });
      const id = record.at('id').text();
      const running = await kit.until(
        { path: `/interactions/${id}` },
        ({ json }) => json.at('status').value === 'processing',
      );
      kit.same(
        'resources:record:result-when-complete',
        [running.json.at('status').value, running.json.at('result').value, running.json.at('completed_at').value],
        ['processing', null, null],
        'status, result and completed_at while it runs',
      );
      const request = await kit.send({ path: `/requests/${id}` });
      kit.same('requests:record:states', request.json.at('status').value, 'processing', 'the status of its request');
      await ended(kit, 'resources:record:result-when-complete', { path: `/interactions/${id}` });
    },
  ),
  conformanceCase(
    'takes no index of content that is no integer of at least 0',
    { charges: 1, rules: ['limits:content-index', 'resources:content:index-missing'] },
    async (kit) => {
      const record = await made(kit, 'limits:content-index', {
        path: '/interactions',
        body: kit.body('chat', { input: 'Hello' }),
      });
      const path = `/interactions/${record.at('id').text()}`;
      await ended(kit, 'limits:content-index', { path });
      for (const index of ['-1', '1.5', 'x'])
        kit.refused('limits:content-index', await kit.send({ path: `${path}/content?index=${index}` }), 422);
      kit.refused(
        'resources:content:index-missing',
        await kit.send({ path: `${path}/content?index=9` }),
        404,
        'not_found',
      );
    },
  ),
];
