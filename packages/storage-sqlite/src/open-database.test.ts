import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { databaseMissingCode } from '@tollgate/storage';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { sqliteStorage } from './sqlite-storage.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-open-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('opens what is there and makes nothing, where it may not create', async () => {
  const path = join(folder, 'data', 'gateway.db');
  const missing = expect.objectContaining({ code: databaseMissingCode, message: `there is no file ${path}` });
  expect(() => sqliteStorage({ path, create: false })).toThrow(missing);
  expect(existsSync(join(folder, 'data'))).toBe(false);
  await sqliteStorage({ path }).close();
  await sqliteStorage({ path, create: false }).close();
});

test('finds no gateway in memory, where it may not create', () => {
  expect(() => sqliteStorage({ path: ':memory:', create: false })).toThrow(
    expect.objectContaining({ code: databaseMissingCode }),
  );
});

test('refuses options that cannot be meant', () => {
  expect(() => sqliteStorage({ path: '' })).toThrow(
    'path is the text ""; accepted is the path of a file, or \':memory:\'',
  );
});
