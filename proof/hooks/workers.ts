import type { ChildProcess } from 'node:child_process';
import path from 'node:path';
import { killProcess, startProcess } from '../worker-process.ts';
import type { HookPlace } from './hook-place.ts';
import type { HeardEvent } from './listener.ts';

const workersAtOnce = 2;
/** Every so many events that the host had not heard before, the worker that hands one over is killed before it can acknowledge it. */
const killEvery = 8;

export interface WorkersOptions extends HookPlace {
  /** The name of the mutant that they carry; '' for none. */
  readonly mutant: string;
}

/** Processes that take events. */
export interface Workers {
  readonly start: (listenerPort: number) => Promise<void>;
  /** Kills the sender of every so many events; resolves when it has gone. */
  readonly dies: (event: HeardEvent) => Promise<boolean>;
  /** Kills no more. */
  readonly spare: () => void;
  /** Events whose worker died with them in hand. */
  readonly orphaned: () => readonly string[];
  readonly stop: () => Promise<void>;
}

const startWorker = async ({ kind, at, mutant }: WorkersOptions, port: number): Promise<ChildProcess> => {
  const words = [kind, at, String(port), mutant];
  const { child } = await startProcess(path.join(import.meta.dirname, 'hook-worker.ts'), words);
  return child;
};

/** Workers, of which one is killed and replaced with every so many events. */
export const createWorkers = (options: WorkersOptions): Workers => {
  const alive = new Map<number, ChildProcess>();
  const replacements: Promise<void>[] = [];
  const known = new Set<string>();
  const orphaned: string[] = [];
  let isSpared = false;
  let sinceDeath = 0;
  let port = 0;
  const add = async (): Promise<void> => {
    const child = await startWorker(options, port);
    alive.set(child.pid ?? 0, child);
  };
  return {
    start: async (listenerPort) => {
      port = listenerPort;
      for (let count = 0; count < workersAtOnce; count += 1) await add();
    },
    dies: async ({ id, pid }) => {
      const child = alive.get(pid);
      // What comes again kills no more, so that each event is taken at last.
      const isFresh = known.size < known.add(id).size;
      if (isFresh) sinceDeath += 1;
      if (isSpared || !isFresh || sinceDeath < killEvery || child === undefined) return false;
      sinceDeath = 0;
      alive.delete(pid);
      orphaned.push(id);
      await killProcess(child);
      replacements.push(add());
      return true;
    },
    spare: () => {
      isSpared = true;
    },
    orphaned: () => orphaned,
    stop: async () => {
      await Promise.all(replacements);
      for (const child of alive.values()) await killProcess(child);
    },
  };
};
