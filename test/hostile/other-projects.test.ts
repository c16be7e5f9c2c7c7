import { afterAll, beforeAll, expect, test } from 'vitest';
import { routes, type RouteId } from '../../packages/contract/src/index.ts';
import { memoryStorage } from '../../packages/storage-memory/src/index.ts';
import { seedsOf, type NamedIds, type NamedKind, type SeedModel } from './route-seeds.ts';
import { kindOfPath, openRouteWorld, targetOf, type HostileAnswer, type RouteWorld } from './route-world.ts';

let world: RouteWorld;
beforeAll(async () => {
  world = await openRouteWorld(memoryStorage());
});
afterAll(async () => {
  expect(world.running.errors).toEqual([]);
  await world.running.close();
});

const unknown = '00000000-0000-4000-8000-000000000000';

/** All of an answer that a stranger sees, but for what differs from request to request. */
const seen = ({ status, headers, text }: HostileAnswer) => ({
  status,
  text,
  headers: [...headers]
    .filter(([name]) => !['x-request-id', 'date'].includes(name))
    .toSorted(([a], [b]) => a.localeCompare(b)),
});

const byId = routes.filter(({ path }) => kindOfPath(path) !== null);
const cases = byId.flatMap((row) =>
  (['socket', 'function'] as const).map((way) => ({ row, way, name: `${row.method} ${row.path}` })),
);

test.each(cases)(
  'to another project what $name names is as good as unknown (by $way) [auth:project:isolated]',
  async ({ row, way }) => {
    const id = world.ids[kindOfPath(row.path) ?? 'file'];
    const bodies = [...seedsOf(row.id, world.ids).map(({ body }) => JSON.stringify(body)), '{', undefined];
    for (const body of row.request === null ? [undefined] : bodies)
      for (const headers of [{}, { range: 'bytes=0-0', 'idempotency-key': 'mine' }]) {
        const ask = (parameter: string): Promise<HostileAnswer> =>
          world.ask(way, {
            method: row.method,
            target: targetOf(row, parameter),
            key: world.strangerKey,
            headers,
            ...(body === undefined ? {} : { body }),
          });
        const foreign = seen(await ask(id));
        expect(foreign.status).toBe(404);
        expect(foreign).toEqual(seen(await ask(unknown)));
      }
  },
);

test('what strangers asked for is as it was', async () => {
  for (const row of byId.filter(({ method }) => method === 'GET')) {
    const id = world.ids[kindOfPath(row.path) ?? 'file'];
    const answer = await world.ask('function', { method: 'GET', target: targetOf(row, id), key: world.keyOf('text') });
    // Neither text nor interactions of text have content to download.
    expect([row.id, answer.status]).toEqual([row.id, row.id === 'getInteractionContent' ? 404 : 200]);
  }
});

test('lists of a project show nothing of another one', async () => {
  const lists = routes.filter(
    ({ id, method, path }) => method === 'GET' && !path.includes('{') && id.startsWith('list'),
  );
  for (const row of lists) {
    const { status, text } = await world.ask('socket', { method: 'GET', target: row.path, key: world.strangerKey });
    expect(status).toBe(200);
    for (const id of Object.values(world.ids)) expect(text).not.toContain(id);
  }
});

