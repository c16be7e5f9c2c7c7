import { expect, test } from 'vitest';
import { createDecisionWorld, operationRecord } from '../../test/decision-world.ts';
import { forgetUse, useLookMs, type ClaimedUse } from './forget-use.ts';

const use = { id: 'u1', operationId: 'o1', owner: 'sweep:s1', dueAtMs: 900, createdAtMs: 1 } as const;
const claims: readonly ClaimedUse[] = [
  { table: 'fileUse', use: { ...use, fileId: 'f1' } },
  { table: 'resourceUse', use: { ...use, resourceId: 'r1' } },
];

const worldWith = (claimed: ClaimedUse, endedAtMs: number | null) => {
  const world = createDecisionWorld(operationRecord({ endedAtMs }));
  if (claimed.table === 'fileUse') world.put('fileUse', claimed.use);
  else world.put('resourceUse', claimed.use);
  return { world, stored: () => world.get(claimed.table, 'u1') };
};

test.each(claims)('the use of something is forgotten when its operation has ended ($table)', (claimed) => {
  const { world, stored } = worldWith(claimed, 950);
  expect(world.step(forgetUse(claimed))).toBe(true);
  expect(stored()).toBeUndefined();
});

test.each(claims)('the use of an open operation is checked again later, by any sweep ($table)', (claimed) => {
  const { world, stored } = worldWith(claimed, null);
  expect(world.step(forgetUse(claimed))).toBe(false);
  expect(stored()).toEqual({ ...claimed.use, owner: null, dueAtMs: 1_000 + useLookMs });
});

test.each(claims)('the use that another sweep has is left to it ($table)', (claimed) => {
  const { world, stored } = worldWith(claimed, 950);
  const before = stored();
  const other = { ...before, ...use, owner: 'sweep:s2' };
  if (claimed.table === 'fileUse') world.put('fileUse', { ...other, fileId: 'f1' });
  else world.put('resourceUse', { ...other, resourceId: 'r1' });
  expect(world.step(forgetUse(claimed))).toBe(false);
  expect(stored()?.owner).toBe('sweep:s2');
});
