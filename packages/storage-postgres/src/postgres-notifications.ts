import type { Client } from 'pg';
import { defaultSchema } from './default-schema.ts';
import { isPassing, UnsafeServerError } from './judge-server.ts';
import type { PostgresNotificationsOptions } from './postgres-options.ts';
import { collisionWaitMs } from '@tollgate/storage';
import { listenSql } from './notify-channel.ts';
import { createServerDial } from './server-dial.ts';
import { askServer } from './server-facts.ts';
import { checkConfiguration } from '@tollgate/contract/configuration';
import { notificationsOptionsCheck } from './options-check.ts';

/** Tells when some process on the database made work due, or ended an operation. */
export interface PostgresNotifications {
  /**
   * Calls the listener after a notification and after each new connection, for what was said in between is lost. Hints only:
   * each listener polls too. Returns what removes the listener.
   */
  onNotify(listener: () => void): () => void;
  /** Resolves once it listens. Rejects with `UnsafeServerError` where this server will never notify. */
  ready(): Promise<void>;
  close(): Promise<void>;
}

const connectTimeoutMsDefault = 10_000;
const checkEveryMsDefault = 30_000;

/** The client's end, told once. */
const endOf = (client: Client): Promise<void> =>
  new Promise((resolve) => {
    client.on('error', () => resolve());
    client.on('end', () => resolve());
  });

/** Whether a server will never notify, whatever happens to it. */
const isHopeless = (cause: unknown): boolean => cause instanceof UnsafeServerError && !isPassing(cause);

/** A server that fell silent takes its connection with it; nothing else would end the wait for it. Returns what stops this. */
const checkAlive = (client: Client, everyMs: number, answerMs: number): (() => void) => {
  let timer: NodeJS.Timeout | undefined;
  const check = (): void => {
    askServer(client, { standbys: false, place: false }, answerMs).then(checkLater, () => undefined);
  };
  const checkLater = (): void => {
    timer = setTimeout(check, everyMs).unref();
  };
  checkLater();
  return () => clearTimeout(timer);
};

/**
 * Listens on a connection of its own, and again, with growing waits, when that is lost. Where the connection string names several
 * hosts it listens on the primary, as notifications are sent there.
 */
export const postgresNotifications = (options: PostgresNotificationsOptions): PostgresNotifications => {
  checkConfiguration('postgresNotifications', notificationsOptionsCheck, options);
  const { schema = defaultSchema, connectTimeoutMs = connectTimeoutMsDefault, random = Math.random } = options;
  const { checkEveryMs = checkEveryMsDefault } = options;
  const dial = createServerDial(options, {
    connectTimeoutMs,
    demands: { readOnly: false, allowUnsafeServer: true, requireStandby: false, pooler: options.pooler ?? null },
  });
  const listeners = new Set<() => void>();
  const stop = Promise.withResolvers<void>();
  const ready = Promise.withResolvers<void>();
  // A host need not ask.
  ready.promise.catch(() => undefined);
  let closed = false;
  let failures = 0;
  const notify = (): void => {
    for (const listener of listeners) listener();
  };
  const listenOnce = async (): Promise<void> => {
    const { client, discard } = await dial.open();
    const end = endOf(client);
    const stopChecking = checkAlive(client, checkEveryMs, connectTimeoutMs);
    try {
      client.on('notification', notify);
      await client.query(listenSql(schema));
      failures = 0;
      ready.resolve();
      notify();
      await Promise.race([end, stop.promise]);
    } finally {
      stopChecking();
      discard();
    }
  };
  const pause = async (): Promise<void> => {
    let timer: NodeJS.Timeout | undefined;
    const waited = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, collisionWaitMs(failures, random)).unref();
    });
    await Promise.race([waited, stop.promise]);
    clearTimeout(timer);
    failures += 1;
  };
  const listen = async (): Promise<void> => {
    for (;;) {
      try {
        await listenOnce();
      } catch (cause) {
        // Told while it is about the set-up. Later, trying again is all there is to do; workers poll meanwhile.
        if (isHopeless(cause)) ready.reject(cause);
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
