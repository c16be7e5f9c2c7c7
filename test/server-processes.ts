// Signals to a server and its children, which it does not take with it when it is killed.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A process and its children. */
export const processesOf = async (pid: number): Promise<readonly number[]> => {
  const { stdout } = await run('ps', ['-A', '-o', 'pid=,ppid=']);
  const pairs = stdout.split('\n').map((line) => line.trim().split(/\s+/).map(Number));
  return [pid, ...pairs.flatMap(([own, parent]) => (parent === pid && own !== undefined ? [own] : []))];
};

/** Sends a signal to each; one that has ended meanwhile is passed over. */
export const signalAll = (pids: readonly number[], signal: NodeJS.Signals): void => {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch {
      // It ended between the list and the signal.
    }
  }
};

/** SIGKILL for a process and its children; stopped first, so that it makes no other ones meanwhile. */
export const killProcesses = async (pid: number): Promise<void> => {
  signalAll([pid], 'SIGSTOP');
  signalAll(await processesOf(pid), 'SIGKILL');
};
