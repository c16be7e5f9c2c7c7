import assert from 'node:assert/strict';
import { okJson, type Json } from './answer.ts';
import { namedEvents, type NamedEvent } from './dialect-wires.ts';
import type { GatewayWorld } from './gateway-world.ts';

/** The events of a stream without those that only show that it lives. */
export const eventsIn = (stream: string): readonly NamedEvent[] => {
  let last = -1;
  return namedEvents(stream).filter(({ data }) => {
    const number = data.at('sequence_number').value;
    if (typeof number !== 'number') return true;
    const isNext = number > last;
    last = Math.max(last, number);
    return isNext;
  });
};

export const valuesOf = (events: readonly NamedEvent[]): readonly unknown[] => events.map(({ data }) => data.value);

export const itemsOf = (response: Json): readonly Json[] => response.at('output').list();
export const typesOf = (items: readonly Json[]): readonly unknown[] => items.map((item) => item.at('type').value);

export const getResponse = async (world: GatewayWorld, id: string): Promise<Json> =>
  okJson(await world.send({ path: `/responses/${id}` }));

/** What the account holds: nothing of it is reserved. */
export const balanceOf = async (world: GatewayWorld): Promise<bigint> => {
  const { balanceMicros, reservedMicros } = await world.wallet.read(world.accountId);
  assert.equal(reservedMicros, 0n, 'credits are held');
  return balanceMicros;
};

/** Asserts that operations were charged once each since the balance was read, and hold nothing any more. */
export const assertCharged = async (world: GatewayWorld, before: bigint, ...ids: readonly string[]): Promise<void> => {
  let sum = 0n;
  for (const id of ids) {
    const operation = await world.admin.readOperation(id.replace(/^[a-z]+_/, ''));
    assert.ok(operation !== null && operation.chargedMicros > 0n, `${id} was not charged`);
    sum += operation.chargedMicros;
  }
  assert.equal(before - (await balanceOf(world)), sum);
};
