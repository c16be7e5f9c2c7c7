import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { exposedPaths } from './private-files.ts';
import { warnOfExposed } from './warn-of-exposed.ts';

const folder = mkdtempSync(join(tmpdir(), 'tollgate-exposed-'));
afterAll(() => rmSync(folder, { recursive: true }));

const file = join(folder, 'a.db');
const blobs = join(folder, 'blobs');

/** Sets the modes of the folder and of what is in it. */
const setModes = (ofFolder: number, ofFiles: number): void => {
  chmodSync(folder, ofFolder);
  for (const path of [file, blobs]) chmodSync(path, ofFiles);
};

describe.runIf(process.platform !== 'win32')('what other users of the machine can read', () => {
  beforeAll(() => {
    for (const path of [file, blobs]) writeFileSync(path, '');
  });

  test('is what they may read in a folder that they may enter, and nothing that is not there', () => {
    const exposed = (): readonly string[] => exposedPaths([file, join(folder, 'none'), blobs]);
    setModes(0o755, 0o644);
    expect(exposed()).toEqual([file, blobs]);
    setModes(0o755, 0o600);
    expect(exposed()).toEqual([]);
    setModes(0o700, 0o644);
    expect(exposed()).toEqual([]);
    setModes(0o710, 0o640);
    expect(exposed()).toEqual([file, blobs]);
  });

  test('is reported by one warning that names each path, and by none where there is nothing', () => {
    const told: (readonly string[])[] = [];
    const tell = (): void => warnOfExposed(file, blobs, (_, { paths }) => told.push(paths));
    setModes(0o755, 0o600);
    tell();
    expect(told).toEqual([]);
    setModes(0o755, 0o604);
    writeFileSync(`${file}-wal`, '');
    chmodSync(`${file}-wal`, 0o604);
    tell();
    expect(told).toEqual([[file, `${file}-wal`, blobs]]);
  });
});
