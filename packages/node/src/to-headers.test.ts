import { expect, test } from 'vitest';
import { toHeaders } from './to-headers.ts';

test('keeps each value of a repeated header, and makes one list of cookies', () => {
  const headers = toHeaders({ headersDistinct: { cookie: ['a=1', 'b=2'], 'x-forwarded-for': ['::1', '::2'] } });
  expect(headers.get('cookie')).toBe('a=1; b=2');
  expect(headers.get('x-forwarded-for')).toBe('::1, ::2');
});
