import { expect, test } from 'vitest';
import { createDecisionWorld } from '../../test/decision-world.ts';
import { createTokenStep } from './create-token.ts';

const command = {
  id: 't1',
  keyId: 'k1',
  projectId: 'p1',
  accountId: 'a1',
  secretHash: 'hash',
  origins: null,
  models: null,
  budgetMicros: null,
  ttlMs: 60_000,
} as const;

const withKey = (change: { readonly expiresAtMs?: number; readonly status?: 'active' | 'revoked' }) => {
  const world = createDecisionWorld(null);
  const key = world.get('apiKey', 'k1');
  if (key === undefined) throw new Error('the world has a key');
  world.put('apiKey', { ...key, ...change });
  return world;
};

test('a token lives for the time that it was given, and no longer than its key', () => {
  const lasting = withKey({});
  expect(lasting.step(createTokenStep(command))?.expiresAtMs).toBe(lasting.nowMs + 60_000);
  const ending = withKey({ expiresAtMs: 31_000 });
  expect(ending.step(createTokenStep(command))?.expiresAtMs).toBe(31_000);
});

test('a key that may not be used makes none, and a step that is sent again returns the one that it made', () => {
  expect(withKey({ status: 'revoked' }).step(createTokenStep(command))).toBeNull();
  const world = withKey({});
  const made = world.step(createTokenStep(command));
  world.nowMs += 5_000;
  expect(world.step(createTokenStep({ ...command, secretHash: 'another' }))).toEqual(made);
});
