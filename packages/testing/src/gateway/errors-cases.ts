import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import {
  errorTable,
  firstRoundErrorCodes,
  hostErrorCodes,
  routes,
  type Route,
  secondRoundErrorCodes,
  specErrorCodes,
} from '@tollgate/contract';
import type { Generation } from '@tollgate/provider';
import { assertRefused, assertTextError, jsonOf, okJson, requestIdOf, uuidPattern, type Answer } from './answer.ts';
import { gatewayCase, type GatewayCase } from './gateway-case.ts';
import { greeting } from './gateway-world.ts';
import { suiteModel } from './suite-tariff.ts';

const nowhere = '01900000-0000-7000-8000-000000000000';
/** Routes with a body; an unknown id in the path is reported first. */
const bodyRoutes = routes
  .filter(({ request, path }) => request !== null && !/id\}/.test(path))
  .map(({ path }) => ({ path: path.replace('{model}', suiteModel) }));
/** What a faulty provider might answer: the type says otherwise, so the fields are put in past it. */
const malformed: Partial<Generation> = Object.assign<object, object>({}, { usage: null, functionCalls: 7 });
const once = { headers: { 'idempotency-key': 'once' } };

/** What an answer says of a repeat. */
const adviceOf = ({ status, headers }: Answer) => [status, headers.get('x-should-retry'), headers.get('retry-after')];

