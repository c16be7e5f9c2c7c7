// The page of errors names every code with its status, so that a reader who searches for one finds what to do.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { errorTable } from '@tollgate/contract';
import { expect, test } from 'vitest';

const page = readFileSync(path.join(import.meta.dirname, '../docs/troubleshooting.md'), 'utf8');
const row = /^\| `([a-z_]+)` +\| (\d{3}) /gmu;

test('the page of errors has a row for each code, with its status', () => {
  const rows = Array.from(page.matchAll(row), ([, code = '', status]) => [code, Number(status)] as const);
  const codes = Object.entries(errorTable).map(([code, { status }]) => [code, status] as const);
  expect(new Map(rows)).toEqual(new Map(codes));
  expect(rows).toHaveLength(codes.length);
});
