import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { MemoryDisk } from '@tollgate/storage-memory';
import { telemetry, type TelemetryOptions } from '@tollgate/telemetry';
import { expect, onTestFinished, test } from 'vitest';
import { createOwnGateway, greeting } from './gateway/served-gateway.ts';
import { openSdk3 } from './telemetry-sdk3.ts';

/** A span as both lines of the SDK finish it. */
interface Span {
  readonly name: string;
  readonly kind: number;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly links: readonly { readonly context: { readonly traceId: string; readonly spanId: string } }[];
  readonly parentSpanContext?: { readonly spanId: string; readonly traceId: string } | undefined;
  readonly spanContext: () => { readonly traceId: string; readonly spanId: string };
}

interface DataPoint {
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly value: unknown;
}

const run = promisify(execFile);
const kinds = { internal: 0, server: 1, client: 2 };

const open = async (options: Partial<TelemetryOptions> = {}, disk?: MemoryDisk) => {
  const sdk = openSdk3();
  const { api, tracer, meter } = sdk;
  const observer = await telemetry({ api, tracer, meter, ...options });
  const own = await createOwnGateway({ observed: { observers: [observer] }, ...(disk && { disk }) });
  onTestFinished(async () => {
    await own.gateway.close({ drainMs: 0 });
    await sdk.close();
  });
  const send = (path: string, body: string | null, headers: Readonly<Record<string, string>> = {}) =>
    own.gateway.fetch(
      new Request(`http://gateway.test/api/v1/ai${path}`, {
        method: body === null ? 'GET' : 'POST',
        body,
        headers: { authorization: `Bearer ${own.key}`, 'content-type': 'application/json', ...headers },
      }),
    );
  const spans = (): readonly Span[] => sdk.spans();
  const named = (name: string): Span => {
    const span = spans().find((each) => each.name === name);
    if (span === undefined)
      throw new Error(
        `no span ${name} among ${spans()
          .map((each) => each.name)
          .join(', ')}`,
      );
    return span;
  };
  const points = async (name: string): Promise<readonly DataPoint[]> =>
    (await sdk.metrics())
      .at(-1)
      ?.scopeMetrics.flatMap(({ metrics }) => metrics)
      .filter(({ descriptor }) => descriptor.name === name)
      .flatMap((metric): readonly DataPoint[] => metric.dataPoints) ?? [];
  return {
    ...own,
    observer,
    send,
    spans,
    named,
    points,
    chat: (headers = {}) => send('/chat/completions', greeting, headers),
  };
};

test('a call is a span of its request and one of its model, with its tokens and credits', async () => {
  const { chat, named, spans } = await open();
  const id = (await chat()).headers.get('x-request-id');
  expect(spans()).toHaveLength(2);
  const request = named('createChatCompletion');
  expect(request).toMatchObject({
    kind: kinds.server,
    attributes: {
      'tollgate.operation.id': id,
      'tollgate.outcome': 'settled',
      'tollgate.charged.credits': expect.any(Number),
      'gen_ai.usage.input_tokens': 10,
      'gen_ai.usage.output_tokens': 5,
      'http.response.status_code': 200,
    },
  });
  const call = named('chat flash-2.5');
  expect(call).toMatchObject({
    kind: kinds.client,
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'scripted',
      'gen_ai.request.model': 'flash-2.5',
      'gen_ai.usage.input_tokens': 10,
      'gen_ai.usage.output_tokens': 5,
    },
    parentSpanContext: { spanId: request.spanContext().spanId },
  });
  expect(call.attributes).not.toHaveProperty('gen_ai.request.stream');
});

test('the call of a stream says so, and when its first piece came', async () => {
  const { send, named, provider } = await open();
  const { promise: until, resolve: goOn } = Promise.withResolvers<void>();
  provider.script({ kind: 'wait', pieces: [{ kind: 'text', text: 'Scripted' }], until, next: { kind: 'answer' } });
  const contents = [{ role: 'user', parts: [{ text: 'Hello' }] }];
  const response = await send('/models/flash-2.5:streamGenerateContent', JSON.stringify({ contents }));
  goOn();
  await response.text();
  const { attributes } = named('generate_content flash-2.5');
  expect(attributes).toMatchObject({ 'gen_ai.request.stream': true, 'gen_ai.usage.output_tokens': 5 });
  expect(attributes['gen_ai.response.time_to_first_chunk']).toBeGreaterThanOrEqual(0);
  expect(attributes['gen_ai.response.time_to_first_chunk']).toBeLessThan(60);
});

