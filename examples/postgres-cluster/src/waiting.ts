import { setTimeout as pause } from 'node:timers/promises';
import type { PostgresNotifications } from '@tollgate/storage-postgres';

const waitMsMax = 60_000;
const lookEveryMs = 50;
/** A notification may get lost, so each waiting process also polls, less often. */
const lookAnywayMs = 2_000;

const stillLate = (deadlineMs: number, what: string): void => {
  if (Date.now() > deadlineMs) throw new Error(`it took too long: ${what}`);
};

/** Polls until there is something. */
export const until = async <T>(what: string, look: () => Promise<T | null>): Promise<T> => {
  const deadlineMs = Date.now() + waitMsMax;
  for (;;) {
    const found = await look();
    if (found !== null) return found;
    stillLate(deadlineMs, what);
    await pause(lookEveryMs);
  }
};

const nextNotification = async (notifications: PostgresNotifications): Promise<void> => {
  const woken = Promise.withResolvers<void>();
  const stop = notifications.onNotify(woken.resolve);
  const anyway = setTimeout(woken.resolve, lookAnywayMs);
  await woken.promise;
  clearTimeout(anyway);
  stop();
};

/** Looks when some process of the cluster says that there is something to look at. */
export const untilWoken = async <T>(
  notifications: PostgresNotifications,
  what: string,
  look: () => Promise<T | null>,
): Promise<T> => {
  const deadlineMs = Date.now() + waitMsMax;
  for (;;) {
    // Listening before looking: what happens in between is not missed.
    const notify = nextNotification(notifications);
    const found = await look();
    if (found !== null) return found;
    stillLate(deadlineMs, what);
    await notify;
  }
};