/** Where the id of something stands in a body. */
const references: readonly (readonly [RouteId, SeedModel, NamedKind, (id: string) => object])[] = [
  [
    'createChatCompletion',
    'text',
    'file',
    (file_id) => ({ messages: [{ role: 'user', content: [{ type: 'file', file: { file_id } }] }] }),
  ],
  [
    'generateContent',
    'text',
    'file',
    (id) => ({ contents: [{ role: 'user', parts: [{ fileData: { fileUri: `files/${id}` } }] }] }),
  ],
  [
    'streamGenerateContent',
    'text',
    'file',
    (id) => ({ contents: [{ role: 'user', parts: [{ fileData: { fileUri: `files/${id}` } }] }] }),
  ],
  [
    'generateContent',
    'text',
    'cache',
    (id) => ({ contents: [{ role: 'user', parts: [{ text: 'Hi' }] }], cachedContent: `caches/${id}` }),
  ],
  [
    'createEmbeddings',
    'embedding',
    'file',
    (id) => ({ content: { parts: [{ fileData: { fileUri: `files/${id}` } }] } }),
  ],
  [
    'createCache',
    'text',
    'file',
    (id) => ({ ttl_seconds: 60, contents: [{ parts: [{ fileData: { fileUri: `files/${id}` } }] }] }),
  ],
  [
    'createBatch',
    'text',
    'file',
    (id) => ({
      requests: [
        { key: 'a', request: { contents: [{ role: 'user', parts: [{ fileData: { fileUri: `files/${id}` } }] }] } },
      ],
    }),
  ],
  [
    'createBatch',
    'text',
    'cache',
    (id) => ({
      requests: [
        {
          key: 'a',
          request: { contents: [{ role: 'user', parts: [{ text: 'Hi' }] }], cachedContent: `caches/${id}` },
        },
      ],
    }),
  ],
  ['createVideo', 'video', 'video', (video) => ({ prompt: 'Go on.', video })],
  ['createVideo', 'video', 'file', (id) => ({ prompt: 'Go.', image: { uri: `files/${id}` } })],
  ['createInteraction', 'text', 'file', (id) => ({ input: [{ type: 'document', uri: `files/${id}` }] })],
  ['createInteraction', 'text', 'interaction', (id) => ({ input: 'Hi', previous_interaction_id: id })],
  ['createInteraction', 'text', 'agent', (id) => ({ input: 'Hi', agent_id: id })],
  ['createInteraction', 'text', 'environment', (id) => ({ input: 'Hi', environment_id: id })],
  ['createInteraction', 'text', 'store', (id) => ({ input: 'Hi', tools: [{ type: 'file_search', stores: [id] }] })],
];

/** The stranger's own keys, each bound to a model. */
const strangers = new Map<SeedModel, string>();
const strangerKey = async (model: SeedModel): Promise<string> => {
  const known = strangers.get(model) ?? (await world.newStrangerKey(model));
  strangers.set(model, known);
  return known;
};

const pathOf = (id: RouteId): string => {
  const row = routes.find((one) => one.id === id);
  if (row === undefined) throw new Error('there is no such route');
  return targetOf(row, 'service-auto');
};

test.each(references)(
  'a body of %s with a key of %s cannot reach the %s of another project [auth:project:isolated]',
  async (...row) => {
    const [route, model, kind, bodyOf] = row;
    const key = await strangerKey(model);
    const ask = (id: string): Promise<HostileAnswer> =>
      world.ask('socket', { method: 'POST', target: pathOf(route), key, body: JSON.stringify(bodyOf(id)) });
    const foreign = seen(await ask(world.ids[kind]));
    expect([foreign.status, foreign.text]).toEqual([404, expect.stringContaining('"not_found"')]);
    expect(foreign).toEqual(seen(await ask(unknown)));
  },
);

test('a document cannot take the file or the store of another project [auth:project:isolated]', async () => {
  const key = await strangerKey('text');
  const post = async (target: string, body: object): Promise<HostileAnswer> =>
    world.ask('socket', { method: 'POST', target, key, body: JSON.stringify(body) });
  const own = async (target: string, body: object): Promise<string> =>
    (JSON.parse((await post(target, body)).text) as { readonly id: string }).id;
  const store = await own('/stores', {});
  const file = await own('/files', { display_name: 'a.txt', mime_type: 'text/plain', data: 'YQ==' });
  const tries: readonly (readonly [Partial<NamedIds>, object])[] = [
    [
      { store, file: world.ids.file },
      { store, file: unknown },
    ],
    [
      { store: world.ids.store, file },
      { store: unknown, file },
    ],
  ];
  for (const [foreign, nothing] of tries) {
    const answer = seen(await post('/documents', foreign));
    expect(answer.status).toBe(404);
    expect(answer).toEqual(seen(await post('/documents', nothing)));
  }
  expect((await post('/documents', { store, file })).status).toBe(200);
  await world.settle();
});
