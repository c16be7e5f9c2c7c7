import { spawn, type ChildProcess } from 'node:child_process';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Pinning, Place } from './pinning.ts';

export interface Program {
  readonly place: Place;
  /** What to run, the interpreter first. */
  readonly command: readonly string[];
  readonly port: number;
  readonly cwd?: string;
  readonly environment?: Readonly<Record<string, string>>;
}

export interface Running {
  readonly pid: number;
  /** The first line of its standard output, when it comes. */
  readonly firstLine: Promise<string>;
  /** Ends it and waits until it has gone. */
  stop(): Promise<void>;
}

const listeningMsMax = 20_000;
const retryMs = 5;
const stopMs = 3_000;
const errorCharsMax = 4_000;

const canConnect = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' });
    const end = (open: boolean): void => {
      socket.destroy();
      resolve(open);
    };
    socket.on('connect', () => end(true)).on('error', () => end(false));
  });

const firstLineOf = (child: ChildProcess): Promise<string> =>
  new Promise((resolve) => {
    let text = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      const end = text.indexOf('\n');
      if (end !== -1) resolve(text.slice(0, end));
    });
  });

const stop = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), stopMs);
  await exited;
  clearTimeout(timer);
};

/** Everything started and not stopped yet, to be ended with this process. */
const alive = new Set<ChildProcess>();
process.on('exit', () => alive.forEach((child) => child.kill('SIGKILL')));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1));

/** Starts a program in its place. */
export const launch = (pinning: Pinning, { place, command, cwd, environment }: Program): Running => {
  const [file = '', ...rest] = pinning.command(place, command);
  const child = spawn(file, rest, {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NODE_ENV: 'production', ...environment },
  });
  alive.add(child);
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => {
    errors = (errors + chunk.toString()).slice(-errorCharsMax);
  });
  child.on('exit', (code) => {
    alive.delete(child);
    if (code !== null && code !== 0 && code !== 143)
      console.error(`${command.join(' ')} ended with ${code}\n${errors}`);
  });
  return { pid: child.pid ?? 0, firstLine: firstLineOf(child), stop: () => stop(child) };
};

/** Waits until a port takes connections. */
export const untilListening = async (port: number): Promise<void> => {
  const giveUpMs = performance.now() + listeningMsMax;
  while (!(await canConnect(port))) {
    if (performance.now() > giveUpMs) throw new Error(`nothing listens on port ${port}`);
    await delay(retryMs);
  }
};
