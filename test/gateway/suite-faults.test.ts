import type { Provider } from '@tollgate/provider';
import { gatewayCases, runGatewayCase, type GatewayOpening, type GatewayUnderTest } from '@tollgate/testing/gateway';
import { expect, test } from 'vitest';
import { memoryData, openGateway } from './open-in-process.ts';

/** A gateway that is wrong in one way. */
type WrongGateway = (opening: GatewayOpening) => Promise<GatewayUnderTest>;

const right: WrongGateway = (opening) => openGateway(opening, { data: memoryData });

/** What was read of a body, and whether it was broken off. */
const readBody = async (body: Response['body']): Promise<{ readonly text: string; readonly broken: boolean }> => {
  let text = '';
  try {
    for await (const chunk of body ?? []) text += Buffer.from(chunk).toString('utf8');
    return { text, broken: false };
  } catch {
    return { text, broken: true };
  }
};

/** A body that is broken off after the text. */
const brokenBody = (text: string): ReadableStream =>
  new ReadableStream(
    {
      start: (controller) => controller.enqueue(Buffer.from(text)),
      pull: (controller) => controller.error(new Error('broken off')),
    },
    { highWaterMark: 1 },
  );

/** Changes every answer on its way out. */
const answering =
  (change: (answer: { status: number; headers: Headers; text: string }, request: Request) => void): WrongGateway =>
  async (opening) => {
    const wrap = (gateway: GatewayUnderTest): GatewayUnderTest => ({
      ...gateway,
      fetch: async (request) => {
        const response = await gateway.fetch(request);
        const { text, broken } = await readBody(response.body);
        const answer = { status: response.status, headers: new Headers(response.headers), text };
        change(answer, request);
        const { status, headers } = answer;
        return new Response(broken ? brokenBody(answer.text) : answer.text, { status, headers });
      },
      reopen: async (settings) => wrap(await gateway.reopen(settings)),
    });
    return wrap(await right(opening));
  };

/** Changes every request on its way in. */
const asking =
  (change: (request: Request) => Promise<Request>): WrongGateway =>
  async (opening) => {
    const gateway = await right(opening);
    return { ...gateway, fetch: async (request) => gateway.fetch(await change(request)) };
  };

const opened =
  (change: (opening: GatewayOpening) => Partial<GatewayOpening>): WrongGateway =>
  (opening) =>
    right({ ...opening, ...change(opening) });

const bodyOf = async (request: Request, change: (text: string) => string): Promise<Request> => {
  const { method, body } = request;
  return body === null ? request : new Request(request, { method, body: change(await request.text()) });
};

const replaced = (from: string | RegExp, to: string): WrongGateway =>
  answering((answer) => {
    answer.text = answer.text.replaceAll(from, to);
  });

const withoutHeader = (name: string): WrongGateway => answering(({ headers }) => headers.delete(name));

const withStatus = (from: number, to: number): WrongGateway =>
  answering((answer) => {
    if (answer.status === from) answer.status = to;
  });

const providing = (change: (generate: NonNullable<Provider['generate']>) => NonNullable<Provider['generate']>) =>
  opened(({ provider }) => {
    const generate = provider.generate?.bind(provider);
    return generate === undefined ? {} : { provider: { ...provider, generate: change(generate) } };
  });

const embedding = (change: (embed: NonNullable<Provider['embed']>) => NonNullable<Provider['embed']>) =>
  opened(({ provider }) => {
    const embed = provider.embed?.bind(provider);
    return embed === undefined ? {} : { provider: { ...provider, embed: change(embed) } };
  });

/** Breaks off what failed, so that a reader of the whole never sees why. */
const breakingOff: WrongGateway = async (opening) => {
  const gateway = await right(opening);
  return {
    ...gateway,
    fetch: async (request) => {
      const { status, headers, body } = await gateway.fetch(request);
      const { text } = await readBody(body);
      return new Response(text.includes('event: error') ? brokenBody(text) : text, { status, headers });
    },
  };
};

