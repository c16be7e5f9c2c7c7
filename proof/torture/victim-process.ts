import { fork } from 'node:child_process';
import path from 'node:path';
import type { VictimOrder, VictimRole, VictimSetup, VictimWord } from './victim-setup.ts';

export interface VictimProcess {
  /** Resolves when its code is loaded and it waits to be started. */
  readonly loaded: Promise<void>;
  /** Opens the storage and serves; returns the origin, or null for a worker and where it was killed before it listened. */
  start(role: VictimRole): Promise<string | null>;
  order(order: Extract<VictimOrder, { kind: 'deposit' }>): void;
  readonly pid: number;
  /** SIGKILL; resolves when it has gone. */
  kill(): Promise<void>;
}

export interface VictimListeners {
  readonly onDeposited: (reference: string) => void;
  /** How long it was between two beats, or between the last one and its death. */
  readonly onSilence?: (ms: number) => void;
  /** It ended without being killed. */
  readonly onDeath: (why: string) => void;
}

const alive = new Set<{ readonly kill: () => void }>();
process.on('exit', () => alive.forEach((each) => each.kill()));

const stderrCharsMax = 4_000;
const codeFolder = path.resolve(import.meta.dirname, '../../node_modules/.cache/torture-code');

/** Starts a process up to the point where it waits for its order, so that a killed one is replaced at once. */
export const createVictimProcess = (setup: VictimSetup, listeners: VictimListeners): VictimProcess => {
  const child = fork(path.join(import.meta.dirname, 'victim.ts'), [JSON.stringify(setup)], {
    execArgv: ['--conditions=@tollgate/source'],
    // Most of what a new process costs is reading code that the one before it has read. Chats live between two kills, and are few
    // where a process is replaced at once.
    ...(setup.serves === undefined ? {} : { env: { ...process.env, NODE_COMPILE_CACHE: codeFolder } }),
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  const entry = { kill: () => void child.kill('SIGKILL') };
  alive.add(entry);
  let killed = false;
  let stderr = '';
  const loaded = Promise.withResolvers<void>();
  const listening = Promise.withResolvers<string | null>();
  const exited = Promise.withResolvers<void>();
  child.stderr?.on('data', (chunk: Buffer) => {
    stderr = (stderr + chunk.toString()).slice(-stderrCharsMax);
  });
  let beatMs: number | null = null;
  const noteSilence = (): void => {
    if (beatMs !== null) listeners.onSilence?.(performance.now() - beatMs);
    beatMs = performance.now();
  };
  child.on('message', (word: VictimWord) => {
    switch (word.kind) {
      case 'loaded':
        return loaded.resolve();
      case 'listening':
        return listening.resolve(word.origin);
      case 'working':
        return listening.resolve(null);
      case 'beat':
        return noteSilence();
      case 'deposited':
        return listeners.onDeposited(word.reference);
    }
  });
  // A message that was on its way to a killed process.
  child.on('error', () => undefined);
  child.on('exit', (code, signal) => {
    alive.delete(entry);
    loaded.resolve();
    listening.resolve(null);
    exited.resolve();
    if (!killed) listeners.onDeath(`code ${code}, signal ${signal}: ${stderr}`);
  });
  const send = (order: VictimOrder): void => {
    if (child.connected) child.send(order, () => undefined);
  };
  return {
    pid: child.pid ?? 0,
    loaded: loaded.promise,
    start: (role) => {
      send({ kind: 'start', role });
      return listening.promise;
    },
    order: send,
    kill: () => {
      killed = true;
      if (beatMs !== null) noteSilence();
      child.kill('SIGKILL');
      return exited.promise;
    },
  };
};
