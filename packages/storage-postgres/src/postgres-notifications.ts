import type { Client } from 'pg';
import { defaultSchema } from './migrate.ts';
import { openClient } from './open-client.ts';
import type { PostgresNotificationsOptions } from './postgres-options.ts';
import { waitMs } from './retry.ts';
import { listenSql } from './notify-channel.ts';
import { checkConfiguration } from '@tollgate/contract/configuration';
import { notificationsOptionsCheck } from './options-check.ts';

/** Tells when some process on the database made work due, or ended an operation. */
export interface PostgresNotifications {
  /**
   * Calls the listener after a notification and after each new connection, for what was said in between is lost. Hints only:
   * each listener polls too. Returns what removes the listener.
   */
  onNotify(listener: () => void): () => void;
  /** Resolves once it listens. */
  ready(): Promise<void>;
  close(): Promise<void>;
}

const connectTimeoutMsDefault = 10_000;

/** The client's end, told once. */
const endOf = (client: Client): Promise<void> =>
  new Promise((resolve) => {
    client.on('error', () => resolve());
    client.on('end', () => resolve());
  });

/** Listens on a connection of its own, and again, with growing waits, when that is lost. */
export const postgresNotifications = (options: PostgresNotificationsOptions): PostgresNotifications => {
  checkConfiguration('postgresNotifications', notificationsOptionsCheck, options);
  const { schema = defaultSchema, connectTimeoutMs = connectTimeoutMsDefault, random = Math.random } = options;
  const listeners = new Set<() => void>();
  const stop = Promise.withResolvers<void>();
  const ready = Promise.withResolvers<void>();
  let closed = false;
  let failures = 0;
  const notify = (): void => {
    for (const listener of listeners) listener();
  };
  const listenOnce = async (): Promise<void> => {
    const { client, discard } = await openClient(options, connectTimeoutMs);
    try {
      const end = endOf(client);
      client.on('notification', notify);
      await client.query(listenSql(schema));
      failures = 0;
      ready.resolve();
      notify();
      await Promise.race([end, stop.promise]);
    } finally {
      discard();
    }
  };
  const pause = async (): Promise<void> => {
    let timer: NodeJS.Timeout | undefined;
    const waited = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, waitMs(failures, random)).unref();
    });
    await Promise.race([waited, stop.promise]);
    clearTimeout(timer);
    failures += 1;
  };
  const listen = async (): Promise<void> => {
    for (;;) {
      try {
        await listenOnce();
      } catch {
        // Whatever it was, trying again later is all there is to do; workers poll meanwhile.
      }
      if (closed) return;
      await pause();
      if (closed) return;
    }
  };
  const listening = listen();
  return {
    onNotify: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    ready: () => ready.promise,
    close: async () => {
      closed = true;
      stop.resolve();
      await listening;
    },
  };
};
