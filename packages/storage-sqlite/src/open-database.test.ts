import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { databaseMissingCode } from '@tollgate/storage';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { checkJournalMode } from './open-database.ts';
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

test('refuses a file that is no database, with what SQLite said, and leaves it as it was', () => {
  const path = join(folder, 'notes.txt');
  const text = 'no database at all, and longer than the header of one would be '.repeat(20);
  writeFileSync(path, text);
  const refusal = expect.objectContaining({
    code: databaseMissingCode,
    message: `the file ${path} is no SQLite database`,
    cause: expect.objectContaining({ errcode: 26 }),
  });
  expect(() => sqliteStorage({ path, create: false })).toThrow(refusal);
  expect(readFileSync(path, 'utf8')).toBe(text);
});

test('says of a database that another process has locked that it is held, and not that it holds no gateway', () => {
  const path = join(folder, 'locked.db');
  const other = new DatabaseSync(path);
  other.exec('CREATE TABLE notes (id INTEGER); BEGIN EXCLUSIVE');
  expect(() => sqliteStorage({ path, create: false, busyTimeoutMs: 1 })).toThrow('another process holds the database');
  other.exec('ROLLBACK');
  const empty = expect.objectContaining({ code: databaseMissingCode, message: `the file ${path} holds no gateway` });
  expect(() => sqliteStorage({ path, create: false })).toThrow(empty);
  other.close();
});

test('refuses a place where SQLite keeps no write-ahead log', () => {
  for (const mode of ['delete', 'off', undefined])
    expect(() => checkJournalMode(mode)).toThrow(`SQLite cannot keep a write-ahead log here: ${mode}`);
  for (const mode of ['wal', 'memory']) checkJournalMode(mode);
});

test('has the blobs of a former process in its folder', async () => {
  const path = join(folder, 'gateway.db');
  const before = sqliteStorage({ path });
  await before.blobs.put('inputs/1', Buffer.from('input'));
  await before.close();
  const after = sqliteStorage({ path });
  expect(Buffer.from((await after.blobs.get('inputs/1')) ?? []).toString()).toBe('input');
  await after.close();
});
