import { fork } from 'node:child_process';
import path from 'node:path';
import type { RecordedCall } from '@tollgate/testing/storage';
import type { RacerWord, Round } from './race-plan.ts';

export interface RacerProcess {
  /** Resolves when it has its connections. */
  readonly ready: Promise<void>;
  race(round: Round): Promise<readonly RecordedCall[]>;
  stop(): Promise<void>;
}

/** Starts a process that races against others; its calls are rejected where it ends by itself. */
export const startRacer = (url: string, name: number): RacerProcess => {
  const child = fork(path.join(import.meta.dirname, 'racer.ts'), [url, String(name)], {
    execArgv: ['--conditions=@tollgate/source'],
    // Amounts are bigints.
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const ready = Promise.withResolvers<void>();
  let raced = Promise.withResolvers<readonly RecordedCall[]>();
  child.on('message', (word: RacerWord) => {
    if (word.kind === 'ready') ready.resolve();
    else raced.resolve(word.calls);
  });
  const exited = Promise.withResolvers<void>();
  const gone = new Error(`racer ${name} ended`);
  child.on('exit', () => {
    ready.reject(gone);
    raced.reject(gone);
    exited.resolve();
  });
  // One that ends between two rounds is noticed when the next begins.
  raced.promise.catch(() => undefined);
  return {
    ready: ready.promise,
    race: (round) => {
      if (!child.connected) return Promise.reject(gone);
      raced = Promise.withResolvers();
      child.send(round);
      return raced.promise;
    },
    stop: () => {
      if (child.connected) child.disconnect();
      return exited.promise;
    },
  };
};
