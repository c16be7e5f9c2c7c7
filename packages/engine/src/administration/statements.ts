import { listRowsMax, type EntryRecord, type IndexCursor } from '@tollgate/storage';
import type { Engine } from '../engine.ts';
import { isBefore, selectPage, type Page, type PageQuery, type TimeRange } from './search.ts';

/** The entries of an account, newest first; `beforeSeq` pages on. */
export const readStatement = (engine: Engine, accountId: string, beforeSeq?: number): Promise<readonly EntryRecord[]> =>
  engine.storage.list('entriesByAccount', {
    of: accountId,
    limit: listRowsMax,
    ...(beforeSeq === undefined ? {} : { after: { order: beforeSeq, id: '' } }),
  });

/** Which part of a statement is read. */
export interface StatementQuery extends PageQuery, TimeRange {
  readonly accountId: string;
}

type Reader = Pick<Engine, 'storage'>;

/** Entries are numbered without a gap, so that each is found by its number. */
const readEntry = async ({ storage }: Reader, accountId: string, seq: number): Promise<EntryRecord | undefined> => {
  const id = `${accountId}:${seq}`;
  return (await storage.read([{ table: 'entry', id }])).get('entry', id);
};

/** The number of the first entry that is not before a time, by halving: as many reads as the number of entries has binary digits. */
const firstSeqFrom = async (engine: Reader, accountId: string, atMs: number): Promise<number> => {
  const wallet = (await engine.storage.read([{ table: 'wallet', id: accountId }])).get('wallet', accountId);
  let [low, high] = [1, (wallet?.entrySeq ?? 0) + 1];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const entry = await readEntry(engine, accountId, middle);
    if (entry !== undefined && entry.createdAtMs < atMs) low = middle + 1;
    else high = middle;
  }
  return low;
};

const placeOf = ({ seq, id }: EntryRecord): IndexCursor => ({ order: seq, id });

/**
 * A page of the statement of an account, newest first: each entry with the balance after it, and each debit with the key and the model
 * of its operation. The place of an entry is its number; a time is found without reading what is outside of it.
 */
export const findStatement = async (engine: Reader, query: StatementQuery): Promise<Page<EntryRecord>> => {
  const { accountId, untilMs, after } = query;
  const first =
    after === undefined && untilMs !== undefined
      ? { order: await firstSeqFrom(engine, accountId, untilMs), id: '' }
      : after;
  return selectPage((rows) => engine.storage.list('entriesByAccount', { of: accountId, ...rows }), {
    after: first,
    limit: query.limit,
    placeOf,
    keeps: () => true,
    ends: isBefore(query),
  });
};
