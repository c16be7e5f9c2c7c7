import { conformanceCase, type ConformanceCase } from '../kit/conformance-case.ts';
import { contractRoutes, pathOf, resourcePaths, unknownId } from '../kit/routes.ts';
import { uuidPattern } from '../kit/vocabulary.ts';
import { requestIdOf } from '../wire/exchange.ts';
import { upstreamSecret } from '../upstream/refusal-of.ts';
import { directed, hello, say } from './bodies.ts';

const withBody = contractRoutes.filter(({ hasBody }) => hasBody);

const byId = contractRoutes.filter(({ path, hasBody }) => path.includes('{id}') && !hasBody);

export const errorsCases: readonly ConformanceCase[] = [
  conformanceCase(
    'refuses what is no JSON with 400 on every route with a body',
    { rules: ['errors:status:400-invalid-json', 'errors:format:object', 'errors:format:other-routes-object'] },
    async (kit) => {
      for (const route of withBody) {
        const path = pathOf(route, { model: kit.model('chat') });
        const answer = await kit.send({ method: route.method, path, body: '{' });
        // A record that is not there may be said first.
        if (answer.status === 404 && path.includes(unknownId)) continue;
        kit.refused('errors:status:400-invalid-json', answer, 400, 'invalid_json');
        const rule = /^\/(chat|models|files|embeddings)/u.test(path)
          ? 'errors:format:object'
          : 'errors:format:other-routes-object';
        kit.holds(rule, answer.json.at('error', 'message').text() !== '', `no message in object form on ${path}`);
      }
    },
  ),
  conformanceCase(
    'refuses a field outside the contract on every route with a body',
    { rules: ['errors:code:unsupported-parameter'] },
    async (kit) => {
      for (const route of withBody) {
        const path = pathOf(route, { model: kit.model('chat') });
        const answer = await kit.send({ method: route.method, path, body: { no_such_field: 1 } });
        if (answer.status === 404) continue;
        // A family that the model does not serve, and a field that is required, may be said first.
        const code = answer.json.at('error', 'code').text();
        kit.holds(
          'errors:code:unsupported-parameter',
          answer.status === 422 &&
            ['unsupported_parameter', 'model_incompatible', 'invalid_request', 'invalid_messages'].includes(code),
          `${route.method} ${path} returns ${answer.status} ${code}`,
        );
      }
      for (const path of ['/stores', '/agents', '/environments'])
        kit.refused(
          'errors:code:unsupported-parameter',
          await kit.send({ path, body: { no_such_field: 1 } }),
          422,
          'unsupported_parameter',
        );
    },
  ),
  conformanceCase(
    'answers 404 for what is not in the project',
    { rules: ['errors:status:404-not-found', 'errors:format:string', 'requests:get:isolated', 'errors:path:unknown'] },
    async (kit) => {
      for (const route of byId) {
        const answer = await kit.send({ method: route.method, path: pathOf(route, { model: 'x' }) });
        if (route.path === '/requests/{id}') {
          kit.same('requests:get:isolated', answer.status, 404, 'the status of an unknown request');
          kit.holds('errors:format:string', answer.json.at('error').text() !== '', 'the error of a query is no text');
          continue;
        }
        kit.refused('errors:status:404-not-found', answer, 404, 'not_found');
        const odd = await kit.send({ method: route.method, path: pathOf(route, { model: 'x', id: 'not-a-uuid' }) });
        kit.same('errors:path:unknown', odd.status, 404, `the status of ${odd.path}`);
      }
      kit.same(
        'errors:path:unknown',
        (await kit.send({ path: '/no-such-path' })).status,
        404,
        'the status of an unknown path',
      );
    },
  ),
  conformanceCase('answers 405 with the methods of a known path', { rules: ['errors:path:method'] }, async (kit) => {
    for (const [method, path, allowed] of [
      ['PUT', '/models', 'GET'],
      ['DELETE', '/chat/completions', 'POST'],
      ['PUT', '/files', 'POST'],
    ] as const) {
      const { status, headers } = await kit.send({ method, path });
      kit.same('errors:path:method', status, 405, `the status of ${method} ${path}`);
      kit.holds(
        'errors:path:method',
        headers.get('allow')?.includes(allowed) === true,
        `Allow is ${headers.get('allow')}`,
      );
    }
  }),
  conformanceCase(
    'gives what was not registered a fresh id',
    { rules: ['errors:format:unregistered-x-request-id', 'errors:format:request-id', 'errors:status:422'] },
    async (kit) => {
      const answers = [await kit.chat({ messages: [] }), await kit.chat({ messages: [] })];
      const ids = answers.map(requestIdOf);
      kit.holds(
        'errors:format:unregistered-x-request-id',
        ids.every((id) => uuidPattern.test(id)) && ids[0] !== ids[1],
        `the ids are ${ids.join(', ')}`,
      );
      for (const answer of answers) {
        kit.refused('errors:status:422', answer, 422);
        kit.absent(
          'errors:format:request-id',
          answer.json.at('error', 'request_id').value,
          'request_id of what was not registered',
        );
      }
      const { status } = await kit.send({ path: `/requests/${ids[0] ?? ''}` });
      kit.same('errors:format:unregistered-x-request-id', status, 404, 'the status of the request of that id');
    },
  ),
  conformanceCase(
    'answers 502 with an id that can be queried',
    {
      rules: [
        'errors:status:502-request-failed',
        'errors:format:request-id',
        'errors:compat:should-retry',
        'errors:privacy:no-upstream-text',
      ],
      needs: ['chat', 'directives'],
    },
    async (kit) => {
      const answer = await kit.chat(say(directed('fail')));
      kit.refused('errors:status:502-request-failed', answer, 502, 'request_failed');
      const id = answer.json.at('error', 'request_id').text();
      kit.holds('errors:format:request-id', uuidPattern.test(id), 'no request_id');
      kit.same(
        'errors:status:502-request-failed',
        (await kit.send({ path: `/requests/${id}` })).status,
        200,
        'the status of the request',
      );
      kit.same('errors:compat:should-retry', answer.headers.get('x-should-retry'), 'false', 'x-should-retry');
      kit.holds(
        'errors:privacy:no-upstream-text',
        !/sandbox|traceback|at .*\.ts:/iu.test(answer.json.at('error', 'message').text()) &&
          !answer.text.includes(upstreamSecret),
        "the message has the upstream's words",
      );
    },
  ),
  conformanceCase(
    'returns 503 with a time for an upstream that is out of quota',
    { rules: ['limits:rate:upstream-429', 'errors:status:503-service-unavailable'], needs: ['chat', 'directives'] },
    async (kit) => {
      const answer = await kit.chat(say(directed('rate-limited 1')), { wants503: true });
      kit.refused('limits:rate:upstream-429', answer, 503, 'service_unavailable');
      kit.holds(
        'limits:rate:upstream-429',
        /^\d+$/u.test(answer.headers.get('retry-after') ?? ''),
        `Retry-After is ${answer.headers.get('retry-after')}`,
      );
      const down = await kit.chat(say(directed('unavailable')), { wants503: true });
      kit.refused('errors:status:503-service-unavailable', down, 503, 'service_unavailable');
    },
  ),
  conformanceCase(
    'returns 422 for what is too large for the model, and for what the model refuses',
    { rules: ['errors:code:input-limit', 'errors:status:422'], needs: ['chat', 'directives'] },
    async (kit) => {
      kit.refused('errors:code:input-limit', await kit.chat(say(directed('input-limit'))), 422, 'input_limit');
      kit.refused('errors:status:422', await kit.chat(say(directed('invalid'))), 422);
    },
  ),
  conformanceCase('names the field of a refused value', { rules: ['errors:code:invalid-request'] }, async (kit) => {
    const answer = await kit.send({
      path: '/caches',
      body: { ttl_seconds: 0, contents: [{ parts: [{ text: 'x' }] }] },
    });
    kit.refused('errors:code:invalid-request', answer, 422, 'invalid_request');
    kit.holds(
      'errors:code:invalid-request',
      answer.json.at('error', 'message').text().includes('ttl_seconds'),
      'the message does not name ttl_seconds',
    );
  }),
  conformanceCase(
    'keeps models to the routes of their family',
    {
      rules: [
        'errors:code:model-incompatible',
        'embeddings:key:embedding-family',
        'videos:key:video-family',
        'live:create:family',
      ],
    },
    async (kit) => {
      const asks = [
        ['embeddings:key:embedding-family', '/embeddings', { input: 'Hello' }],
        ['videos:key:video-family', '/videos', { prompt: 'A harbour.' }],
        ['live:create:family', '/live', { config: { generationConfig: { responseModalities: ['TEXT'] } } }],
      ] as const;
      for (const [rule, path, body] of asks) {
        const { isBound } = { isBound: kit.body('chat', {}) };
        // A key without a model may choose one that serves the route.
        if ('model' in isBound) continue;
        const answer = await kit.send({ path, body });
        kit.refused(rule, answer, 422, 'model_incompatible');
        kit.refused('errors:code:model-incompatible', answer, 422, 'model_incompatible');
      }
    },
  ),
  conformanceCase(
    'keeps formats to their routes',
    { rules: ['versioning:formats:not-interchangeable'] },
    async (kit) => {
      const rule = 'versioning:formats:not-interchangeable';
      const foreign = [
        ['/chat/completions', { ...hello, contents: [] }],
        ['/chat/completions', { ...hello, input: 'Hello' }],
        [
          `/models/${kit.model('chat')}:generateContent`,
          { contents: [{ role: 'user', parts: [{ text: 'x' }] }], messages: [] },
        ],
        [
          `/models/${kit.model('chat')}:generateContent`,
          { contents: [{ role: 'user', parts: [{ text: 'x' }] }], input: 'x' },
        ],
        ['/interactions', { input: 'Hello', messages: [] }],
        ['/interactions', { input: 'Hello', contents: [] }],
      ] as const;
      for (const [path, body] of foreign)
        kit.refused(rule, await kit.send({ path, body }), 422, 'unsupported_parameter');
    },
  ),
  conformanceCase(
    'lies below its prefix, with every resource type of the contract',
    { rules: ['versioning:prefix', 'versioning:routes:table', 'resources:errors:statuses'] },
    async (kit) => {
      kit.holds('versioning:prefix', new URL(kit.base).pathname === '/api/v1/ai', `the base is ${kit.base}`);
      for (const path of [...Object.values(resourcePaths), '/files', '/webhooks', '/triggers', '/models'])
        kit.same('versioning:routes:table', (await kit.send({ path })).status, 200, `the status of GET ${path}`);
      for (const path of Object.values(resourcePaths))
        kit.same(
          'resources:errors:statuses',
          (await kit.send({ path, key: 'wrong' })).status,
          401,
          `the status of GET ${path} with a wrong key`,
        );
    },
  ),
];
