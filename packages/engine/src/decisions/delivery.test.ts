import type { DeliveryRecord } from '@tollgate/storage';
import { expect, test } from 'vitest';
import { createDecisionWorld } from '../../test/decision-world.ts';
import { concludeDelivery, purgeDelivery, redeliverStep, type ConcludeDeliveryCommand } from './delivery.ts';

const delivery: DeliveryRecord = {
  id: 'd1',
  webhookId: 'w1',
  eventId: 'e1',
  operationId: 'o1',
  projectId: 'p1',
  eventType: 'request.completed',
  body: '{}',
  status: 'pending',
  attempts: 2,
  httpStatus: 503,
  owner: 'sweep:s1',
  dueAtMs: 900,
  createdAtMs: 1,
  updatedAtMs: 1,
};

const worldWith = (change: Partial<DeliveryRecord> = {}) => {
  const world = createDecisionWorld();
  world.put('delivery', { ...delivery, ...change });
  const conclude = (outcome: ConcludeDeliveryCommand['outcome'], claimedBy = 'sweep:s1') =>
    world.step(concludeDelivery({ deliveryId: 'd1', claimedBy, outcome, random: 0.5, keptMs: 50 }));
  return { world, conclude, stored: () => world.get('delivery', 'd1') };
};

test('a delivery that was received ends with its status, and is kept for a while', () => {
  const { conclude, stored } = worldWith();
  const received = { status: 'delivered', attempts: 3, httpStatus: 204 };
  const ended = { ...delivery, ...received, owner: null, dueAtMs: 1_050, updatedAtMs: 1_000 };
  expect(conclude({ kind: 'acknowledged', httpStatus: 204 })).toEqual(ended);
  expect(stored()).toEqual(ended);
});

test('a delivery that waits is tried no earlier than asked, and counts no attempt', () => {
  const { conclude, stored } = worldWith();
  conclude({ kind: 'postponed', afterMs: 70 });
  expect(stored()).toMatchObject({ status: 'pending', attempts: 2, owner: null });
  expect(stored()?.dueAtMs).toBeGreaterThanOrEqual(1_070);
});

test('a delivery that is skipped ends without an attempt, and is kept for a while', () => {
  const { conclude, stored } = worldWith();
  conclude({ kind: 'skipped' });
  expect(stored()).toEqual({ ...delivery, status: 'skipped', owner: null, dueAtMs: 1_050, updatedAtMs: 1_000 });
});

test('a refusal is noted with its status, and ends the delivery at the last attempt', () => {
  const { conclude, stored } = worldWith();
  conclude({ kind: 'refused', httpStatus: 500, retryAfterMs: null });
  expect(stored()).toMatchObject({ status: 'pending', attempts: 3, httpStatus: 500, owner: null, updatedAtMs: 1_000 });
  const last = worldWith({ attempts: 7 });
  for (let turn = 0; turn < 20 && last.stored()?.status === 'pending'; turn += 1) {
    last.world.put('delivery', { ...delivery, ...last.stored(), owner: 'sweep:s1' });
    last.conclude({ kind: 'refused', httpStatus: 500, retryAfterMs: null });
  }
  expect(last.stored()).toMatchObject({ status: 'failed', dueAtMs: 1_050 });
});

test('a delivery is concluded by the sweep that has it alone, and once', () => {
  const { conclude, stored } = worldWith();
  expect(conclude({ kind: 'acknowledged', httpStatus: 200 }, 'sweep:s2')).toBeNull();
  expect(stored()).toEqual(delivery);
  conclude({ kind: 'acknowledged', httpStatus: 200 });
  expect(conclude({ kind: 'acknowledged', httpStatus: 200 })).toBeNull();
});

test('an ended delivery is removed by the sweep that has it, and one that is sent again is not', () => {
  const ended = { ...delivery, status: 'delivered', owner: 'sweep:s1' } as const;
  const { world, stored } = worldWith(ended);
  expect(world.step(purgeDelivery({ ...ended, owner: 'sweep:s2' }))).toBe(false);
  expect(stored()).toEqual(ended);
  expect(world.step(purgeDelivery(ended))).toBe(true);
  expect(stored()).toBeUndefined();
  expect(world.step(purgeDelivery(ended))).toBe(false);
  const again = worldWith();
  expect(again.world.step(purgeDelivery(delivery))).toBe(false);
  expect(again.stored()).toEqual(delivery);
});

test('a delivery that is sent again begins with its first attempt, for its own webhook alone', () => {
  const { world, stored } = worldWith({ status: 'failed', owner: null, attempts: 8 });
  expect(world.step(redeliverStep({ deliveryId: 'd1', webhookId: 'w2' }))).toBeNull();
  expect(world.step(redeliverStep({ deliveryId: 'd2', webhookId: 'w1' }))).toBeNull();
  expect(stored()?.status).toBe('failed');
  world.step(redeliverStep({ deliveryId: 'd1', webhookId: 'w1' }));
  const again = { ...delivery, attempts: 0, httpStatus: null, owner: null, dueAtMs: 1_000, updatedAtMs: 1_000 };
  expect(stored()).toEqual(again);
  expect(world.step(redeliverStep({ deliveryId: 'd1', webhookId: 'w1' }))).toEqual(again);
});
