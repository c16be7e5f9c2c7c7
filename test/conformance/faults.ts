import { createHash } from 'node:crypto';
import type { Fault, PassingAnswer, PassingRequest } from './wrong-gateway.ts';

type Change = (answer: PassingAnswer, request: PassingRequest) => PassingAnswer;

type Json = Record<string, unknown>;

const parsed = (text: string): Json | null => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Json) : null;
  } catch {
    return null;
  }
};

/** Changes a body that is a JSON object. */
const json = (answer: PassingAnswer, change: (body: Json) => unknown): PassingAnswer => {
  const body = parsed(answer.body);
  return body === null ? answer : { ...answer, body: JSON.stringify(change(body)) };
};

/** Changes the error of a response in object form. */
const error = (answer: PassingAnswer, change: (body: Json) => unknown): PassingAnswer =>
  json(answer, (body) =>
    typeof body['error'] === 'object' && body['error'] !== null
      ? { ...body, error: change(body['error'] as Json) }
      : body,
  );

const without = (answer: PassingAnswer, name: string): PassingAnswer => {
  const { [name]: _, ...headers } = answer.headers;
  return { ...answer, headers };
};

const codeOf = ({ body }: PassingAnswer): unknown => (parsed(body)?.['error'] as Json | undefined)?.['code'];

const to = (method: string, pattern: RegExp) => (request: PassingRequest) =>
  request.method === method && pattern.test(request.path.split('?')[0] ?? '');

const chat = to('POST', /^\/chat\/completions$/u);
const records = to('GET', /^\/requests\/[^/]+$/u);
const isOk = ({ status }: PassingAnswer): boolean => status === 200;
const isStream = ({ headers }: PassingAnswer): boolean =>
  headers['content-type']?.startsWith('text/event-stream') === true;

/** Removes one field of a JSON request before the gateway sees it: as if the gateway ignored it. */
const ignoring =
  (...names: readonly string[]) =>
  (request: PassingRequest): PassingRequest => {
    const body = parsed(request.body.toString());
    if (body === null || Array.isArray(body)) return request;
    for (const name of names) delete body[name];
    return { ...request, body: Buffer.from(JSON.stringify(body)) };
  };

const withStatus =
  (from: number, status: number, code?: string): Change =>
  (answer) =>
    answer.status === from && (code === undefined || codeOf(answer) === code) ? { ...answer, status } : answer;

const renamed =
  (from: string, code: string): Change =>
  (answer) =>
    codeOf(answer) === from ? error(answer, (body) => ({ ...body, code })) : answer;

const headerGone =
  (name: string): Change =>
  (answer) =>
    without(answer, name);

const onOk =
  (change: (body: Json) => unknown): Change =>
  (answer) =>
    isOk(answer) ? json(answer, change) : answer;

/** Wrong statuses, codes and headers. */
const errorFaults: readonly Fault[] = [
  { what: 'returns 400 where a field is invalid', rule: 'chat:temperature:range', answer: withStatus(422, 400) },
  { what: 'returns 200 for an error', rule: 'errors:status:400-invalid-json', answer: withStatus(400, 200) },
  {
    what: 'returns 500 for a failed execution',
    rule: 'errors:status:vocabulary',
    only: 'ledger:failed:no-debit',
    answer: withStatus(502, 500),
  },
  {
    what: 'returns 409 for another model',
    rule: 'errors:code:mismatch-is-422',
    answer: withStatus(422, 409, 'model_key_mismatch'),
  },
  { what: 'returns 403 for what is in another project', rule: 'auth:project:isolated', answer: withStatus(404, 403) },
  {
    what: 'names another code for an unknown key',
    rule: 'auth:bearer:unknown-key',
    answer: renamed('invalid_api_key', 'unauthorized'),
  },
  {
    what: 'uses a code of its own',
    rule: 'errors:code:extra-codes',
    only: 'interactions:body:unknown-fields',
    answer: renamed('unsupported_parameter', 'unknown_field'),
  },
  {
    what: 'gives a code another status',
    rule: 'errors:code:status-table',
    only: 'chat:messages:role',
    answer: withStatus(422, 400, 'invalid_role'),
  },
  {
    what: 'tells errors of queries as objects',
    rule: 'errors:format:string',
    answer: (answer, request) =>
      request.method === 'GET' && /^\/(models|requests)/u.test(request.path)
        ? json(answer, (body) =>
            typeof body['error'] === 'string' ? { error: { code: 'not_found', message: body['error'] } } : body,
          )
        : answer,
  },
  {
    what: 'sends no X-Request-Id with an error',
    rule: 'errors:format:x-request-id',
    only: 'models:get:unknown',
    answer: (answer) => (answer.status >= 400 ? without(answer, 'x-request-id') : answer),
  },
  {
    what: 'names a request that it did not register',
    rule: 'errors:format:request-id',
    answer: (answer) =>
      answer.status === 422
        ? error(answer, (body) => ({ ...body, request_id: answer.headers['x-request-id'] }))
        : answer,
  },
  {
    what: 'sends no Retry-After when the upstream is out of quota',
    rule: 'limits:rate:upstream-429',
    answer: headerGone('retry-after'),
  },
  {
    what: 'lets clients repeat a failed call',
    rule: 'errors:compat:should-retry',
    answer: headerGone('x-should-retry'),
  },
  { what: 'sends no Allow', rule: 'errors:path:method', answer: headerGone('allow') },
  {
    what: 'redirects',
    rule: 'auth:host:no-redirect',
    only: 'models:get:unknown',
    about: to('GET', /^\/models\/[^/]+$/u),
    answer: (answer) =>
      answer.status === 404
        ? { ...answer, status: 307, headers: { ...answer.headers, location: '/elsewhere' } }
        : answer,
  },
  {
    what: 'serves without a key',
    rule: 'auth:bearer:required',
    about: to('GET', /^\/webhooks$/u),
    answer: (answer) =>
      answer.status === 401 ? { ...answer, status: 200, body: '{"object":"list","data":[]}' } : answer,
  },
  {
    what: 'echoes the key',
    rule: 'auth:key:never-echoed',
    only: 'chat:response:fields',
    about: chat,
    answer: (answer, { headers }) => ({
      ...answer,
      headers: { ...answer.headers, 'x-caller': headers['authorization'] ?? '' },
    }),
  },
];

