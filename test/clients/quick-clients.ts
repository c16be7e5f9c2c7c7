import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { Outcome, Reading } from './quick-client-process.ts';

/** Clients in a process of their own, in which they do not wait between two attempts: an hour of retries takes a second. */
export interface QuickClients {
  /** The text that the client read, after all its attempts; null where it reports an error. One at a time. */
  readonly read: (reading: Reading) => Promise<string | null>;
  readonly close: () => Promise<void>;
}

export const startQuickClients = (): QuickClients => {
  const child = fork(new URL('quick-client-process.ts', import.meta.url), [], {
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit');
  let answer: ReturnType<typeof Promise.withResolvers<string | null>> | null = null;
  // Sent by `quick-client-process.ts`.
  child.on('message', (message) => answer?.resolve((message as Outcome).outcome));
  child.on('exit', () => answer?.reject(new Error('the process of the clients ended')));
  return {
    read: (reading) => {
      answer = Promise.withResolvers();
      child.send(reading);
      return answer.promise;
    },
    close: async () => {
      child.kill();
      await ended;
    },
  };
};
