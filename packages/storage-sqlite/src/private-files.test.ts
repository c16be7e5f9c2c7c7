import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { sqliteStorage } from './sqlite-storage.ts';

const shared = mkdtempSync(join(tmpdir(), 'tollgate-private-'));
let folder = '';
let warnings: (readonly string[])[] = [];

beforeEach(() => {
  folder = join(shared, String(readdirSync(shared).length));
  warnings = [];
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);

const openAndUse = async (path: string): Promise<void> => {
  const storage = sqliteStorage({ path, warn: (_, { paths }) => warnings.push(paths) });
  try {
    await storage.transact([{ table: 'setting', id: 'a' }], () => ({
      writes: [{ kind: 'put', table: 'setting', record: { id: 'a', value: 'b' } }],
      answer: null,
    }));
    await storage.blobs.put('a', Buffer.from('secret'));
    expect([path, `${path}-wal`, `${path}-shm`].map(modeOf)).toEqual(Array.from({ length: 3 }, () => modeOf(path)));
  } finally {
    await storage.close();
  }
};

/** Every file and folder below one. */
const below = (place: string): readonly string[] =>
  readdirSync(place, { recursive: true, encoding: 'utf8' }).map((name) => join(place, name));

describe.runIf(process.platform !== 'win32')('what is kept on disk', () => {
  test('is created readable by its user only, with its folders', async () => {
    const path = join(folder, 'nested', 'a.db');
    await openAndUse(path);
    const made = [folder, ...below(folder)];
    expect(made.length).toBeGreaterThan(6);
    for (const place of made) expect([place, modeOf(place)]).toEqual([place, statSync(place).isFile() ? '600' : '700']);
    expect(warnings).toEqual([]);
  });

  test('keeps the mode that it was found with, and tells of what others can read', async () => {
    const path = join(folder, 'a.db');
    mkdirSync(folder);
    chmodSync(folder, 0o755);
    writeFileSync(path, '');
    chmodSync(path, 0o644);
    mkdirSync(`${path}-blobs`);
    chmodSync(`${path}-blobs`, 0o755);
    await openAndUse(path);
    expect(warnings).toEqual([[path, `${path}-wal`, `${path}-shm`, `${path}-blobs`]]);
    expect([folder, path, `${path}-blobs`].map(modeOf)).toEqual(['755', '644', '755']);
    chmodSync(path, 0o600);
    chmodSync(`${path}-blobs`, 0o700);
    warnings = [];
    await openAndUse(path);
    expect(warnings).toEqual([]);
  });

  test('warns no more where no other user can enter the folder', async () => {
    const path = join(folder, 'a.db');
    mkdirSync(folder, { mode: 0o700 });
    writeFileSync(path, '');
    chmodSync(path, 0o644);
    await openAndUse(path);
    expect(warnings).toEqual([]);
  });

  test('is a warning of the process where the host listens to none', async () => {
    const path = join(folder, 'a.db');
    mkdirSync(folder);
    chmodSync(folder, 0o755);
    writeFileSync(path, '');
    chmodSync(path, 0o644);
    const heard = new Promise<Error>((resolve) => process.once('warning', resolve));
    await sqliteStorage({ path }).close();
    expect((await heard).message).toContain(path);
  });

  test('is no file at all in memory', async () => {
    await sqliteStorage({ path: ':memory:', warn: (_, { paths }) => warnings.push(paths) }).close();
    expect(warnings).toEqual([]);
    expect(existsSync(folder)).toBe(false);
  });
});
