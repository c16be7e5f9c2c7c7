import { AsyncLocalStorage } from 'node:async_hooks';
import { routes } from '@tollgate/contract';
import type { WebhookSender } from '@tollgate/engine';
import { UnknownOutcome } from '@tollgate/provider';
import { sandboxProvider } from '@tollgate/provider-sandbox';
import { memoryStorage } from '@tollgate/storage-memory';
import { createGateway, type GatewayOptions, type Observer } from 'tollgate';
import { expect, onTestFinished, test } from 'vitest';
import { creations, seedModels, type NamedKind, type SeedModel } from './hostile/route-seeds.ts';

type Fault = 'delete' | 'put' | 'provider' | 'observer' | 'limiter' | 'origins' | 'states';
type Fields = Readonly<Record<string, unknown>>;

/** A request under way in this test, and the id by which the gateway knows it. */
interface Asked {
  readonly what: string;
  requestId: string | null;
}

interface Line {
  readonly message: string;
  readonly fields: Fields;
  /** The request in whose course it was written; null for a line of a job. */
  readonly asked: Asked | null;
}

const origin = 'https://shop.example';

const refusingSender: WebhookSender = {
  check: (url) => Promise.resolve({ kind: 'allowed', url }),
  send: () => Promise.reject(new Error('injected: sender')),
  close: () => Promise.resolve(),
};

const openFaulty = async () => {
  const faults = new Set<Fault>();
  const fail = (fault: Fault): void => {
    if (faults.has(fault)) throw new Error(`injected: ${fault}`);
  };
  const course = new AsyncLocalStorage<Asked>();
  const lines: Line[] = [];
  const operations = new Set<unknown>();
  const log = (message: string, fields: Fields = {}): void =>
    void lines.push({ message, fields, asked: course.getStore() ?? null });
  const noting: Observer = {
    observe: (event) => {
      const asked = course.getStore();
      if (event.kind === 'request_started' && asked !== undefined) asked.requestId = event.requestId;
      if (event.kind === 'operation_opened') operations.add(event.operation.id);
    },
  };
  const failing: Observer = { observe: () => fail('observer') };
  const memory = memoryStorage();
  const storage: typeof memory = {
    ...memory,
    blobs: {
      ...memory.blobs,
      delete: async (key) => {
        fail('delete');
        await memory.blobs.delete(key);
      },
      putStream: async (key, chunks) => {
        fail(key.startsWith('states/') ? 'states' : 'put');
        return memory.blobs.putStream(key, chunks);
      },
    },
  };
  const sandbox = sandboxProvider();
  const provider: GatewayOptions['provider'] = {
    ...sandbox,
    generate: async (call, context) => {
      if (faults.has('provider')) throw new UnknownOutcome('aborted');
      const generation = await sandbox.generate(call, context);
      const state = { kind: 'text', text: generation.text, context: 'state '.repeat(20_000) } as const;
      return faults.has('states') ? { ...generation, parts: [state] } : generation;
    },
  };
  const gateway = await createGateway({
    storage,
    provider,
    contextSecret: 'a-secret-of-the-host-for-this-test-alone',
    compatibility: { google: true, openai: true },
    observers: [noting, failing],
    limiter: {
      reserve: () => {
        fail('limiter');
        return { kind: 'admitted', ticket: { release: () => undefined } };
      },
    },
    onLimiterFailure: 'allow',
    cors: {
      origins: () => {
        fail('origins');
        return true;
      },
    },
    webhooks: { sender: refusingSender },
    logger: { info: log, warn: log, error: log },
  });
  onTestFinished(() => gateway.close({ drainMs: 0 }));
  lines.length = 0;
  return { gateway, faults, lines, operations, course };
};

type World = Awaited<ReturnType<typeof openFaulty>>;

const keysOf = async ({ gateway: { admin } }: World): Promise<ReadonlyMap<SeedModel, string>> => {
  const { id: accountId } = await admin.createAccount({ name: 'an account' });
  await admin.deposit({ accountId, amountMicros: 1_000_000_000_000n, reference: 'a reference' });
  const project = await admin.createProject({ accountId, name: 'a project' });
  const keys = new Map<SeedModel, string>();
  for (const [family, model] of Object.entries(seedModels))
    // The families are the keys of the table above.
    keys.set(family as SeedModel, (await admin.createKey({ projectId: project?.id ?? '', model }))?.key ?? '');
  return keys;
};

