import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const folder = path.join(import.meta.dirname, 'results');

/** Writes a result where git ignores it, named for what was measured and when; returns the file. */
export const saveResult = (name: string, result: object): string => {
  mkdirSync(folder, { recursive: true });
  const file = path.join(folder, `${name}-${new Date().toISOString().slice(0, 19).replaceAll(':', '')}.json`);
  writeFileSync(file, `${JSON.stringify(result, null, 1)}\n`);
  return file;
};
