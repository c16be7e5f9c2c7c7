import { expect, test } from 'vitest';
import { autoModelId, defaultBrand } from './brand.ts';

test('names the automatic model after the brand [versioning:brand:auto-model]', () => {
  expect(autoModelId(defaultBrand)).toBe('service-auto');
  expect(autoModelId('acme')).toBe('acme-auto');
});