/** What a request may say, taken too lightly. */
const requestFaults: readonly Fault[] = [
  {
    what: 'ignores fields that it does not know',
    rule: 'chat:request:unsupported-field',
    ask: ignoring('no_such_field', 'conversation_id', 'contents', 'input'),
  },
  {
    what: 'ignores stream options without a stream',
    rule: 'chat:stream-options:needs-stream',
    ask: (request) => (request.body.includes('"stream":true') ? request : ignoring('stream_options')(request)),
  },
  {
    what: 'ignores the Idempotency-Key',
    rule: 'idempotency:replay:equal-answer',
    ask: (request) => {
      const { 'idempotency-key': _, ...headers } = request.headers;
      return { ...request, headers };
    },
  },
  {
    what: 'cuts an Idempotency-Key that is too long',
    rule: 'idempotency:header:length',
    ask: (request) => ({
      ...request,
      headers: {
        ...request.headers,
        ...(request.headers['idempotency-key'] === undefined
          ? {}
          : { 'idempotency-key': request.headers['idempotency-key'].slice(0, 128) }),
      },
    }),
  },
  { what: 'compares bodies as JSON', rule: 'idempotency:body:exact-bytes', ask: ignoring() },
  {
    what: 'takes an identity for one route alone',
    rule: 'idempotency:body:other-route',
    ask: (request) => ({
      ...request,
      headers: {
        ...request.headers,
        ...(request.headers['idempotency-key'] === undefined
          ? {}
          : {
              'idempotency-key': createHash('sha256')
                .update(request.path.split('?')[0] ?? '')
                .update(request.headers['idempotency-key'])
                .digest('hex'),
            }),
      },
    }),
  },
];