test('metrics have explicit buckets and no account, project or key', async () => {
  const { chat, points, send, accountId, projectId } = await open();
  await chat();
  await send('/nowhere', null);
  expect(await points('gen_ai.client.operation.duration')).toMatchObject([
    { value: { count: 1, buckets: { boundaries: expect.arrayContaining([0.01, 81.92]) } } },
  ]);
  expect(await points('gen_ai.client.token.usage')).toMatchObject([
    { attributes: { 'gen_ai.token.type': 'input' }, value: { sum: 10 } },
    { attributes: { 'gen_ai.token.type': 'output' }, value: { sum: 5 } },
  ]);
  expect(await points('gen_ai.client.inference.tokens')).toEqual([]);
  expect(await points('tollgate.request.refusals')).toMatchObject([
    { attributes: { 'tollgate.error.code': 'not_found' }, value: 1 },
  ]);
  expect(await points('tollgate.request.added_latency')).toMatchObject([{ value: { count: 1 } }]);
  expect(await points('tollgate.operation.uncertain')).toMatchObject([{ value: 0 }]);
  expect(await points('tollgate.holds')).toHaveLength(5);
  expect(await points('tollgate.queue.depth')).toHaveLength(7);
  const all = JSON.stringify(await points('tollgate.request.duration'));
  expect(all).not.toContain(accountId);
  expect(all).not.toContain(projectId);
});

test('a last report of the metrics after the gateway has closed leaves out what the storage holds, and logs nothing', async () => {
  const { chat, gateway, logged, points } = await open();
  await chat();
  await gateway.close();
  expect(await points('tollgate.charged.credits')).toHaveLength(1);
  expect(await points('tollgate.holds')).toEqual([]);
  expect(logged()).not.toContain('could not be read for an observer');
});

test('the newer conventions count tokens instead of recording them', async () => {
  const { chat, points } = await open({ conventions: 'new' });
  await chat();
  expect(await points('gen_ai.client.inference.tokens')).toMatchObject([{ value: 10 }, { value: 5 }]);
  expect(await points('gen_ai.client.token.usage')).toEqual([]);
});

