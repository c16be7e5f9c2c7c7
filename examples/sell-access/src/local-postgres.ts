// A PostgreSQL server for as long as this process lives.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { KeptPostgres } from './postgres-keeper.ts';

export interface LocalPostgres extends KeptPostgres {
  /** The process that keeps the server. */
  readonly keeperPid: number;
  /** Ends the server and deletes its data. */
  readonly stop: () => Promise<void>;
}

export const startPostgres = async (): Promise<LocalPostgres> => {
  const child = fork(new URL('postgres-keeper.ts', import.meta.url), { detached: true });
  const exited = once(child, 'exit');
  const failed = exited.then(() => Promise.reject(new Error('PostgreSQL did not start')));
  const told = once(child, 'message');
  await Promise.race([told, failed]);
  failed.catch(() => undefined);
  // The keeper sends this once.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const kept = (await told)[0] as KeptPostgres;
  return {
    ...kept,
    keeperPid: child.pid ?? 0,
    stop: async () => {
      if (child.connected) child.disconnect();
      await exited;
    },
  };
};
