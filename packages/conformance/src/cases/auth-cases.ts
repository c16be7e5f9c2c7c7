import { conformanceCase, type ConformanceCase } from '../kit/conformance-case.ts';
import { contractRoutes, pathOf } from '../kit/routes.ts';
import { hello } from './bodies.ts';

export const authCases: readonly ConformanceCase[] = [
  conformanceCase(
    'refuses every route without a bearer credential',
    { rules: ['auth:bearer:required'] },
    async (kit) => {
      const key = kit.key('chat');
      const bad: readonly Readonly<Record<string, string>>[] = [
        {},
        { authorization: 'Bearer' },
        { authorization: key },
        { authorization: `Basic ${key}` },
      ];
      for (const route of contractRoutes)
        for (const headers of bad) {
          const path = pathOf(route, { model: kit.model('chat') });
          const answer = await kit.send({
            method: route.method,
            path,
            key: null,
            headers,
            body: route.hasBody ? hello : undefined,
          });
          kit.same('auth:bearer:required', answer.status, 401, `${route.method} ${path} without a key`);
        }
    },
  ),
  conformanceCase('refuses a key that was not issued here', { rules: ['auth:bearer:unknown-key'] }, async (kit) => {
    const own = kit.key('chat');
    const wrong = `${own.slice(0, -1)}${own.endsWith('A') ? 'B' : 'A'}`;
    for (const key of ['sk-of-another-product-0123456789', wrong, `${own}x`, 'x']) {
      kit.refused('auth:bearer:unknown-key', await kit.chat(hello, { key }), 401, 'invalid_api_key');
      const { status } = await kit.send({ path: '/models', key });
      kit.same('auth:bearer:unknown-key', status, 401, 'the status of GET /models');
    }
  }),
  conformanceCase(
    'reads JSON of any charset, and without a type',
    { charges: 2, rules: ['auth:body:content-type', 'errors:body:content-type'] },
    async (kit) => {
      const body = JSON.stringify(kit.body('chat', hello));
      const typed = await kit.chat(body, { headers: { 'content-type': 'application/json; charset=utf-8' } });
      kit.same('auth:body:content-type', typed.status, 200, 'the status with a charset');
      const plain = await kit.chat(body, { headers: { 'content-type': 'text/plain' } });
      kit.refused('errors:body:content-type', plain, 422, 'unsupported_content');
      const bytes = await kit.send({
        path: '/chat/completions',
        body: Buffer.from(body),
        headers: { 'content-type': '' },
      });
      kit.same('errors:body:content-type', bytes.status, 200, 'the status without a type');
    },
  ),
  conformanceCase(
    'binds every operation of a key to one project',
    { charges: 2, rules: ['auth:key:account-and-project'] },
    async (kit) => {
      const first = kit.taken('auth:key:account-and-project', await kit.chat());
      const second = kit.taken('auth:key:account-and-project', await kit.chat());
      kit.same(
        'auth:key:account-and-project',
        second.at(kit.brand, 'project_id').value,
        first.at(kit.brand, 'project_id').value,
        'project_id of two calls',
      );
    },
  ),
  conformanceCase(
    'has no route that lists, creates or changes keys',
    { rules: ['auth:key:not-issued-here', 'auth:key:binding-fixed'] },
    async (kit) => {
      const own = kit.taken('auth:key:binding-fixed', await kit.send({ path: '/models' })).at('selected_model').value;
      for (const path of ['/keys', '/api-keys', '/api_keys', '/projects', '/key'])
        for (const method of ['GET', 'POST', 'PATCH']) {
          const { status } = await kit.send({ method, path, body: method === 'GET' ? undefined : { model: 'x' } });
          kit.holds(
            'auth:key:not-issued-here',
            status === 404 || status === 405,
            `${method} ${path} returns ${status}`,
          );
        }
      const after = kit.taken('auth:key:binding-fixed', await kit.send({ path: '/models' })).at('selected_model').value;
      kit.same('auth:key:binding-fixed', after, own, 'selected_model');
    },
  ),
  conformanceCase(
    'shares requests, files and resources among the keys of a project',
    { charges: 1, rules: ['auth:project:shared', 'idempotency:scope:project'], needs: ['chat', 'sibling'] },
    async (kit) => {
      const identity = kit.fresh('shared');
      const headers = { 'idempotency-key': identity };
      const body = JSON.stringify({ messages: [{ role: 'user', content: 'Hello' }], model: `${kit.brand}-auto` });
      const first = await kit.chat(body, { headers });
      const id = kit.taken('auth:project:shared', first).at(kit.brand, 'request_id').text();
      const again = await kit.chat(body, { headers, by: 'sibling' });
      kit.same(
        'idempotency:scope:project',
        [again.status, again.text],
        [200, first.text],
        'the repeat by another key of the project',
      );
      const record = kit.taken('auth:project:shared', await kit.send({ path: `/requests/${id}`, by: 'sibling' }));
      kit.fields('auth:project:shared', record, { id, status: 'completed' });
      const store = kit
        .taken('auth:project:shared', await kit.send({ path: '/stores', body: {} }))
        .at('id')
        .text();
      kit.taken('auth:project:shared', await kit.send({ path: `/stores/${store}`, by: 'sibling' }));
      await kit.send({ method: 'DELETE', path: `/stores/${store}` });
    },
  ),

  conformanceCase(
    'chooses a model for a key that is bound to none',
    { charges: 1, rules: ['auth:key:unbound-automatic', 'models:list:unbound-selected-model'], needs: ['unbound'] },
    async (kit) => {
      const list = kit.taken('models:list:unbound-selected-model', await kit.send({ by: 'unbound', path: '/models' }));
      kit.same(
        'models:list:unbound-selected-model',
        list.at('selected_model').value,
        `${kit.brand}-auto`,
        'selected_model',
      );
      const answer = kit.taken(
        'auth:key:unbound-automatic',
        await kit.send({ by: 'unbound', path: '/chat/completions', body: hello }),
      );
      kit.holds(
        'auth:key:unbound-automatic',
        list
          .at('data')
          .list()
          .some((row) => row.at('id').value === answer.at('model').value),
        `the model ${answer.at('model').text()} is not in the catalog`,
      );
    },
  ),
];