const incoming = { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' };

test('the trace of a client is continued where the host trusts it, and otherwise not', async () => {
  const trusting = await open({ trustIncoming: true });
  await trusting.chat(incoming);
  expect(trusting.named('createChatCompletion').spanContext().traceId).toBe('0af7651916cd43dd8448eb211c80319c');
  const careful = await open();
  await careful.chat(incoming);
  expect(careful.named('createChatCompletion').spanContext().traceId).not.toBe('0af7651916cd43dd8448eb211c80319c');
});

test('the provider of a call is handed its trace context', async () => {
  const { chat, provider, named } = await open();
  await chat();
  const { traceId, spanId } = named('chat flash-2.5').spanContext();
  expect(provider.calls[0]?.context.upstreamHeaders).toEqual({ traceparent: `00-${traceId}-${spanId}-01` });
});

test('an end after the response is a root span that links to the request', async () => {
  const { gateway, send, spans, named, projectId } = await open();
  const wide = await gateway.admin.createKey({ projectId, model: null });
  const body = JSON.stringify({ model: 'flash-2.5', input: 'Hello' });
  const response = await send('/interactions', body, { authorization: `Bearer ${wide?.key ?? ''}` });
  expect(response.ok).toBe(true);
  const request = named('createInteraction');
  for (let round = 0; round < 20 && !spans().some(({ name }) => name.startsWith('settled ')); round += 1)
    await gateway.jobs.runDue();
  const settled = spans().find(({ name }) => name.startsWith('settled '));
  expect(settled?.parentSpanContext).toBeUndefined();
  expect(settled?.spanContext().traceId).not.toBe(request.spanContext().traceId);
  expect(settled?.links).toMatchObject([
    { context: { traceId: request.spanContext().traceId, spanId: request.spanContext().spanId } },
  ]);
});

type Opened = Awaited<ReturnType<typeof open>>;

/** Opens an interaction and has another process carry it out. */
const runElsewhere = async (opener: Opened, worker: Opened): Promise<Response> => {
  const wide = await opener.gateway.admin.createKey({ projectId: opener.projectId, model: null });
  const body = JSON.stringify({ model: 'flash-2.5', input: 'Hello' });
  const response = await opener.send('/interactions', body, { authorization: `Bearer ${wide?.key ?? ''}` });
  expect(response.ok).toBe(true);
  const isOver = () => worker.spans().some(({ name }) => name === 'interaction flash-2.5');
  for (let round = 0; round < 20 && !isOver(); round += 1) await worker.gateway.jobs.runDue();
  return response;
};

test('a turn of work goes on with the trace of its request in another process, and hands it to the provider', async () => {
  const opener = await open();
  const worker = await open({}, opener.disk);
  const id = (await runElsewhere(opener, worker)).headers.get('x-request-id');
  const { traceId, spanId } = opener.named('createInteraction').spanContext();
  const turn = worker.named('interaction flash-2.5');
  expect(turn).toMatchObject({
    kind: kinds.client,
    parentSpanContext: { traceId, spanId },
    attributes: {
      'gen_ai.operation.name': 'interaction',
      'gen_ai.provider.name': 'scripted',
      'gen_ai.request.model': 'flash-2.5',
      'tollgate.operation.id': id,
      'tollgate.turn.outcome': 'done',
    },
  });
  expect(turn.attributes).not.toHaveProperty('error.type');
  const handed = worker.provider.calls.map(({ context }) => context.upstreamHeaders);
  expect(handed).toEqual([{ traceparent: `00-${traceId}-${turn.spanContext().spanId}-01` }]);
});

test('a turn of work that fails says so on its span', async () => {
  const opener = await open();
  const worker = await open({}, opener.disk);
  worker.provider.script({ kind: 'unknown' });
  await runElsewhere(opener, worker);
  expect(worker.named('interaction flash-2.5')).toMatchObject({
    status: { code: 2 },
    attributes: { 'tollgate.turn.outcome': 'unknown', 'error.type': 'unknown' },
  });
});

interface Reported {
  readonly spans: readonly {
    readonly name: string;
    readonly kind: number;
    readonly attributes: Readonly<Record<string, unknown>>;
    readonly links: readonly { readonly traceId: string; readonly spanId: string }[];
    readonly parent: string | null;
    readonly traceId: string;
    readonly spanId: string;
  }[];
  readonly metrics: readonly { readonly name: string; readonly points: readonly DataPoint[] }[];
}

test('records the same with API 1.9 and SDK 2, in a process of its own', async () => {
  const program = join(import.meta.dirname, 'telemetry-sdk2/observed-calls.ts');
  const { stdout } = await run(process.execPath, ['--conditions=@tollgate/source', program], { maxBuffer: 8_388_608 });
  const { spans, metrics } = JSON.parse(stdout) as Reported;
  const named = (name: string) => spans.find((span) => span.name === name);
  const request = named('createChatCompletion');
  expect(request).toMatchObject({
    kind: kinds.server,
    traceId: '0af7651916cd43dd8448eb211c80319c',
    parent: 'b7ad6b7169203331',
    attributes: { 'tollgate.outcome': 'settled', 'gen_ai.usage.input_tokens': 10 },
  });
  expect(named('chat flash-3.8')).toMatchObject({ kind: kinds.client, parent: request?.spanId });
  const created = named('createInteraction');
  expect(spans.find(({ name }) => name.startsWith('settled '))).toMatchObject({
    parent: null,
    links: [{ traceId: created?.traceId, spanId: created?.spanId }],
  });
  const points = (name: string) => metrics.find((metric) => metric.name === name)?.points;
  expect(points('gen_ai.client.operation.duration')).toMatchObject([
    { value: { count: 1, buckets: { boundaries: expect.arrayContaining([0.01, 81.92]) } } },
  ]);
  expect(points('tollgate.queue.depth')).toHaveLength(7);
});

test('refuses an option that cannot be meant', async () => {
  // What the types forbid is what this test is about.
  await expect(telemetry({ conventions: 'newest' } as never)).rejects.toMatchObject({ code: 'configuration_invalid' });
});
