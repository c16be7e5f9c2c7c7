import type { Storage } from '@tollgate/storage';

/** The code of an error that says that a storage was opened to be read. */
const readOnlyCode = 'read_only';

const refusal = (): Error =>
  Object.assign(new Error('nothing is written: the storage was opened with readOnly: true'), { code: readOnlyCode });

const refuse = (): Promise<never> => Promise.reject(refusal());

/**
 * The same storage, of which nothing can be changed. A step that writes nothing is decided on the records as they are; one that
 * writes is refused with `read_only`.
 */
export const readOnlyStorage = (storage: Storage, nowMs: () => Promise<number>): Storage => ({
  ...storage,
  transact: async (keys, decide) => {
    const [records, now] = await Promise.all([storage.read(keys), nowMs()]);
    const { writes, answer } = decide(records, now);
    if (writes.length > 0) throw refusal();
    return answer;
  },
  claim: refuse,
  blobs: { ...storage.blobs, put: refuse, putStream: refuse, delete: refuse },
  vectors: { ...storage.vectors, put: refuse, remove: refuse },
});
