import { expect, test } from 'vitest';
import { toHeaders } from './to-headers.ts';

test('keeps each value of a repeated header, and makes one list of cookies', () => {
  const repeated = ['cookie', 'a=1', 'x-forwarded-for', '::1', 'cookie', 'b=2', 'x-forwarded-for', '::2'];
  const headers = toHeaders({ rawHeaders: repeated });
  expect(headers.get('cookie')).toBe('a=1; b=2');
  expect(headers.get('x-forwarded-for')).toBe('::1, ::2');
});
