import { expect, test } from 'vitest';
import { createDecisionWorld } from '../../test/decision-world.ts';
import { changeKeyStep } from './change-key.ts';

test('renames a key, switches it off and on, and revokes it once and for good', () => {
  const world = createDecisionWorld();
  world.nowMs = 700;
  const change = (command: Parameters<typeof changeKeyStep>[0]) => world.step(changeKeyStep(command));
  expect(change({ keyId: 'k1', name: 'build' })).toMatchObject({ name: 'build', status: 'active', revokedAtMs: null });
  expect(change({ keyId: 'k1', status: 'inactive' })).toMatchObject({ name: 'build', status: 'inactive' });
  expect(change({ keyId: 'k1', status: 'revoked' })).toMatchObject({ status: 'revoked', revokedAtMs: 700 });
  world.nowMs = 900;
  expect(change({ keyId: 'k1', status: 'active', name: 'old' })).toMatchObject({
    status: 'revoked',
    revokedAtMs: 700,
    name: 'old',
  });
  expect(change({ keyId: 'k9' })).toBeNull();
});

test('changes nothing where the expiry is past, unless it is the one that the key has', () => {
  const world = createDecisionWorld();
  world.nowMs = 700;
  const change = (command: Parameters<typeof changeKeyStep>[0]) => world.step(changeKeyStep(command));
  expect(change({ keyId: 'k1', expiresAtMs: 700, name: 'late' })).toBe('past_expiry');
  expect(change({ keyId: 'k1', expiresAtMs: 701 })).toMatchObject({
    expiresAtMs: 701,
    name: expect.not.stringContaining('late'),
  });
  world.nowMs = 900;
  expect(change({ keyId: 'k1', expiresAtMs: 701, name: 'late' })).toMatchObject({ name: 'late' });
  expect(change({ keyId: 'k1', expiresAtMs: null })).toMatchObject({ expiresAtMs: null });
});
