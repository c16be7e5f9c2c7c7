import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

const kibibyte = 1024;
const run = promisify(execFile);

/** The memory that a process holds, as the system counts it; undefined where the process is gone or is not counted. */
export const residentBytes = async (processId: number): Promise<number | undefined> => {
  try {
    if (process.platform === 'linux') {
      const status = await readFile(`/proc/${processId}/status`, 'utf8');
      const [, size] = /^VmRSS:\s+(\d+) kB$/mu.exec(status) ?? [];
      return size === undefined ? undefined : Number(size) * kibibyte;
    }
    const { stdout } = await run('ps', ['-o', 'rss=', '-p', String(processId)]);
    return Number(stdout.trim()) * kibibyte;
  } catch {
    return undefined;
  }
};
