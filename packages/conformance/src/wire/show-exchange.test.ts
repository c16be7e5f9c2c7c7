import { expect, test } from 'vitest';
import { showRequest, showResponse, withoutKeys } from './show-exchange.ts';

test('shows a request with its headers and its body, and no key', () => {
  const headers = new Headers({ authorization: 'Bearer tg_secret' });
  const shown = withoutKeys(showRequest('POST /files', headers, { data: 'x' }), ['tg_secret']);
  expect(shown).toBe('POST /files\nauthorization: Bearer <key>\n\n{"data":"x"}');
});

test('cuts a long body, and says by how much', () => {
  const shown = showResponse(200, new Headers(), 'a'.repeat(2_000));
  expect(shown).toMatch(/^200\n\na{1500}… \(500 more characters\)$/u);
});

test('shows a request without a body as one line', () => {
  expect(showRequest('GET /models', new Headers(), undefined)).toBe('GET /models');
});
