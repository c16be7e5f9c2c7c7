import { readFileSync } from 'node:fs';
import path from 'node:path';
import { adminRoutes } from '@tollgate/admin';
import { memoryStorage } from '@tollgate/storage-memory';
import { createGateway } from 'tollgate';
import { expect, test } from 'vitest';
import { openAdmin, withOwnUsers } from '../../docs/snippets/admin-over-http.ts';

const page = readFileSync(path.resolve(import.meta.dirname, '../../docs/administration.md'), 'utf8');

test('the page names every route as the table has it, and no other', () => {
  const named = [...page.matchAll(/^\| `((?:GET|POST|PUT|PATCH) [^`]+)` +\| (.+?) +\| (owners too|operators) +\|$/gmu)];
  expect(named.map(([, route, summary, who]) => [route, summary, who])).toEqual(
    adminRoutes.map(({ method, path: below, summary, role }) => [
      `${method} ${below}`,
      summary,
      role === 'owner' ? 'owners too' : 'operators',
    ]),
  );
});

test('the routes that the examples call exist', () => {
  const called = [...page.matchAll(/^(?:curl)(?: -X (\w+))? "?\$ADMIN(\/[^\s"?]+)/gmu)];
  expect(called.length).toBeGreaterThan(15);
  const known = adminRoutes.map(({ method, path: below }) => `${method} ${below.replaceAll(/\{\w+\}/gu, '{}')}`);
  for (const [, method = 'GET', below = ''] of called)
    expect(known).toContain(`${method} ${below.replaceAll(/\$[A-Z]+/gu, '{}')}`);
});

test('both ways of the page to let callers in', async () => {
  const gateway = await createGateway({ storage: memoryStorage() });
  const { id } = await gateway.admin.createAccount({ name: 'Ada' });
  const [olga, ada] = ['o'.repeat(32), 'a'.repeat(32)];
  const admin = openAdmin(gateway, { olga, ada }, id);
  const ask = async (secret: string) =>
    (await admin(new Request('http://host/admin/accounts', { headers: { authorization: `Bearer ${secret}` } }))).status;
  expect([await ask(olga), await ask(ada), await ask('x')]).toEqual([200, 403, 401]);
  const app = withOwnUsers(gateway, (request) =>
    Promise.resolve(
      request.headers.get('cookie') === null ? null : { email: 'olga@host.example', isStaff: true, projectIds: [] },
    ),
  );
  const post = async (headers: Readonly<Record<string, string>>) =>
    (await app.request('/admin/sweep', { method: 'POST', headers })).status;
  expect([await post({}), await post({ cookie: 's' }), await post({ cookie: 's', 'x-admin': '1' })]).toEqual([
    401, 403, 200,
  ]);
  await gateway.close();
});
