import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Key, Storage } from '@tollgate/storage';
import { bumpAll } from './counted-record.ts';
import type { StorageWriter } from './storage-hooks.ts';
import { together } from './storage-steps.ts';

/** What a writer changes in each step, all at once. */
export const writtenKeys: readonly Key[] = (['setting', 'wallet', 'operation', 'identity', 'topUp'] as const).map(
  (table) => ({
    table,
    id: 'written',
  }),
);

/** Steps that a writer has under way at once. */
const writersAtOnce = 8;

const print = (line: string): Promise<void> =>
  new Promise((resolve, reject) => {
    process.stdout.write(`${line}\n`, (cause) => (cause ? reject(cause) : resolve()));
  });

/**
 * Raises the same number in several tables, over and over, and gives each number to `acknowledge` when its step has resolved: to
 * standard output by default. Ends when the process is killed, or when `acknowledge` returns false.
 */
export const runStorageWriter = async (
  storage: Storage,
  acknowledge: (count: number) => Promise<boolean> = async (count) => print(String(count)).then(() => true),
): Promise<void> => {
  await together(writersAtOnce, async () => {
    while (await acknowledge(await bumpAll(storage, writtenKeys)));
  });
};

/** Starts a program of Node with these arguments that calls `runStorageWriter`. Its error output is that of this process. */
export const startStorageWriter = (args: readonly string[]): StorageWriter => {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  return { lines: createInterface({ input: child.stdout }), kill: () => void child.kill('SIGKILL') };
};
