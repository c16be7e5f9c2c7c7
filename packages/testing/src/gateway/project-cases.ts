import assert from 'node:assert/strict';
import { routes, type Route } from '@tollgate/contract';
import { assertRefused, assertTextError, okJson, requestIdOf } from './answer.ts';
import { chatAbout, createdJson, deleteFile, getFile, uploadedId } from './file-ask.ts';
import { gatewayCase, type GatewayCase } from './gateway-case.ts';
import type { GatewaySettings } from './gateway-under-test.ts';
import type { Ask, GatewayWorld } from './gateway-world.ts';
import { everyKind, kindRows } from './kind-rows.ts';
import {
  askOne,
  cancelOne,
  finishAll,
  foreignRing,
  keyRing,
  listOne,
  readOne,
  removeOne,
  type KeyRing,
  type MadeResource,
  usesOf,
} from './made-resource.ts';
import { suiteModel } from './suite-tariff.ts';
import { textFileId } from './store-ask.ts';
import { triggerId } from './trigger-ask.ts';
import { workThrough } from './video-ask.ts';
import { hookId } from './webhook-ask.ts';

const settings: GatewaySettings = { ...everyKind, receives: true };

const nowhere = '01900000-0000-7000-8000-000000000000';

/** Every route that names something by its id. */
const byId: readonly Route[] = routes.filter(({ path }) => /\{(?:\w+_)?id\}/.test(path));

/** A body that a route by id takes. */
const patchOf = ({ path }: Route): object => (path.startsWith('/caches') ? { ttl_seconds: 60 } : { enabled: false });

const askOf = (route: Route, id: string, key: string): Ask => ({
  key,
  method: route.method,
  path: route.path.replace(/\{\w+\}/, id),
  body: route.request === null ? undefined : patchOf(route),
});

/** Something of a project behind each path. */
interface Belongings {
  readonly made: readonly MadeResource[];
  /** By the first part of the path. */
  readonly ids: ReadonlyMap<string, string>;
}

const furnish = async (world: GatewayWorld, keys: KeyRing): Promise<Belongings> => {
  const made = await finishAll(world, keys);
  const ids = new Map([
    ...made.map(({ row, id }) => [row.path, id] as const),
    ['/files', await uploadedId(world)] as const,
    ['/webhooks', await hookId(world)] as const,
    ['/triggers', await triggerId(world)] as const,
    ['/requests', requestIdOf(await world.chat())] as const,
  ]);
  return { made, ids };
};

const idOf = ({ ids }: Belongings, { path }: Route): string => {
  const id = ids.get(`/${path.split('/')[1] ?? ''}`);
  assert.ok(id !== undefined, `nothing was made for ${path}`);
  return id;
};

const assertNotFound = async (world: GatewayWorld, route: Route, ask: Ask): Promise<void> => {
  const answer = await world.send(ask);
  if (route.errorForm === 'text') assertTextError(answer, 404);
  else assertRefused(answer, 404, 'not_found');
};

const assertAllThere = async (world: GatewayWorld, { made, ids }: Belongings): Promise<void> => {
  for (const one of made) assert.equal((await readOne(world, one)).at('status').value, one.row.usable);
  assert.equal(okJson(await getFile(world, ids.get('/files') ?? '')).at('status').value, 'active');
  for (const path of ['/webhooks', '/triggers'])
    assert.equal(okJson(await world.send({ path: `${path}/${ids.get(path) ?? ''}` })).at('enabled').value, true);
};

/** Who may ask for what. */
export const projectCases: readonly GatewayCase[] = [
  gatewayCase(
    'returns 404 for an id that does not exist, on every route that takes one [errors:status:404-not-found]',
    async (world) => {
      for (const route of byId) await assertNotFound(world, route, askOf(route, nowhere, world.key));
      // What is there under the path of another kind is not there.
      const made = await finishAll(world, keyRing(world));
      for (const { id, key, row } of made)
        for (const other of kindRows.filter(({ kind }) => kind !== row.kind))
          assertRefused(await world.send({ key, path: `${other.path}/${id}` }), 404, 'not_found');
    },
    settings,
  ),
  gatewayCase(
    'returns 404 to keys of other projects, on every route and for every use, and shows them nothing in lists [auth:project:isolated]',
    async (world) => {
      const own = await furnish(world, keyRing(world));
      const foreign = await foreignRing(world);
      const key = await foreign(suiteModel);
      for (const route of byId) await assertNotFound(world, route, askOf(route, idOf(own, route), key));
      for (const one of own.made)
        for (const use of usesOf({ ...one, key: await foreign(one.row.model) }))
          assertRefused(await world.send(use), 404, 'not_found');
      const file = own.ids.get('/files') ?? '';
      const uri = { input: [{ type: 'document', uri: `files/${file}`, mime_type: 'application/pdf' }] };
      const store = own.ids.get('/stores') ?? '';
      const theirs = createdJson(await world.send({ key, path: '/files', body: smallFile }))
        .at('id')
        .text();
      for (const answer of [
        await chatAbout(world, file, { key }),
        await world.send({ key, path: '/interactions', body: uri }),
        await world.send({ key, path: '/documents', body: { store, file: theirs } }),
      ])
        assertRefused(answer, 404, 'not_found');
      for (const { path } of kindRows) assert.deepEqual(await listOne(world, path, { key }), []);
      for (const path of ['/webhooks', '/triggers']) assert.deepEqual(await listOne(world, path, { key }), []);
      assert.equal((await listOne(world, '/files', { key })).length, 1);
      await assertAllThere(world, own);
    },
    settings,
  ),
  gatewayCase(
    'lets every key of a project query, use and end what another of its keys made [auth:project:shared]',
    async (world) => {
      const own = await furnish(world, keyRing(world));
      const others = keyRing(world);
      const key = await others(suiteModel);
      // An interaction that wrote text has no content to download, for any caller.
      const reading = byId.filter(({ method, id }) => method === 'GET' && id !== 'getInteractionContent');
      for (const route of reading) {
        const answer = await world.open(askOf(route, idOf(own, route), key));
        assert.equal(answer.status, 200, route.path);
        await answer.body?.cancel();
      }
      for (const one of own.made) {
        const mine = { ...one, key: await others(one.row.model) };
        for (const use of usesOf(mine)) okJson(await world.send(use));
        await workThrough(world);
        assert.ok((await listOne(world, one.row.path, { key })).some((record) => record.at('id').value === one.id));
        if (one.row.kind === 'batch' || one.row.kind === 'interaction') okJson(await cancelOne(world, mine));
        if (one.row.kind === 'cache')
          okJson(await askOne(world, mine, { method: 'PATCH', body: { ttl_seconds: 7_200 } }));
      }
      const file = own.ids.get('/files') ?? '';
      okJson(await chatAbout(world, file, { key }));
      const store = own.ids.get('/stores') ?? '';
      okJson(await world.send({ key, path: '/documents', body: { store, file: await textFileId(world, 'Ships.') } }));
      await workThrough(world);
      for (const one of own.made) okJson(await removeOne(world, { ...one, key }));
      okJson(await deleteFile(world, file, { key }));
    },
    settings,
  ),
];

const smallFile = { display_name: 'a.txt', mime_type: 'text/plain', data: Buffer.from('Ships.').toString('base64') };
