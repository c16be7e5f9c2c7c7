import { fork } from 'node:child_process';
import path from 'node:path';

/** How a process that will be killed is set up. */
export interface StreamVictimSetup {
  readonly path: string;
  /** Of the upstream, up to the version. */
  readonly upstreamUrl: string;
  /** Where its streams stop by themselves: the step that settles is about to be committed, or was. */
  readonly stopsAt: 'never' | 'before settlement' | 'after settlement';
}

/** What it says to its parent. */
export type StreamVictimWord =
  | { readonly kind: 'listening'; readonly origin: string }
  /** A stream has stopped where the setup says. */
  | { readonly kind: 'stopped' };

export interface StreamVictim {
  readonly origin: string;
  /** Resolves when so many streams have stopped. */
  readonly stopped: (count: number) => Promise<void>;
  /** SIGKILL; resolves when it has gone. */
  readonly kill: () => Promise<void>;
}

const alive = new Set<{ readonly kill: () => void }>();
process.on('exit', () => alive.forEach((each) => each.kill()));

/** Starts a gateway; resolves when it listens, and rejects where it dies before. */
export const startStreamVictim = async (setup: StreamVictimSetup): Promise<StreamVictim> => {
  const child = fork(path.join(import.meta.dirname, 'stream-victim.ts'), [JSON.stringify(setup)], {
    execArgv: ['--conditions=@tollgate/source'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const entry = { kill: () => void child.kill('SIGKILL') };
  alive.add(entry);
  const exited = Promise.withResolvers<void>();
  const listening = Promise.withResolvers<string>();
  const waiting: { readonly count: number; readonly resolve: () => void }[] = [];
  let stopped = 0;
  child.on('message', (word: StreamVictimWord) => {
    if (word.kind === 'listening') return listening.resolve(word.origin);
    stopped += 1;
    for (const { count, resolve } of waiting) if (stopped >= count) resolve();
  });
  child.on('exit', (code, signal) => {
    alive.delete(entry);
    exited.resolve();
    listening.reject(new Error(`a gateway died: code ${code}, signal ${signal}`));
  });
  return {
    origin: await listening.promise,
    stopped: (count) =>
      new Promise((resolve) => {
        if (stopped >= count) resolve();
        else waiting.push({ count, resolve });
      }),
    kill: () => {
      entry.kill();
      return exited.promise;
    },
  };
};
