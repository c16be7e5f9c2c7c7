import assert from 'node:assert/strict';
import { routes, type Route } from '@tollgate/contract';
import { jsonOf, okJson, type Answer, type Json } from './answer.ts';
import type { Ask, GatewayWorld } from './gateway-world.ts';
import { kindRows, type KindRow } from './kind-rows.ts';
import { workThrough } from './video-ask.ts';

type More = Omit<Ask, 'path' | 'body'>;

/** Keys of a project by their model, each created when it is first asked for. */
export type KeyRing = (model: string) => Promise<string>;

export const keyRing = (world: GatewayWorld, projectId: string = world.projectId): KeyRing => {
  const keys = new Map<string, Promise<string>>();
  return (model) => {
    const known = keys.get(model) ?? world.createCaller({ projectId, model }).then(({ key }) => key);
    keys.set(model, known);
    return known;
  };
};

/** Keys of another project of the same account. */
export const foreignRing = async (world: GatewayWorld): Promise<KeyRing> =>
  keyRing(world, await world.createProject(world.accountId));

/** One resource and the key that created it. */
export interface MadeResource {
  readonly row: KindRow;
  readonly key: string;
  readonly id: string;
  readonly created: Json;
}

/** Requests of the same key that use the resource. */
export const usesOf = ({ row, id, key }: MadeResource): readonly Ask[] => row.uses(id).map((use) => ({ ...use, key }));

export const makeOne = async (world: GatewayWorld, keys: KeyRing, row: KindRow): Promise<MadeResource> => {
  const key = await keys(row.model);
  const created = okJson(await world.send({ key, path: row.path, body: await row.body(world, key) }));
  return { row, key, created, id: created.at('id').text() };
};

/** One of each kind, as they were created. */
export const makeAll = async (
  world: GatewayWorld,
  keys: KeyRing,
  rows: readonly KindRow[] = kindRows,
): Promise<readonly MadeResource[]> => {
  const made: MadeResource[] = [];
  for (const row of rows) made.push(await makeOne(world, keys, row));
  return made;
};

/** One of each kind, of which nothing is left to do. */
export const finishAll = async (
  world: GatewayWorld,
  keys: KeyRing,
  rows: readonly KindRow[] = kindRows,
): Promise<readonly MadeResource[]> => {
  const made = await makeAll(world, keys, rows);
  await workThrough(world);
  for (const one of made) assert.equal((await readOne(world, one)).at('status').value, one.row.usable, one.row.kind);
  return made;
};

export const askOne = (
  world: GatewayWorld,
  { row, id, key }: MadeResource,
  more: Omit<Ask, 'path'> = {},
): Promise<Answer> => world.send({ key, ...more, path: `${row.path}/${id}` });

export const readOne = async (world: GatewayWorld, one: MadeResource): Promise<Json> =>
  okJson(await askOne(world, one));

export const removeOne = (world: GatewayWorld, one: MadeResource, more: More = {}): Promise<Answer> =>
  askOne(world, one, { ...more, method: 'DELETE' });

export const cancelOne = (world: GatewayWorld, { row, id, key }: MadeResource, more: More = {}): Promise<Answer> =>
  world.send({ key, ...more, method: 'POST', path: `${row.path}/${id}/cancel` });

/** The records of the list of a kind. */
export const listOne = async (world: GatewayWorld, path: string, more: More = {}): Promise<readonly Json[]> => {
  const list = okJson(await world.send({ ...more, path }));
  assert.deepEqual([list.keys(), list.at('object').value], [['object', 'data'], 'list']);
  return list.at('data').list();
};

/** Resolves when the provider is handed something for the next time. */
export const nextHanded = ({ provider }: GatewayWorld): Promise<void> => {
  const { calls, embedCalls, videoCalls, cacheLog, batchLog, interactionLog } = provider;
  const handed = [calls, embedCalls, videoCalls, cacheLog.created, batchLog.started, interactionLog.started];
  return provider.received(handed.reduce((count, each) => count + each.length, 1));
};

/** Creates one, and does something while its work is in the middle. */
export const whileProcessing = async (
  world: GatewayWorld,
  keys: KeyRing,
  row: KindRow,
  act: (one: MadeResource) => Promise<void>,
): Promise<MadeResource> => {
  // Nothing else may be due, so that whatever the provider is asked is about this one.
  await world.runJobs();
  const one = await makeOne(world, keys, row);
  const gate = Promise.withResolvers<void>();
  row.hold(world, gate.promise);
  const handed = nextHanded(world);
  const jobs = world.runJobs();
  await handed;
  await act(one);
  gate.resolve();
  await jobs;
  await workThrough(world);
  return one;
};

/** Asserts that an answer has the form that the description of its route promises. */
export const assertDescribed = (answer: Answer, method: Route['method'], path: string): Json => {
  const json = okJson(answer);
  const route = routes.find((one) => one.method === method && one.path === path);
  assert.ok(route !== undefined, `${method} ${path}`);
  const contents: Route['success']['contents'] = route.success.contents;
  const parsed = contents['application/json']?.('service').safeParse(json.value);
  assert.ok(parsed?.success === true, `${method} ${path}: ${parsed?.error?.message ?? 'no JSON'}`);
  return jsonOf(json.value);
};