interface Sent {
  readonly path: string;
  readonly body?: string | Uint8Array<ArrayBuffer> | null;
  readonly method?: string;
  readonly family?: SeedModel;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends requests one after another, and checks that each response names its request or its operation. */
const senderOf = async (world: World) => {
  const { gateway, course, operations } = world;
  const keys = await keysOf(world);
  return async ({
    path,
    body = null,
    method = body === null ? 'GET' : 'POST',
    family = 'text',
    headers = {},
  }: Sent) => {
    const asked: Asked = { what: `${method} ${path}`, requestId: null };
    const base = path.startsWith('/api/') ? 'http://gateway.test' : 'http://gateway.test/api/v1/ai';
    const sent = {
      authorization: `Bearer ${keys.get(family)}`,
      'content-type': 'application/json',
      origin,
      ...headers,
    };
    return course.run(asked, async () => {
      const response = await gateway.fetch(new Request(`${base}${path}`, { method, body, headers: sent }));
      const text = await response.text();
      const shown = response.headers.get('x-request-id');
      if (!operations.has(shown)) expect([asked.what, shown]).toEqual([asked.what, asked.requestId]);
      return { status: response.status, text, headers: response.headers };
    });
  };
};

type Send = Awaited<ReturnType<typeof senderOf>>;

/** Every kind of record, and every route with ids of them. */
const sendAll = async (send: Send): Promise<void> => {
  const ids: Partial<Record<NamedKind, string>> = {};
  for (const [kind, path, family, bodyOf] of creations) {
    const { text } = await send({ path, body: JSON.stringify(bodyOf(ids)), family });
    const made: unknown = JSON.parse(text);
    ids[kind] = typeof made === 'object' && made !== null && 'id' in made ? String(made.id) : 'none';
  }
  await send({ path: '/chat/completions', body: JSON.stringify({ messages: [{ role: 'user', content: 'Hello' }] }) });
  const contents = [{ role: 'user', parts: [{ text: 'Hello' }] }];
  await send({ path: `/models/${seedModels.text}:streamGenerateContent`, body: JSON.stringify({ contents }) });
  await send({ path: '/embeddings', body: JSON.stringify({ input: 'Hello' }), family: 'embedding' });
  const long = { inlineData: { mimeType: 'image/png', data: 'A'.repeat(4_000_000) } };
  await send({ path: '/caches', body: JSON.stringify({ contents: [{ role: 'user', parts: [long] }] }) });
  const form = new FormData();
  form.set('file', new Blob(['%PDF-1.7 a document'], { type: 'application/pdf' }), 'a.pdf');
  form.set('purpose', 'user_data');
  const encoded = new Response(form);
  const type = encoded.headers.get('content-type') ?? '';
  await send({ path: '/files', body: new Uint8Array(await encoded.arrayBuffer()), headers: { 'content-type': type } });
  for (const { method, path } of routes) {
    const kind = /^\/(\w+?)s?\/\{/u.exec(path)?.[1];
    // The kinds are the names of the collections, in the singular.
    const id = ids[(kind === 'batche' ? 'batch' : kind) as NamedKind] ?? 'unknown';
    const named = path.replaceAll(/\{[^}]+\}/gu, id);
    await send({ path: named, method, body: method === 'GET' || method === 'DELETE' ? null : '{"display_name":"b"}' });
  }
  await send({ path: '/no/such/path' });
};

const fileIdOf = (text: string): string => /"id":"([^"]+)"/u.exec(text)?.[1] ?? '';

/** A cache of a file whose bytes cannot be copied. */
const cacheFile = async ({ faults }: World, send: Send): Promise<void> => {
  const { text } = await send({ path: '/files', body: JSON.stringify(creations[0]?.[3]({})) });
  const parts = [{ fileData: { fileUri: `files/${fileIdOf(text)}` } }, { text: 'book '.repeat(50) }];
  faults.add('put');
  await send({ path: '/caches', body: JSON.stringify({ ttl_seconds: 3_600, contents: [{ role: 'user', parts }] }) });
};

const command = (name: string, more = {}) => ({ 'x-goog-upload-command': name, ...more });

/** An upload in pieces that is cancelled. */
const cancelUpload = async (send: Send): Promise<void> => {
  const type = { 'x-goog-upload-protocol': 'resumable', 'x-goog-upload-header-content-type': 'application/pdf' };
  const path = '/upload/v1beta/files';
  const begun = await send({ path, body: '{}', headers: command('start', type) });
  const { pathname, search } = new URL(begun.headers.get('x-goog-upload-url') ?? '');
  const address = `${pathname}${search}`;
  const piece = new Uint8Array(262_144);
  await send({ path: address, body: piece, headers: command('upload', { 'x-goog-upload-offset': '0' }) });
  await send({ path: address, body: '', headers: command('cancel') });
};

const recordIds = ['fileId', 'webhookId', 'deliveryId', 'eventId', 'triggerId', 'occurrenceId', 'keyId', 'key'];

/** What a process does for no record, of which an observer may fail to hear. */
const ofNoRecord: ReadonlySet<unknown> = new Set(['swept', 'event_due']);

/** What is wrong with a line, or null: one of a request names it, one of a job its operation or else its record. */
const faultOf = ({ operations }: World, { fields, asked }: Line): string | null => {
  if (operations.has(fields['operationId'])) return null;
  if (asked !== null) return fields['requestId'] === asked.requestId ? null : `not of ${asked.what}`;
  if (ofNoRecord.has(fields['about'])) return null;
  return recordIds.some((name) => typeof fields[name] === 'string') ? null : 'names no record';
};

const faultSets: readonly (readonly Fault[])[] = [
  [],
  ['delete'],
  ['put'],
  ['states'],
  ['provider', 'delete'],
  ['observer'],
  ['limiter', 'origins'],
];

test('every log line of a request carries its id, and every line of a job that of its operation or record', async () => {
  const world = await openFaulty();
  const { gateway, faults, lines } = world;
  const send = await senderOf(world);
  for (const set of faultSets) {
    set.forEach((fault) => faults.add(fault));
    await sendAll(send);
    await cancelUpload(send);
    await cacheFile(world, send);
    for (let round = 0; round < 4; round += 1) await gateway.jobs.runDue();
    faults.clear();
  }
  const messages = new Set(lines.map(({ message }) => message));
  for (const message of [
    'a blob was left to the sweep',
    'a state of an upstream could not be kept',
    'a file could not be copied for a cache',
    'an observer failed',
    'outcome unknown',
    'the limiter failed: the request was let through',
    'cors.origins failed: the origin is not let in',
    'a request failed unexpectedly',
  ])
    expect([...messages]).toContain(message);
  // Pieces of an upload that was cancelled are among them.
  expect(lines.map(({ fields }) => String(fields['key']))).toContainEqual(expect.stringMatching(/^uploads\//u));
  const wrong = lines.flatMap((line) => {
    const fault = faultOf(world, line);
    return fault === null ? [] : [`${line.message}: ${fault}: ${Object.keys(line.fields).join(', ')}`];
  });
  expect([...new Set(wrong)]).toEqual([]);
});
