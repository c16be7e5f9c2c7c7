import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** The quickstart as a process of its own, as `npm start` runs it. */
export interface QuickstartProcess {
  readonly base: string;
  readonly key: string;
  readonly credits: number;
  /** Sends the signal, and returns how the process ended: its exit code, or null where the signal ended it. */
  readonly end: (signal: 'SIGTERM' | 'SIGKILL') => Promise<number | null>;
}

const startMsMax = 20_000;
const printed = /^\s*(base address|key|credits)\s+(\S+)$/;

const spawnMain = (
  environment: Readonly<Record<string, string>>,
  errors: 'inherit' | 'pipe' = 'inherit',
): ChildProcess =>
  spawn(
    process.execPath,
    [...process.execArgv, fileURLToPath(new URL('main.ts', import.meta.url))],
    // Nothing of the caller's: its upstream and its folder are not ours to use.
    { env: { ...environment }, stdio: ['ignore', 'pipe', errors] },
  );

/** Reads what the quickstart prints until it has said everything. */
const readPrinted = async (child: ChildProcess): Promise<ReadonlyMap<string, string>> => {
  const found = new Map<string, string>();
  if (child.stdout === null) throw new Error('the quickstart has no output');
  for await (const line of createInterface({ input: child.stdout })) {
    const [, name, value] = printed.exec(line) ?? [];
    if (name !== undefined && value !== undefined) found.set(name, value);
    if (found.size === 3) return found;
  }
  throw new Error('the quickstart ended before it listened');
};

/** Starts it where it cannot listen, and returns how it ended and what it wrote to standard error. */
export const refusedQuickstart = async (
  environment: Readonly<Record<string, string>>,
): Promise<{ readonly code: number | null; readonly errors: string }> => {
  const child = spawnMain(environment, 'pipe');
  const tooLate = setTimeout(() => child.kill('SIGKILL'), startMsMax);
  const closed = once(child, 'close').finally(() => clearTimeout(tooLate));
  child.stdout?.resume();
  let errors = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (errors += text));
  await closed;
  return { code: child.exitCode, errors };
};

/** Starts it, and returns when it listens. */
export const startQuickstart = async (environment: Readonly<Record<string, string>>): Promise<QuickstartProcess> => {
  const child = spawnMain(environment);
  const tooLate = setTimeout(() => child.kill('SIGKILL'), startMsMax);
  const found = await readPrinted(child).finally(() => clearTimeout(tooLate));
  // What it goes on to print is not held up.
  child.stdout?.resume();
  return {
    base: found.get('base address') ?? '',
    key: found.get('key') ?? '',
    credits: Number(found.get('credits')),
    end: async (signal) => {
      const ended = child.exitCode !== null || child.signalCode !== null;
      const exited = ended ? null : once(child, 'exit');
      child.kill(signal);
      await exited;
      return child.exitCode;
    },
  };
};
