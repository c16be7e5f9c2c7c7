import { okJson, type Answer, type Json } from './answer.ts';
import type { Ask, GatewayWorld } from './gateway-world.ts';

type More = Omit<Ask, 'path' | 'body'>;

/** Every hour, by the clocks of UTC. */
export const hourly = { schedule: '0 * * * *', time_zone: 'UTC', interaction: { input: 'Report.' } } as const;

export const hourMs = 3_600_000;

export const createTrigger = (world: GatewayWorld, body: unknown = hourly, more: More = {}): Promise<Answer> =>
  world.send({ ...more, path: '/triggers', body });

/** A trigger that was created just now. */
export const createdTrigger = async (world: GatewayWorld, body?: unknown, more?: More): Promise<Json> =>
  okJson(await createTrigger(world, body, more));

/** The id of a trigger that was created just now. */
export const triggerId = async (world: GatewayWorld, body?: unknown, more?: More): Promise<string> =>
  (await createdTrigger(world, body, more)).at('id').text();

export const readTrigger = async (world: GatewayWorld, id: string, more: More = {}): Promise<Json> =>
  okJson(await world.send({ ...more, path: `/triggers/${id}` }));

export const patchTrigger = (world: GatewayWorld, id: string, body: unknown, more: More = {}): Promise<Answer> =>
  world.send({ ...more, method: 'PATCH', path: `/triggers/${id}`, body });

export const deleteTrigger = (world: GatewayWorld, id: string, more: More = {}): Promise<Answer> =>
  world.send({ ...more, method: 'DELETE', path: `/triggers/${id}` });

export const runsOf = async (world: GatewayWorld, id: string, more: More = {}): Promise<readonly Json[]> =>
  okJson(await world.send({ ...more, path: `/triggers/${id}/runs` }))
    .at('data')
    .list();

/** Moves on to the next whole hour, at which everything hourly is due, and finds it. */
export const nextHour = async (world: GatewayWorld): Promise<void> => {
  world.time.advance(hourMs - (world.time.now() % hourMs));
  await world.runJobs();
};

/** The same, until what was opened has ended. */
export const workNextHour = async (world: GatewayWorld): Promise<void> => {
  await nextHour(world);
  await world.runJobs();
};
