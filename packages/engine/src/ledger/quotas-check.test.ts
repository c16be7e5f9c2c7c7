import { expect, test } from 'vitest';
import { checkQuotas } from './quotas-check.ts';

test('a quota is a whole number or null, and one that exists', () => {
  expect(checkQuotas({ filesMax: 0, storesMax: null })).toEqual({ filesMax: 0, storesMax: null });
  for (const filesMax of [-1, 1.5, Number.NaN, '3'])
    expect(() => checkQuotas({ filesMax } as never)).toThrow('quotas.filesMax');
  expect(() => checkQuotas({ fileMax: 3 } as never)).toThrow('fileMax');
});
