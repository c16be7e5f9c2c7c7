import { jsonOf, okJson, type Answer, type Json } from './answer.ts';
import type { Ask, GatewayWorld } from './gateway-world.ts';

type More = Omit<Ask, 'path' | 'body'>;

export const receiving = { receives: true } as const;

export const createHook = (world: GatewayWorld, body: unknown = { url: world.receiver.url }, more: More = {}) =>
  world.send({ ...more, path: '/webhooks', body });

/** A webhook that was created just now, with its secret. */
export const createdHook = async (world: GatewayWorld, body?: unknown, more?: More): Promise<Json> =>
  okJson(await createHook(world, body, more));

/** The id of a webhook that was created just now. */
export const hookId = async (world: GatewayWorld, body?: unknown, more?: More): Promise<string> =>
  (await createdHook(world, body, more)).at('id').text();

export const patchHook = (world: GatewayWorld, id: string, body: unknown, more: More = {}): Promise<Answer> =>
  world.send({ ...more, method: 'PATCH', path: `/webhooks/${id}`, body });

export const deliveriesOf = async (world: GatewayWorld, id: string, more: More = {}): Promise<readonly Json[]> =>
  okJson(await world.send({ ...more, path: `/webhooks/${id}/deliveries` }))
    .at('data')
    .list();

export const onlyDelivery = async (world: GatewayWorld, id: string): Promise<Json> => {
  const deliveries = await deliveriesOf(world, id);
  if (deliveries.length !== 1) throw new Error(`${deliveries.length} deliveries`);
  return jsonOf(deliveries[0]?.value);
};

/** Every event that arrived, parsed. */
export const eventsReceived = ({ receiver }: GatewayWorld): readonly Json[] =>
  receiver.received.map(({ body }) => jsonOf(JSON.parse(body)));
