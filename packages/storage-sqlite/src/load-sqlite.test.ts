import { expect, test } from 'vitest';
import { loadSqlite } from './load-sqlite.ts';

test.each([
  ['has no SQLite', () => undefined],
  ['cannot be asked for it', undefined],
])('says what to do in a runtime that %s', (_, getBuiltinModule) => {
  const load = () => loadSqlite({ versions: { node: '20.20.2' }, getBuiltinModule });
  expect(load).toThrow('sqliteStorage needs node:sqlite, which Node 22.18 or later has; this is Node 20.20.2.');
  expect(load).toThrow(expect.objectContaining({ code: 'runtime_unsupported' }));
});