/** What a response says, told wrongly. */
const answerFaults: readonly Fault[] = [
  {
    what: 'gives another answer again',
    rule: 'idempotency:replay:equal-answer',
    about: chat,
    answer: (answer) =>
      answer.headers['idempotency-replayed'] === 'true'
        ? json(answer, (body) => ({ ...body, created: Number(body['created']) + 1 }))
        : answer,
  },
  {
    what: 'does not say that an answer is a repeat',
    rule: 'chat:response:headers-idempotency-replayed',
    answer: headerGone('idempotency-replayed'),
  },
  { what: 'lets caches keep answers', rule: 'chat:response:headers-no-store', answer: headerGone('cache-control') },
  {
    what: 'tells credits as text',
    rule: 'ledger:numbers:json',
    only: 'requests:get:record',
    about: records,
    answer: onOk((body) => ({ ...body, charged_credits: String(body['charged_credits']) })),
  },
  {
    what: 'charges twice what it told',
    rule: 'requests:record:credits',
    about: records,
    answer: onOk((body) => ({ ...body, charged_credits: Number(body['charged_credits']) * 2 })),
  },
  {
    what: 'debits the wallet twice',
    rule: 'ledger:settle:debit-measured',
    about: to('GET', /^\/account\/balance$/u),
    answer: onOk((body) => ({
      ...body,
      balance_credits: (2 * Number(body['balance_credits']) - 1_000_000).toFixed(6),
    })),
  },
  {
    what: 'keeps the hold of what is settled',
    rule: 'ledger:settle:release-surplus',
    about: records,
    answer: onOk((body) => ({
      ...body,
      reserved_credits: body['status'] === 'completed' ? 0.5 : body['reserved_credits'],
    })),
  },
  {
    what: 'charges what failed',
    rule: 'ledger:failed:no-debit',
    about: records,
    answer: onOk((body) => ({
      ...body,
      charged_credits: body['status'] === 'failed' ? 0.01 : body['charged_credits'],
    })),
  },
  {
    what: 'fails what is uncertain',
    rule: 'requests:move:processing-uncertain',
    about: records,
    answer: onOk((body) => ({ ...body, status: body['status'] === 'uncertain' ? 'failed' : body['status'] })),
  },
  {
    what: 'shows a state of its own',
    rule: 'requests:record:states',
    about: records,
    answer: onOk((body) => ({ ...body, status: body['status'] === 'completed' ? 'succeeded' : body['status'] })),
  },
  {
    what: 'names another model',
    rule: 'chat:response:public-model',
    about: chat,
    answer: onOk((body) => ({ ...body, model: 'upstream-model-1' })),
  },
  {
    what: 'leaves the prefix of the id out',
    rule: 'chat:response:id',
    about: chat,
    answer: onOk((body) => ({ ...body, id: String(body['id']).replace('chatcmpl-', '') })),
  },
  {
    what: 'marks every model as usable',
    rule: 'models:record:usable-with-key',
    about: to('GET', /^\/models$/u),
    answer: onOk((body) => ({
      ...body,
      data: (body['data'] as Json[]).map((row) => ({ ...row, usable_with_key: true })),
    })),
  },
  {
    what: 'mixes up vectors',
    rule: 'embeddings:response:vector-per-input',
    about: to('POST', /^\/embeddings$/u),
    answer: onOk((body) => ({
      ...body,
      data: (body['data'] as Json[]).map((row, at, all) => ({
        ...row,
        embedding: all[all.length - 1 - at]?.['embedding'],
      })),
    })),
  },
  {
    what: 'lists the oldest first',
    rule: 'limits:list:newest-first',
    about: to('GET', /^\/(files|stores)$/u),
    answer: onOk((body) => ({ ...body, data: (body['data'] as Json[]).toReversed() })),
  },
  {
    what: 'lists what is deleted',
    rule: 'resources:get:after-delete',
    only: 'files:delete:response',
    about: to('GET', /^\/files\/[^/]+$/u),
    answer: onOk((body) => ({ ...body, status: body['status'] === 'deleted' ? 'active' : body['status'] })),
  },
  {
    what: 'gives one cursor twice',
    rule: 'environments:files:cursor',
    about: to('GET', /^\/environments\/[^/]+\/files$/u),
    answer: onOk((body) => ({ ...body, next_cursor: body['next_cursor'] === null ? null : 'same' })),
    ask: (request) => ({ ...request, path: request.path.replace('&cursor=same', '') }),
  },
  {
    what: 'shows the secrets of a network',
    rule: 'environments:body:network-transform-secret',
    about: to('GET', /^\/environments\/[^/]+$/u),
    answer: (answer) => ({ ...answer, body: answer.body.replaceAll('***', 'Bearer hidden-secret') }),
  },
  {
    what: 'shows the signing secret again',
    rule: 'webhooks:create:secret-once',
    about: to('GET', /^\/webhooks\/[^/]+$/u),
    answer: onOk((body) => ({ ...body, signing_secret: 'whsec' })),
  },
  {
    what: 'orders results of a batch and drops their keys',
    rule: 'batches:result:keyed-any-order',
    about: to('GET', /^\/batches\/[^/]+$/u),
    answer: (answer) => ({ ...answer, body: answer.body.replaceAll(/"key":"[^"]+"/gu, '"key":""') }),
  },
  {
    what: 'shows one project what is of another',
    rule: 'auth:project:isolated',
    about: to('GET', /^\/stores\/[^/]+$/u),
    answer: (answer, { path }) =>
      answer.status === 404
        ? {
            ...answer,
            status: 200,
            body: JSON.stringify({ id: path.slice('/stores/'.length), object: 'store', status: 'active' }),
          }
        : answer,
  },
  {
    what: 'shows one project the schedules of another',
    rule: 'auth:project:isolated',
    about: to('GET', /^\/triggers\/[^/]+$/u),
    answer: withStatus(404, 200),
  },
  {
    what: 'lets one project change the caches of another',
    rule: 'auth:project:isolated',
    about: to('PATCH', /^\/caches\/[^/]+$/u),
    answer: withStatus(404, 200),
  },
  {
    what: 'lets one project change the webhooks of another',
    rule: 'auth:project:isolated',
    about: to('PATCH', /^\/webhooks\/[^/]+$/u),
    answer: withStatus(404, 200),
  },
  {
    what: 'shows one project the documents of another',
    rule: 'auth:project:isolated',
    about: to('GET', /^\/documents\/[^/]+$/u),
    answer: withStatus(404, 200),
  },
  {
    what: 'hands one project the videos of another',
    rule: 'auth:project:isolated',
    about: to('GET', /^\/videos\/[^/]+\/content$/u),
    answer: withStatus(404, 200),
  },
  {
    what: 'tells of Google in a field',
    rule: 'versioning:neutral-names',
    only: 'files:get:refreshes',
    about: to('GET', /^\/files\/[^/]+$/u),
    answer: onOk((body) => ({ ...body, google_uri: 'x' })),
  },
];

/** Streams, sockets and events. */
const streamFaults: readonly Fault[] = [
  {
    what: 'sends the end first',
    rule: 'stream:chat:three-events',
    about: chat,
    answer: (answer) =>
      isStream(answer) ? { ...answer, body: `data: [DONE]\n\n${answer.body.replace('data: [DONE]\n\n', '')}` } : answer,
  },
  {
    what: 'sends the credits first',
    rule: 'stream:chat:second-chunk',
    about: chat,
    answer: (answer) => {
      const [first, second, ...rest] = answer.body.split('\n\n');
      return isStream(answer) ? { ...answer, body: [second, first, ...rest].join('\n\n') } : answer;
    },
  },
  {
    what: 'names the end of a stream otherwise',
    rule: 'stream:generate:completed-event',
    about: to('POST', /:streamGenerateContent$/u),
    answer: (answer) => ({ ...answer, body: answer.body.replace('"content.completed"', '"completed"') }),
  },
  {
    what: 'sends a stream at once when it is whole',
    rule: 'stream:generate:incremental',
    about: to('POST', /:streamGenerateContent$/u),
    answer: (answer) => answer,
  },
  {
    what: 'never says setupComplete',
    rule: 'live:socket:setup-complete-first',
    frames: (frame) => [frame.includes('setupComplete') ? '{"ready":true}' : frame],
  },
  {
    what: 'speaks before setupComplete',
    rule: 'live:socket:setup-complete-first',
    frames: (frame) => (frame.includes('setupComplete') ? ['{"serverContent":{}}', frame] : [frame]),
  },
  {
    what: 'shows usage on the socket',
    rule: 'live:server:withheld',
    frames: (frame) => (frame.includes('turnComplete') ? ['{"usageMetadata":{"totalTokenCount":5}}', frame] : [frame]),
  },
  {
    what: 'closes with 1000 for a wrong access',
    rule: 'live:close:bad-access',
    code: (code) => (code === 4401 ? 1000 : code),
  },
  {
    what: 'closes with 1008 for a bad frame',
    rule: 'live:close:bad-frame',
    code: (code) => (code === 1007 ? 1008 : code),
  },
  {
    what: 'signs with another secret',
    rule: 'webhooks:signature:hmac-sha256',
    deliver: (delivery) => ({
      ...delivery,
      headers: { ...delivery.headers, 'x-service-signature': `v1=${'0'.repeat(64)}` },
    }),
  },
  {
    what: 'changes the body after it is signed',
    rule: 'webhooks:signature:hmac-sha256',
    deliver: (delivery) => ({ ...delivery, body: JSON.stringify(JSON.parse(delivery.body), null, 1) }),
  },
  {
    what: 'signs in capital letters',
    rule: 'webhooks:signature:format',
    deliver: (delivery) => ({
      ...delivery,
      headers: {
        ...delivery.headers,
        'x-service-signature': (delivery.headers['x-service-signature'] ?? '').toUpperCase(),
      },
    }),
  },
  {
    what: 'tells an event id of its own in the header',
    rule: 'webhooks:signature:event-id-header',
    deliver: (delivery) => ({ ...delivery, headers: { ...delivery.headers, 'x-service-event-id': 'evt_1' } }),
  },
];

/** Every wrong gateway, each with the rule that it breaks. */
export const faults: readonly Fault[] = [...errorFaults, ...requestFaults, ...answerFaults, ...streamFaults];