/** What goes wrong, and how it is reported. */
export const errorsCases: readonly GatewayCase[] = [
  gatewayCase('answers 400 to what is no JSON [errors:status:400-invalid-json]', async (world) => {
    for (const { path } of bodyRoutes)
      for (const body of ['{', '', 'hello', '{"a":1}x', "{'a':1}", Buffer.from([0x22, 0xff, 0x22])])
        assertRefused(await world.send({ path, body }), 400, 'invalid_json');
    assert.equal(world.provider.calls.length, 0);
  }),
  gatewayCase('answers 422 to JSON that is no object', async (world) => {
    for (const body of ['[]', 'null', '7', '"text"']) assertRefused(await world.chat(body), 422, 'invalid_request');
  }),
  gatewayCase('answers 402 while the balance does not cover the estimate [errors:status:402]', async (world) => {
    const poor = await world.createCaller({
      projectId: await world.createProject(await world.createAccount(0n)),
      model: suiteModel,
    });
    assertRefused(await world.chat(undefined, { key: poor.key }), 402, 'ai_insufficient_credits');
    const { promise: until, resolve } = Promise.withResolvers<void>();
    world.provider.script({ kind: 'wait', until, next: { kind: 'answer' } });
    const holding = world.chat();
    await world.provider.received(1);
    const hold = (await world.wallet.read(world.accountId)).reservedMicros;
    const tight = await world.createAccount(hold + hold / 2n);
    const { key } = await world.createCaller({ projectId: await world.createProject(tight), model: suiteModel });
    world.provider.script({ kind: 'wait', until, next: { kind: 'answer' } });
    const first = world.chat(undefined, { key });
    await world.provider.received(2);
    const error = assertRefused(await world.chat(undefined, { key }), 402, 'ai_insufficient_credits');
    // A host's own wallet tells no available amount.
    const message = error.at('message').text();
    assert.ok(message.includes(`needs ${Number(hold) / 1_000_000} credits`), message);
    resolve();
    okJson(await holding);
    okJson(await first);
    assert.equal(world.provider.calls.length, 2);
  }),
  gatewayCase(
    'answers 413 to a body that is too large, of known length or not [errors:status:413-body-too-large]',
    async (world) => {
      const large = Buffer.alloc(2_000_001, 'a');
      assertRefused(await world.chat(large), 413, 'body_too_large');
      // A stream has no length that could be declared.
      assertRefused(await world.chat(new Blob([large]).stream()), 413, 'body_too_large');
      assert.equal(world.provider.calls.length, 0);
    },
  ),
  gatewayCase('answers 422 to content, fields and models that do not fit [errors:status:422]', async (world) => {
    assertRefused(await world.chat({ ...greeting, temperature: 'warm' }), 422, 'invalid_temperature');
    assertRefused(await world.chat({ ...greeting, unknown: 1 }), 422, 'unsupported_parameter');
    assertRefused(await world.chat({ ...greeting, model: 'pro-2.5' }), 422, 'model_key_mismatch');
    const plain = await world.createCaller({ projectId: world.projectId, model: 'open-4-31b-it' });
    const tools = [{ type: 'code_execution' }];
    assertRefused(await world.chat({ ...greeting, tools }, { key: plain.key }), 422, 'model_incompatible');
    const video = await world.createCaller({ projectId: world.projectId, model: 'video-3.1-generate-preview' });
    assertRefused(await world.chat(undefined, { key: video.key }), 422, 'model_incompatible');
  }),
  gatewayCase("refuses the id of another model than the key's [errors:code:model-key-mismatch]", async (world) => {
    for (const model of ['pro-2.5', 'no-such-model'])
      assertRefused(await world.chat({ ...greeting, model }), 422, 'model_key_mismatch');
    okJson(await world.chat({ ...greeting, model: suiteModel }));
    assert.equal(world.provider.calls.length, 1);
  }),
  gatewayCase('answers 502 with the id of what was not completed [errors:status:502-request-failed]', async (world) => {
    world.provider.script({ kind: 'not_executed', reason: 'failed' });
    const answer = await world.chat();
    const error = assertRefused(answer, 502, 'request_failed');
    assert.equal(requestIdOf(answer), error.at('request_id').text());
    assert.equal((await world.record(error.at('request_id').text())).at('status').value, 'failed');
  }),
  gatewayCase(
    'answers 503 while the provider is out of service [errors:status:503-service-unavailable]',
    async (world) => {
      world.provider.script({ kind: 'not_executed', reason: 'unavailable' });
      assertRefused(await world.chat(), 503, 'service_unavailable');
      okJson(await world.chat());
    },
  ),
  gatewayCase('tells the first caller of an unknown outcome [errors:uncertain:first-answer]', async (world) => {
    world.provider.script({ kind: 'unknown' });
    const error = assertRefused(await world.chat(), 502, 'request_failed');
    const record = await world.record(error.at('request_id').text());
    assert.deepEqual([record.at('status').value, record.at('error_code').value], ['uncertain', 'settlement_pending']);
  }),
  gatewayCase('answers 422 to input that is too large for the model [errors:code:input-limit]', async (world) => {
    world.provider.script({ kind: 'not_executed', reason: 'input_limit' });
    assertRefused(await world.chat(), 422, 'input_limit');
  }),
  gatewayCase('knows the codes of the contract and of the decisions [errors:code:extra-codes]', async (world) => {
    assert.deepEqual(
      Object.keys(errorTable).toSorted(),
      [...specErrorCodes, ...firstRoundErrorCodes, ...secondRoundErrorCodes, ...hostErrorCodes].toSorted(),
    );
    assert.deepEqual(firstRoundErrorCodes, ['not_found', 'rate_limited', 'request_cancelled', 'model_incompatible']);
    assertRefused(await world.send({ path: '/nowhere' }), 404, 'not_found');
  }),
  gatewayCase('tells errors of queries as a message [errors:format:string]', async (world) => {
    for (const path of ['/models', `/models/${suiteModel}`, `/requests/${nowhere}`])
      assertTextError(await world.send({ path, key: 'x' }), 401);
    for (const path of ['/models/nope', `/requests/${nowhere}`, '/requests/x'])
      assertTextError(await world.send({ path }), 404);
  }),
  gatewayCase('names an operation exactly when it is registered [errors:format:request-id]', async (world) => {
    const refused = assertRefused(await world.chat({ ...greeting, temperature: 3 }), 422, 'invalid_temperature');
    assert.equal(refused.at('request_id').value, undefined);
    world.provider.script({ kind: 'unknown' });
    const registered = assertRefused(await world.chat(), 502, 'request_failed');
    assert.match(registered.at('request_id').text(), uuidPattern);
    await world.record(registered.at('request_id').text());
  }),
  gatewayCase('carries X-Request-Id on every error [errors:format:x-request-id]', async (world) => {
    // Presence and form are swept on each answer of the suite; here it is compared with the operation it names.
    world.provider.script({ kind: 'not_executed', reason: 'failed' });
    const answer = await world.chat(greeting, once);
    assert.equal(requestIdOf(answer), assertRefused(answer, 502, 'request_failed').at('request_id').value);
    const repeat = await world.chat(greeting, once);
    assert.equal(requestIdOf(repeat), assertRefused(repeat, 409, 'previous_request_failed').at('request_id').value);
  }),
  gatewayCase(
    'gives a fresh id to what was not registered [errors:format:unregistered-x-request-id]',
    async (world) => {
      const ids = [requestIdOf(await world.chat({})), requestIdOf(await world.chat({}))];
      assert.notEqual(ids[0], ids[1]);
      for (const id of ids) {
        assert.match(id, uuidPattern);
        assertTextError(await world.send({ path: `/requests/${id}` }), 404);
      }
    },
  ),
  gatewayCase('tells clients not to repeat what is registered', async (world) => {
    world.provider.script({ kind: 'unknown' }, { kind: 'not_executed', reason: 'failed' });
    const answers = [await world.chat(greeting, once), await world.chat(greeting, once), await world.chat()];
    assert.deepEqual(
      answers.map(({ status, headers }) => [status, headers.get('x-should-retry'), headers.get('retry-after')]),
      [
        [502, 'false', null],
        [409, 'false', null],
        [502, 'false', null],
      ],
    );
    assert.equal((await world.chat({})).headers.get('x-should-retry'), null);
  }),
  gatewayCase('tells clients when to repeat what certainly did not run', async (world) => {
    const refused = { kind: 'not_executed', reason: 'unavailable', retryAfterMs: 7_000 } as const;
    world.provider.script(refused, refused, { kind: 'not_executed', reason: 'unavailable' });
    assert.deepEqual(adviceOf(await world.chat()), [503, 'true', '7']);
    // A repeat brings the same identity, and that one has ended.
    assert.deepEqual(adviceOf(await world.chat(greeting, once)), [503, 'false', null]);
    assert.deepEqual(adviceOf(await world.chat()), [503, 'true', '1']);
  }),
  gatewayCase('answers 405 with the methods of a known path [errors:path:method]', async (world) => {
    const put = await world.send({ method: 'PUT', path: '/models', body: {} });
    assertRefused(put, 405, 'method_not_allowed');
    assert.equal(put.headers.get('allow'), 'GET');
    const get = await world.send({ path: '/chat/completions' });
    assertRefused(get, 405, 'method_not_allowed');
    assert.equal(get.headers.get('allow'), 'POST');
    assert.equal((await world.send({ method: 'DELETE', path: `/requests/${nowhere}` })).headers.get('allow'), 'GET');
  }),
  gatewayCase('tells errors of all other routes as an object [errors:format:object]', async (world) => {
    const guarded: readonly Route[] = routes.filter((route: Route) => route.isPublic !== true);
    for (const { method, path, request, errorForm } of guarded) {
      if (errorForm !== 'object') continue;
      const body = request === null ? {} : { body: greeting };
      const error = assertRefused(await world.send({ method, path, key: 'x', ...body }), 401, 'invalid_api_key');
      assert.deepEqual(error.keys(), ['code', 'message']);
    }
    world.provider.script({ kind: 'not_executed', reason: 'failed' });
    const registered = assertRefused(await world.chat(), 502, 'request_failed');
    assert.deepEqual(registered.keys(), ['code', 'message', 'request_id']);
  }),
  gatewayCase(
    'refuses unknown fields on every route with a body [errors:code:unsupported-parameter]',
    async (world) => {
      for (const { path } of bodyRoutes) {
        const error = assertRefused(await world.send({ path, body: { surprise: 1 } }), 422, 'unsupported_parameter');
        assert.ok(error.at('message').text().includes('surprise'));
      }
    },
  ),
  gatewayCase(
    'answers 404 to an unknown path, and to an id that is none like to an unknown one [errors:path:unknown]',
    async (world) => {
      for (const path of ['/', '/nowhere', '/model', '/models/a/b', '/chat', '/chat/completions/x'])
        assertRefused(await world.send({ path }), 404, 'not_found');
      const byId = routes.filter(({ path }) => /_?id\}$/.test(path));
      assert.ok(byId.length > 0);
      for (const { method, path } of byId) {
        const [random, noUuid] = await Promise.all(
          [nowhere, 'not-a-uuid'].map((id) => world.send({ method, path: path.replaceAll(/\{\w+\}/g, id) })),
        );
        assert.equal(noUuid?.status, 404, `${method} ${path}`);
        assert.equal(noUuid?.text, random?.text);
      }
    },
  ),
  gatewayCase(
    'refuses bodies of other types, and reads one of none as JSON [errors:body:content-type]',
    async (world) => {
      for (const type of [
        'text/plain',
        'application/x-www-form-urlencoded',
        'application/jsonp',
        'multipart/form-data',
      ])
        assertRefused(await world.chat(undefined, { headers: { 'content-type': type } }), 422, 'unsupported_content');
      okJson(await world.chat(undefined, { headers: { 'content-type': '' } }));
      assert.equal(world.provider.calls.length, 1);
    },
  ),
  gatewayCase('refuses bodies in a content coding, by its name, on every route', async (world) => {
    const headers = { 'content-encoding': 'gzip' };
    for (const { path } of bodyRoutes) {
      const error = assertRefused(
        await world.send({ path, body: gzipSync('{}'), headers }),
        422,
        'unsupported_content',
      );
      assert.match(error.at('message').text(), /Content-Encoding/);
    }
    okJson(await world.chat(undefined, { headers: { 'content-encoding': 'identity' } }));
    okJson(await world.chat(undefined, { headers: { 'content-encoding': '' } }));
    assert.equal(world.provider.calls.length, 2);
  }),
  gatewayCase('reveals nothing of the provider in an error [errors:privacy:no-upstream-text]', async (world) => {
    world.provider.script(
      { kind: 'unknown' },
      ...(['failed', 'unavailable', 'invalid_request', 'unsupported', 'input_limit', 'rate_limited'] as const).map(
        (reason) => ({ kind: 'not_executed', reason }) as const,
      ),
    );
    for (let turn = 0; turn < 7; turn += 1) {
      const answer = await world.chat();
      assert.notEqual(answer.status, 200);
      const { upstreamModel } = world.provider.calls.at(-1)?.call ?? { upstreamModel: '' };
      assert.ok(upstreamModel !== '' && !answer.text.includes(upstreamModel));
      assert.ok(!/scripted|not executed|Error:| at /.test(answer.text), answer.text);
    }
    assert.ok(world.logged().includes('scripted: the outcome is unknown'), 'the log keeps the cause');
  }),
  gatewayCase('responds with the statuses of the contract only [errors:status:vocabulary]', async (world) => {
    // Statuses are swept on each answer of the suite; these are the ones that are easily got wrong.
    const raw = [
      await world.send({ method: 'OPTIONS', path: '/models' }),
      await world.send({ method: 'HEAD', path: '/nowhere' }).catch(() => null),
      await world.send({ path: '/%zz' }),
      await world.send({ path: '/models/%zz' }),
      await world.chat(undefined, { headers: { expect: '' } }).catch(() => null),
      await world.chat('{"messages":[{"role":"user","content":"\\ud800"}]}'),
      await world.chat(`{"messages":${'['.repeat(50_000)}${']'.repeat(50_000)}}`),
      await world.chat('{"__proto__":{"messages":1},"messages":[{"role":"user","content":"Hello"}]}'),
    ];
    for (const answer of raw)
      if (answer !== null) assert.ok([200, 404, 405, 422].includes(answer.status), `${answer.status} ${answer.text}`);
    world.provider.script({ kind: 'answer', generation: malformed });
    const broken = await world.chat();
    assert.ok([502, 503].includes(broken.status), String(broken.status));
    assert.ok(jsonOf(JSON.parse(broken.text)).at('error', 'code').text().length > 0);
  }),
];
