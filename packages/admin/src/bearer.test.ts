import { expect, test } from 'vitest';
import { bearer } from './bearer.ts';

const operator = { role: 'operator', name: 'olga' } as const;
const owner = { role: 'owner', name: 'ada', accountId: 'a1' } as const;
const [one, other] = ['1'.repeat(32), '2'.repeat(32)];

const authorize = bearer([
  { secret: one, caller: operator },
  { secret: other, caller: owner },
]);

const asking = (authorization?: string) =>
  authorize(new Request('http://host/', authorization === undefined ? {} : { headers: { authorization } }));

test('lets in by each secret as its caller, and no one by anything else', () => {
  expect(asking(`Bearer ${one}`)).toEqual(operator);
  expect(asking(`bearer  ${other}`)).toEqual(owner);
  for (const wrong of [undefined, '', 'Bearer', 'Bearer ', `Basic ${one}`, one, `Bearer ${one}1`, `Bearer ${one} x`])
    expect([wrong, asking(wrong)]).toEqual([wrong, null]);
});

test('refuses a secret that can be guessed', () => {
  expect(() => bearer([{ secret: 'x'.repeat(31), caller: operator }])).toThrow('at least 32 characters');
});
