import type { Records, Storage, Write } from '@tollgate/storage';

const phaseOf = (work: unknown): unknown =>
  typeof work === 'object' && work !== null && 'phase' in work ? work.phase : null;

const forgotten = (records: Records, write: Write): Write => {
  if (write.kind !== 'put' || write.table !== 'resource') return write;
  const before = records.get('resource', write.record.id);
  if (before === undefined || phaseOf(write.record.work) !== 'submitting') return write;
  return { ...write, record: { ...write.record, work: before.work } };
};

/**
 * The negative control: with this storage no kind ever records that it submits its work, so a worker that takes it up after a death
 * runs it again. The torture must find it.
 */
export const forgetfulStorage = (storage: Storage): Storage => ({
  ...storage,
  transact: (keys, decide) =>
    storage.transact(keys, (records, nowMs) => {
      const { writes, answer } = decide(records, nowMs);
      return { writes: writes.map((write) => forgotten(records, write)), answer };
    }),
});
