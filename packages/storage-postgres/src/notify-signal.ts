import { claimableTables, type NetWrite } from '@tollgate/storage';
import type { Statement } from './statement.ts';
import { notifyChannel } from './notify-channel.ts';

/** Work that is due within this is worth a notification; for later work workers poll. */
const dueSoonMs = 1_000;

const isDueSoon = (record: object, nowMs: number): boolean =>
  'dueAtMs' in record && typeof record.dueAtMs === 'number' && record.dueAtMs <= nowMs + dueSoonMs;

const hasEnded = (record: object): boolean => 'endedAtMs' in record && typeof record.endedAtMs === 'number';

/** Whether a commit made work due soon, or ended an operation that a client may wait for. */
export const isWorthWaking = (writes: readonly NetWrite[], nowMs: number): boolean =>
  writes.some(
    (write) =>
      write.kind !== 'delete' &&
      claimableTables.some((table) => table === write.table) &&
      (isDueSoon(write.record, nowMs) || hasEnded(write.record)),
  );

export interface NotifySignal {
  /** Says, soon, that there is something to look at. */
  raise(): void;
  stop(): void;
}

export interface NotifySignalOptions {
  readonly schema: string;
  readonly run: (statement: Statement) => Promise<unknown>;
  /** At most one notification in this time, however many commits there are. */
  readonly everyMs: number;
}

/**
 * Notifies other processes after commits, not within them: a transaction that notifies takes a lock on commit that all
 * notifying transactions of the server share, and would bring them into single file. What gets lost with a process is found
 * by polling.
 */
export const createNotifySignal = ({ schema, run, everyMs }: NotifySignalOptions): NotifySignal => {
  let timer: NodeJS.Timeout | undefined;
  const statement = { name: 'notify', text: `SELECT pg_notify($1, '')`, values: [notifyChannel(schema)] };
  const send = (): void => {
    timer = undefined;
    // Polling finds what this would have told.
    run(statement).catch(() => undefined);
  };
  return {
    raise: () => {
      timer ??= setTimeout(send, everyMs).unref();
    },
    stop: () => clearTimeout(timer),
  };
};
