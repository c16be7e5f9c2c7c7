import type { Records, Storage } from '@tollgate/storage';
import { identityKey, identityOf, identityWrites, refuseChanged, type ExpectedIdentity } from './cell-identity.ts';
import { CellRefused } from './cell-refused.ts';
import { placeKey, placeOf } from './moved-place.ts';
import { movesKey, movesOf } from './moves-record.ts';
import { scanPages } from './scan-pages.ts';

/** Pages of accounts that are looked through at the most in a storage that was never opened as a cell. */
const pagesMax = 10;

/** Whether the options look for an account in the cell. */
export type IsLookedFor = (accountId: string) => boolean;

/** What decides whether a cell is admitted. */
export interface Admission {
  readonly expected: ExpectedIdentity;
  readonly isLookedFor: IsLookedFor;
}

/** An admitted storage, and what may be done before anything is asked of it. */
export interface AdmittedStorage {
  readonly storage: Storage;
  /** Rejects where the cell is to be refused; writes nothing. */
  readonly inspect: () => Promise<void>;
  /** Writes down as which cell it is opened. Rejects where it is to be refused. */
  readonly admit: () => Promise<void>;
}

const misplaced = (name: string, accountId: string): CellRefused =>
  new CellRefused(
    name,
    `it has the account ${JSON.stringify(accountId)}, for which these options look elsewhere. Where ${name} was the only storage before, write earlier: [["${name}"]]; where cells were added to others, write the names of those as an earlier list`,
  );

/** Throws on the first account that would not be found; what was moved, or is on its way, is found in another way. */
const refuseMisplaced = async (storage: Storage, { expected: { name }, isLookedFor }: Admission): Promise<void> => {
  let pages = 0;
  for await (const page of scanPages(storage, 'account')) {
    for (const { id } of page) {
      if (isLookedFor(id)) continue;
      const records = await storage.read([movesKey, placeKey(id)]);
      const isMoving = movesOf(records).moves.some(({ accountId }) => accountId === id);
      if (!isMoving && placeOf(records, id) === undefined) throw misplaced(name, id);
    }
    pages += 1;
    if (pages === pagesMax) return;
  }
};

const judge = (records: Records, { expected }: Admission) => {
  const stored = identityOf(records);
  if (stored !== undefined) refuseChanged(stored, expected);
  return stored;
};

const createAdmission = (storage: Storage, admission: Admission) => {
  const inspect = async (): Promise<boolean> => {
    const stored = judge(await storage.read([identityKey]), admission);
    if (stored === undefined) await refuseMisplaced(storage, admission);
    return identityWrites(stored, admission.expected).length === 0;
  };
  const admit = async (): Promise<void> => {
    if (await inspect()) return;
    await storage.transact([identityKey], (records) => ({
      writes: identityWrites(judge(records, admission), admission.expected),
      answer: undefined,
    }));
  };
  return { inspect: async () => void (await inspect()), admit };
};

/**
 * A cell that is asked nothing before it is known to fit the options: to be the one of its name, to have no account that would not
 * be found, and to have its place among the same cells as ever. Where the cell does not respond, the next call tries again.
 */
export const admitCell = (storage: Storage, admission: Admission): AdmittedStorage => {
  const { inspect, admit: write } = createAdmission(storage, admission);
  let isAdmitted = false;
  let admitting: Promise<void> | null = null;
  const begin = async (): Promise<void> => {
    try {
      await write();
      isAdmitted = true;
    } finally {
      admitting = null;
    }
  };
  const admit = (): Promise<void> => {
    if (isAdmitted) return Promise.resolve();
    admitting ??= begin();
    return admitting;
  };
  const after = <T>(call: () => Promise<T>): Promise<T> => (isAdmitted ? call() : admit().then(call));
  return {
    inspect,
    admit,
    storage: {
      ...storage,
      transact: (keys, decide) => after(() => storage.transact(keys, decide)),
      read: (keys) => after(() => storage.read(keys)),
      list: (index, query) => after(() => storage.list(index, query)),
      scan: (table, query) => after(() => storage.scan(table, query)),
      claim: (query) => after(() => storage.claim(query)),
      sumUsage: (query) => after(() => storage.sumUsage(query)),
    },
  };
};
