import { expect, test } from 'vitest';
import { createMemoryIdentities } from './memory-identities.ts';

const claim = { projectId: 'p', identity: 'i', fingerprint: 'f', operationId: 'o1' };
const rival = { ...claim, operationId: 'o2', fingerprint: 'g' };

test('has one winner, and tells the others whose it is', async () => {
  const identities = createMemoryIdentities();
  const answers = await Promise.all([identities.claim(claim), identities.claim(rival)]);
  expect(answers).toEqual([{ kind: 'claimed' }, { kind: 'known', claim }]);
});

test('responds to a claim that is sent again alike', async () => {
  const identities = createMemoryIdentities();
  await identities.claim(claim);
  expect(await identities.claim(claim)).toEqual({ kind: 'claimed' });
});

test('keeps projects apart, however their names are put together', async () => {
  const identities = createMemoryIdentities();
  await identities.claim({ ...claim, projectId: 'p/x', identity: 'i' });
  expect(await identities.claim({ ...claim, projectId: 'p', identity: 'x/i', operationId: 'o3' })).toEqual({
    kind: 'claimed',
  });
});

test('takes back the claim that stands, and leaves another one alone', async () => {
  const identities = createMemoryIdentities();
  await identities.claim(claim);
  await identities.release(rival);
  expect(identities.find('p', 'i')).toEqual(claim);
  await identities.release(claim);
  expect(identities.find('p', 'i')).toBeUndefined();
  expect(await identities.claim(rival)).toEqual({ kind: 'claimed' });
});
