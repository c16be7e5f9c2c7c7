import { okJson, type Answer, type Json } from './answer.ts';
import type { Ask, GatewayWorld } from './gateway-world.ts';

type More = Omit<Ask, 'path' | 'body'>;

/** How long an environment can be used after its last use. */
export const environmentIdleMs = 7 * 24 * 3_600_000;

/** A file of an environment's sources. */
export const inline = (target: string, content = 'text') => ({ type: 'inline', target, content });

export const createEnvironment = (world: GatewayWorld, body: unknown = {}, more: More = {}): Promise<Answer> =>
  world.send({ ...more, path: '/environments', body });

/** The record of an environment that was created just now. */
export const createdEnvironment = async (world: GatewayWorld, body: unknown = {}): Promise<Json> =>
  okJson(await createEnvironment(world, body));

export const getEnvironment = (world: GatewayWorld, id: string, more: More = {}): Promise<Answer> =>
  world.send({ ...more, path: `/environments/${id}` });

export const deleteEnvironment = (world: GatewayWorld, id: string, more: More = {}): Promise<Answer> =>
  world.send({ ...more, method: 'DELETE', path: `/environments/${id}` });

export const listTree = (world: GatewayWorld, id: string, query = '', more: More = {}): Promise<Answer> =>
  world.send({ ...more, path: `/environments/${id}/files${query}` });

/** A download, whose body is still to be read. */
export const downloadFile = (world: GatewayWorld, id: string, path: string, more: More = {}): Promise<Response> =>
  world.open({
    ...more,
    path: `/environments/${id}/files?${new URLSearchParams({ path, download: 'true' }).toString()}`,
  });

/** An environment with these files, by its id. */
export const environmentWith = async (world: GatewayWorld, ...targets: readonly string[]): Promise<string> =>
  (await createdEnvironment(world, { sources: targets.map((target) => inline(target)) })).at('id').text();