/** A case is known by the id that it names; a fault is caught when one of them fails. */
const faults: readonly (readonly [string, WrongGateway, string])[] = [
  [
    'echoes the key',
    answering(({ headers }, { headers: asked }) => headers.set('x-caller', asked.get('authorization') ?? '')),
    'models:list:envelope',
  ],
  ['forgets X-Request-Id', withoutHeader('x-request-id'), 'errors:format:x-request-id'],
  ['lets answers be stored', withoutHeader('cache-control'), 'chat:response:headers-no-store'],
  ['forgets Idempotency-Replayed', withoutHeader('idempotency-replayed'), 'chat:response:headers-idempotency-replayed'],
  ['forgets Allow', withoutHeader('allow'), 'errors:path:method'],
  ['forgets Retry-After', withoutHeader('retry-after'), 'limits:rate:429'],
  ['lets clients repeat by themselves', withoutHeader('x-should-retry'), 'errors:status:502-request-failed'],
  ['answers 400 for 422', withStatus(422, 400), 'chat:messages:count'],
  ['answers 403 for 401', withStatus(401, 403), 'auth:bearer:unknown-key'],
  ['answers 403 for 404', withStatus(404, 403), 'requests:get:isolated'],
  ['answers 429 for 503', withStatus(503, 429), 'errors:status:503-service-unavailable'],
  ['answers 500 for 502', withStatus(502, 500), 'errors:uncertain:first-answer'],
  ['redirects what is not found', withStatus(404, 308), 'auth:host:no-redirect'],
  ['names a maker', replaced('"model"', '"gemini"'), 'versioning:neutral-names'],
  ['answers text errors as objects', replaced(/^\{"error":"/g, '{"error":{"message":"'), 'errors:format:string'],
  ['hides the operation of an error', replaced(/,"request_id":"[^"]*"(?=\}\}$)/g, ''), 'errors:format:request-id'],
  ['charges nothing on the wire', replaced(/"credits":[\d.]+/g, '"credits":0'), 'chat:response:service'],
  ['prints long fractions', replaced('"credits":0.3}', '"credits":0.30000000000000004}'), 'ledger:numbers:json'],
  [
    'shows a stored answer differently',
    replaced('"response":{"id"', '"response":{"late":1,"id"'),
    'requests:record:response-chat',
  ],
  ['shows no reservation', replaced(/"reserved_credits":[\d.]+/g, '"reserved_credits":0'), 'requests:record:credits'],
  ['streams without an end', replaced('data: [DONE]\n\n', ''), 'stream:chat:three-events'],
  ['streams calls without index', replaced('{"index":1,"id"', '{"id"'), 'stream:chat:tool-call-index'],
  [
    'streams usage unasked',
    replaced(',"service":{', ',"usage":{"prompt_tokens":1,"completion_tokens":1,"total_tokens":2},"service":{'),
    'chat:usage:unary-option',
  ],
  ['drops calls but the first', replaced(/,\{"id":"call-1".*?\}\}/g, ''), 'chat:response:tool-calls-several'],
  ['drops the state of calls', replaced(/,"context":"[^"]*"/g, ''), 'chat:message:context-return'],
  [
    'forgets identities',
    asking(async (request) => {
      const headers = new Headers(request.headers);
      headers.delete('idempotency-key');
      return new Request(request, { headers });
    }),
    'idempotency:replay:equal-answer',
  ],
  [
    'compares parsed bodies',
    asking((request) => bodyOf(request, (text) => text.replaceAll(/[ \n]/g, ''))),
    'idempotency:body:exact-bytes',
  ],
  [
    'reads any content type',
    asking(async (request) => {
      const headers = new Headers(request.headers);
      headers.set('content-type', 'application/json');
      return new Request(request, { headers });
    }),
    'errors:body:content-type',
  ],
  [
    'drops unknown fields',
    asking((request) => bodyOf(request, (text) => text.replace(/,"(?:max_tokens|surprise)":1/, ''))),
    'chat:request:unsupported-field',
  ],
  [
    'executes twice',
    providing((generate) => async (call, context) => {
      await generate(call, context);
      return generate(call, context);
    }),
    'idempotency:replay:no-execution',
  ],
  [
    'loses the second image',
    providing(
      (generate) => (call, context) =>
        generate(
          { ...call, contents: call.contents.map(({ role, parts }) => ({ role, parts: parts.slice(0, 2) })) },
          context,
        ),
    ),
    'chat:part:image-several',
  ],
  [
    'changes the temperature',
    providing(
      (generate) => (call, context) => generate({ ...call, sampling: { ...call.sampling, temperature: 1 } }, context),
    ),
    'chat:temperature:default',
  ],
  [
    'turns the order of vectors round',
    embedding((embed) => async (call, context) => {
      const { vectors, usage } = await embed(call, context);
      return { vectors: vectors.toReversed(), usage };
    }),
    'embeddings:response:vector-per-input',
  ],
  [
    'forgets the task of a vector',
    embedding(
      (embed) =>
        ({ task: _, ...call }, context) =>
          embed(call, context),
    ),
    'embeddings:body:task-type',
  ],
  [
    'forgets the flags of content',
    embedding((embed) => (call, context) => {
      const { input } = call;
      return embed(
        input.kind === 'texts' ? call : { ...call, input: { kind: 'content', parts: input.parts } },
        context,
      );
    }),
    'embeddings:body:content-flags',
  ],
  [
    'charges embeddings nothing on the wire',
    replaced(/"credits":[\d.]+/g, '"credits":0'),
    'embeddings:response:credits',
  ],
  [
    'measures nothing',
    providing((generate) => async (call, context) => ({
      ...(await generate(call, context)),
      usage: [{ unit: 'input_text_tokens', quantity: 0, confirmed: true }],
    })),
    'ledger:settle:debit-measured',
  ],
  ['waives overruns', opened(() => ({ overrun: 'absorb' })), 'ledger:overrun:uncertain'],
  ['tolerates a field', opened(() => ({ extraFields: ['max_tokens'] })), 'chat:request:allow-list-option'],
  [
    'honours what strict refuses',
    opened(() => ({ compatibility: { openai: true } })),
    'chat:request:unsupported-field',
  ],
  [
    'ignores the release of models',
    opened(({ catalog = [] }) => ({ enabledModels: catalog.map(({ id }) => id) })),
    'models:use:unavailable',
  ],
  [
    'has no limiter',
    async (opening) => {
      const { limiter: _, ...unlimited } = opening;
      return right(unlimited);
    },
    'limits:rate:429',
  ],
  ['streams content without an end', replaced('data: [DONE]\n\n', ''), 'stream:generate:done'],
  [
    'ends every stream alike',
    answering((answer, { url }) => {
      if (url.endsWith('alt=sse')) answer.text += 'data: [DONE]\n\n';
    }),
    'stream:generate:alt-sse-omits-done',
  ],
  ['completes without a name', replaced('event: content.completed\n', ''), 'stream:generate:completed-event'],
  [
    'completes twice',
    replaced(/(event: content\.completed\n[^\n]*\n\n)/g, '$1$1'),
    'stream:generate:completed-once-after-content',
  ],
  [
    'puts credits into every event',
    replaced(',"index":0}],"modelVersion"', ',"index":0}],"service":{},"modelVersion"'),
    'stream:generate:increments-plain',
  ],
  ['breaks off a stream that failed', breakingOff, 'stream:generate:error-midway'],
  [
    'completes a stream that failed',
    replaced(/(event: error\ndata: .*\n\n)/g, '$1data: [DONE]\n\n'),
    'stream:generate:error-midway',
  ],
  ['streams failures', withStatus(502, 200), 'stream:generate:error-before-first-byte'],
  [
    'takes the query for a part of the identity',
    asking((request) => bodyOf(request, (text) => (request.url.endsWith('alt=sse') ? `${text} ` : text))),
    'idempotency:body:query-excluded',
  ],
  ['drops signatures', replaced(/,"thoughtSignature":"(?:[^"\\]|\\.)*"/g, ''), 'generate:thought-signature'],
  [
    'tells usage of content unasked',
    replaced(',"service":{', ',"usageMetadata":{},"service":{'),
    'generate:response:usage-withheld',
  ],
  ['leaves out the code that ran', replaced(/\{"executableCode":\{.*?\}\},/g, ''), 'generate:code-execution:parts'],
  ['names another version', replaced(/"modelVersion":"[^"]*"/g, '"modelVersion":"other"'), 'generate:response:ids'],
  [
    'answers a refused prompt with candidates',
    replaced('"promptFeedback"', '"candidates":[],"promptFeedback"'),
    'generate:response:prompt-block',
  ],
  [
    'tells credits twice',
    replaced('"credits":0.02', '"credits":0.02,"creditsCharged":0.02'),
    'generate:response:service-credits-only',
  ],
  ['changes the type of sound', replaced('audio/L16;rate=24000', 'audio/L16'), 'generate:response:media-mime'],
  [
    'reads snake case unasked',
    opened(() => ({ compatibility: { snakeCase: true } })),
    'generate:tools:snake-case-lenient',
  ],
  [
    'loses tools',
    providing((generate) => (call, context) => generate({ ...call, tools: call.tools.slice(0, 1) }, context)),
    'generate:tools:several-per-object',
  ],
  [
    'thinks for nothing',
    providing((generate) => async (call, context) => {
      const generation = await generate(call, context);
      return { ...generation, usage: generation.usage.filter(({ unit }) => unit !== 'thought_tokens') };
    }),
    'generate:config:thinking',
  ],
  [
    'drops the settings of safety',
    providing(
      (generate) =>
        ({ safety: _, ...call }, context) =>
          generate(call, context),
    ),
    'generate:safety-settings',
  ],
  ['keeps its word', opened(() => ({ brand: 'service' })), 'versioning:brand:response-key'],
  ['forbids other projects what it should not know', withStatus(404, 403), 'auth:project:isolated'],
  ['hides from a project what its other keys made', withStatus(200, 404), 'auth:project:shared'],
  ['invents a state', replaced('"status":"reserved"', '"status":"queued"'), 'resources:states:by-kind'],
  ['forgets when something was completed', replaced(/,"completed_at":[^,]*/g, ''), 'resources:record:common'],
  ['does not say that something is deleted', replaced(',"deleted":true', ''), 'resources:delete:response'],
  ['shows what was deleted as it was', replaced('"deleted"', '"completed"'), 'resources:get:after-delete'],
  ['lets go of what is worked on', withStatus(409, 200), 'resources:delete:active-execution'],
  ['hides a cancellation', replaced('"status":"cancelling"', '"status":"processing"'), 'resources:cancel:requested'],
  ['says nothing of items that were cancelled', replaced('"cancelled"', '"failed"'), 'resources:cancel:ends-completed'],
  ['shows no result', replaced(/"result":\{.*\}(?=\}$)/g, '"result":null'), 'resources:record:result-when-complete'],
  ['lists what has expired as usable', replaced('"expired"', '"active"'), 'resources:list:expired-kept'],
  ['lists under another name', replaced('"object":"list"', '"object":"page"'), 'resources:list:envelope'],
  ['finds no answer of other kinds', replaced('"response":{', '"answer":{'), 'requests:record:response-other-kinds'],
  ['shows a secret again', replaced('"***"', '"Bearer hidden-secret"'), 'environments:body:network-transform-secret'],
  [
    'lets every environment out',
    opened(() => ({ environmentNetwork: { allowlist: [{ domain: '*' }] } })),
    'environments:body:network-default',
  ],
  [
    'ends a list after its first page',
    replaced(/"next_cursor":"[^"]*"/g, '"next_cursor":null'),
    'environments:files:cursor',
  ],
  ['shows files as folders', replaced('"type":"file"', '"type":"directory"'), 'environments:files:list'],
  ['takes a folder for a file', withStatus(422, 404), 'environments:files:directory-download'],
];

const casesOf = (id: string) => gatewayCases.filter(({ title }) => title.includes(`[${id}]`));

/** Why the cases that name an id fail. */
const failures = async (gateway: WrongGateway, id: string): Promise<readonly string[]> => {
  const reasons: string[] = [];
  for (const each of casesOf(id)) {
    try {
      await runGatewayCase(gateway, each);
    } catch (cause) {
      reasons.push(cause instanceof Error ? cause.message : String(cause));
    }
  }
  return reasons;
};

test.each(faults)('catches a gateway that %s', async (_, gateway, id) => {
  expect(casesOf(id).length).toBeGreaterThan(0);
  expect(await failures(right, id)).toEqual([]);
  expect(await failures(gateway, id)).not.toEqual([]);
});

test('passes a gateway between which and the suite nothing is changed', async () => {
  const between: readonly WrongGateway[] = [
    answering(() => {}),
    asking(async (request) => new Request(request, { headers: new Headers(request.headers) })),
    asking((request) => bodyOf(request, (text) => text)),
    providing((generate) => generate),
  ];
  const ids = [...new Set(faults.map(([, , id]) => id))];
  for (const gateway of between) for (const id of ids) expect(await failures(gateway, id), id).toEqual([]);
});
