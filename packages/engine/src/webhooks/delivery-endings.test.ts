import type { DeliveryRecord } from '@tollgate/storage';
import { expect, test } from 'vitest';
import { sampleRecords } from '../../../testing/src/storage/sample-records.ts';
import { breathe, createEngineWorld } from '../../test/engine-world.ts';
import { createDeliveryEndings } from './delivery-endings.ts';

const acknowledged = { kind: 'acknowledged', httpStatus: 204 } as const;

const claimed = (id: string): DeliveryRecord => ({
  ...sampleRecords.delivery(id),
  status: 'pending',
  attempts: 0,
  owner: 'sweep',
});

/** So many claimed deliveries, and how many of them are recorded as delivered. */
const createWorld = async (count: number) => {
  const world = await createEngineWorld();
  const { storage } = world.engine;
  const deliveries = Array.from({ length: count }, (_, at) => claimed(`d${at}`));
  const keys = deliveries.map(({ id }) => ({ table: 'delivery', id }) as const);
  await storage.transact(keys, () => ({
    writes: deliveries.map((record) => ({ kind: 'put', table: 'delivery', record })),
    answer: null,
  }));
  const recorded = async (): Promise<number> => {
    await breathe();
    const records = await storage.read(keys);
    return keys.filter(({ id }) => records.get('delivery', id)?.status === 'delivered').length;
  };
  return { world, deliveries, recorded, endings: createDeliveryEndings(world.engine) };
};

test('records endings ten milliseconds after the first of them, all together', async () => {
  const { world, deliveries, recorded, endings } = await createWorld(3);
  for (const delivery of deliveries.slice(0, 2)) endings.add(delivery, acknowledged);
  await world.clock.advance(9);
  for (const delivery of deliveries.slice(2)) endings.add(delivery, acknowledged);
  expect(await recorded()).toBe(0);
  await world.clock.advance(1);
  expect(await recorded()).toBe(3);
});

test('records 128 endings at once, and what there is on demand', async () => {
  const { deliveries, recorded, endings } = await createWorld(130);
  for (const delivery of deliveries.slice(0, 127)) endings.add(delivery, acknowledged);
  expect(await recorded()).toBe(0);
  for (const delivery of deliveries.slice(127, 129)) endings.add(delivery, acknowledged);
  expect(await recorded()).toBe(128);
  await endings.flush();
  expect(await recorded()).toBe(129);
  for (const delivery of deliveries.slice(129)) endings.add(delivery, acknowledged);
  await endings.idle();
  expect(await recorded()).toBe(130);
});

test('logs an ending that could not be recorded, and records the others', async () => {
  const { world, deliveries, recorded } = await createWorld(2);
  const { storage } = world.engine;
  const endings = createDeliveryEndings({
    ...world.engine,
    storage: {
      ...storage,
      transact: (keys, decide) =>
        keys.some(({ id }) => id === 'd0') ? Promise.reject(new Error('away')) : storage.transact(keys, decide),
    },
  });
  for (const delivery of deliveries) endings.add(delivery, acknowledged);
  await endings.idle();
  expect(await recorded()).toBe(1);
  expect(world.warnings).toEqual(['a delivery could not be concluded']);
});
