import type { Storage } from '@tollgate/storage';

type Calls = Pick<Storage, 'transact' | 'read' | 'list' | 'scan' | 'claim' | 'sumUsage'>;

/** Keeps count of the calls under way, so that a storage may wait for them before it closes; refuses what comes afterwards. */
export const waitForCalls = (calls: Calls): Calls & { readonly close: () => Promise<void> } => {
  const underWay = new Set<Promise<unknown>>();
  let isClosed = false;
  const counted = async <T>(begin: () => Promise<T>): Promise<T> => {
    if (isClosed) throw new Error('the storage is closed');
    const call = begin();
    underWay.add(call);
    try {
      return await call;
    } finally {
      underWay.delete(call);
    }
  };
  return {
    transact: (keys, decide) => counted(() => calls.transact(keys, decide)),
    read: (keys) => counted(() => calls.read(keys)),
    list: (index, query) => counted(() => calls.list(index, query)),
    scan: (table, query) => counted(() => calls.scan(table, query)),
    claim: (query) => counted(() => calls.claim(query)),
    sumUsage: (query) => counted(() => calls.sumUsage(query)),
    close: async () => {
      isClosed = true;
      await Promise.allSettled(underWay);
    },
  };
};
