import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Key, Storage, TableName, Tables, Write } from '@tollgate/storage';
import { writeOf } from './sample-records.ts';

export const settingKey = (id: string): Key => ({ table: 'setting', id });

export const putSetting = (id: string, value: string): Write => ({
  kind: 'put',
  table: 'setting',
  record: { id, value },
});

/** Makes the writes in one step; a put or delete is declared by itself. */
export const commit = (storage: Storage, writes: readonly Write[]): Promise<void> =>
  storage.transact(
    writes
      .filter((write) => write.kind !== 'append')
      .map((write) => ({ table: write.table, id: write.kind === 'delete' ? write.id : write.record.id })),
    () => ({ writes, answer: undefined }),
  );

/** Adds rows of a table in one step. */
export const addRows = (storage: Storage, table: TableName, records: readonly Tables[TableName][]): Promise<void> =>
  commit(
    storage,
    records.map((record) => writeOf(table, record)),
  );

export const readRecord = async <T extends TableName>(storage: Storage, table: T, id: string) =>
  (await storage.read([{ table, id }])).get(table, id);

export const readSetting = async (storage: Storage, id: string): Promise<string | undefined> =>
  (await readRecord(storage, 'setting', id))?.value;

/** Adds one to a number kept as a setting; an absent one counts as 0. Returns the new number. */
export const increment = (storage: Storage, id: string): Promise<number> =>
  storage.transact([settingKey(id)], (records) => {
    const count = Number(records.get('setting', id)?.value ?? 0) + 1;
    return { writes: [putSetting(id, String(count))], answer: count };
  });

/** Runs `body` for 0 up to `count`, all at once. */
export const together = <T>(count: number, body: (at: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, at) => body(at)));

/** How often a case looks while something else is done, at the most. */
const looksMax = 2_000;

/** Looks over and over until the work is done; fails with what the look found, else with what the work threw. */
export const lookWhile = async (work: Promise<unknown>, look: () => Promise<unknown>): Promise<void> => {
  const state = { working: true };
  const lookOn = async (): Promise<void> => {
    for (let looks = 0; state.working && looks < looksMax; looks += 1) {
      await look();
      await nextTurn();
    }
  };
  const done = work.finally(() => {
    state.working = false;
  });
  for (const outcome of await Promise.allSettled([lookOn(), done]))
    if (outcome.status === 'rejected') throw outcome.reason;
};
