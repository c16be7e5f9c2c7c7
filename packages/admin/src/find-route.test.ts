import { expect, test } from 'vitest';
import { createFindRoute } from './find-route.ts';
import { adminRoutes } from './route-table.ts';

const find = createFindRoute(adminRoutes);
const idOf = (method: string, path: string) => {
  const found = find(method, path);
  return found.kind === 'found' ? found.route.id : found;
};

test('finds every row by its own address, and words before parameters', () => {
  for (const { id, method, path } of adminRoutes) expect(idOf(method, path.replaceAll(/[{}]/g, ''))).toBe(id);
  expect(idOf('GET', '/operations/by-identity')).toBe('findOperationByIdentity');
  expect(idOf('GET', '/operations/x')).toBe('readOperation');
});

test('reads parameters as they were before they were encoded', () => {
  expect(find('GET', '/keys/a%2Fb%20c')).toMatchObject({ path: { key_id: 'a/b c' } });
});

test('tells a wrong method from a path that no row has', () => {
  expect(idOf('PUT', '/accounts')).toEqual({ kind: 'method_not_allowed', allow: 'GET, POST' });
  for (const path of ['/account', '/accounts/', '/accounts/x/y', '/keys/%', '', '/'])
    expect([path, idOf('GET', path)]).toEqual([path, { kind: 'unknown' }]);
});
