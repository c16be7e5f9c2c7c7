import type { Decide, Key, Storage } from '@tollgate/storage';
import type { JobSignal } from '../engine.ts';

/** What the commands that end operations need of a storage. */
export type StepStorage = Pick<Storage, 'transact' | 'read'>;

type Named = { readonly table: string };

const isEvent = ({ table }: Named): boolean => table === 'outbox' || table === 'hostEvent';

// G68
/**
 * The steps of a storage, which notify the deliveries of this process as soon as an event that they wrote is durable. An
 * event whose step was not confirmed, and one of a process that delivers nothing, is found by the sweep.
 */
export const notifyOfEvents = (storage: Storage, eventsDue: JobSignal): StepStorage => ({
  read: (keys) => storage.read(keys),
  transact: (keys, decide) =>
    keys.some(isEvent) ? transactNotifying(storage, eventsDue, keys, decide) : storage.transact(keys, decide),
});

const transactNotifying = <T>(
  storage: Storage,
  eventsDue: JobSignal,
  keys: readonly Key[],
  decide: Decide<T>,
): Promise<T> => {
  let wrote = false;
  const transacting = storage.transact(keys, (records, nowMs) => {
    const decision = decide(records, nowMs);
    wrote = decision.writes.some(isEvent);
    return decision;
  });
  return transacting.then((answer) => {
    if (wrote) eventsDue.notify();
    return answer;
  });
};
