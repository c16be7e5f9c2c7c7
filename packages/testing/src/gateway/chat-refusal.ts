import assert from 'node:assert/strict';
import { assertRefused, okJson } from './answer.ts';
import type { GatewayWorld } from './gateway-world.ts';

/** Asserts that each body is refused with 422 and the code, and that none of them reached the provider or a wallet. */
export const assertAllRefused = async (
  world: GatewayWorld,
  code: string,
  bodies: readonly unknown[],
): Promise<void> => {
  const calls = world.provider.calls.length;
  for (const body of bodies) {
    const error = assertRefused(await world.chat(body), 422, code);
    assert.equal(error.at('request_id').value, undefined);
  }
  assert.equal(world.provider.calls.length, calls, 'a refused body reached the provider');
};

/** Asserts that each body is answered. */
export const assertAllTaken = async (world: GatewayWorld, bodies: readonly unknown[]): Promise<void> => {
  for (const body of bodies) okJson(await world.chat(body));
};

const user = { role: 'user', content: 'Hello' } as const;

/** A body of these messages after one of a user. */
export const afterUser = (...messages: readonly unknown[]) => ({ messages: [user, ...messages] });

/** A body of one user message made of these parts. */
export const ofParts = (...content: readonly unknown[]) => ({ messages: [{ role: 'user', content }] });

export const userMessage = user;
