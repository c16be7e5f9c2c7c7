import { listRowsMax, type IndexCursor, type Key, type MoveLogRecord } from '@tollgate/storage';
import { accountsOf, keyName } from './account-of-records.ts';
import { inCopyOrder, rowsToCopy } from './account-rows.ts';
import type { Cell } from './cell.ts';
import { clearLog, copyRecords, renewMove } from './move-steps.ts';
import type { CellMove } from './moves-record.ts';

/** The two cells of a move. */
export interface MoveCells {
  readonly from: Cell;
  readonly to: Cell;
}

/** Pages after which the process says that it still copies. */
const pagesPerRenewal = 20;

/** Copies all records of an account as they are found; what changes meanwhile is logged and copied again. */
export const copyAccount = async ({ from, to }: MoveCells, move: CellMove): Promise<void> => {
  let pages = 0;
  for await (const { table, rows } of rowsToCopy(from.storage, move.accountId)) {
    pages += 1;
    if (pages % pagesPerRenewal === 0) await renewMove(from, move);
    const copies = rows.map((record) => ({ key: { table, id: record.id }, record }));
    await copyRecords(to, move, copies);
  }
};

/** Only `logWrite` writes them. */
const areKeys = (value: unknown): value is readonly Key[] => Array.isArray(value);

/** The keys of what was logged, each once. */
const loggedKeys = (rows: readonly MoveLogRecord[]): readonly Key[] => {
  const keys = new Map<string, Key>();
  for (const { keys: logged } of rows)
    for (const { table, id } of areKeys(logged) ? logged : []) keys.set(keyName({ table, id }), { table, id });
  return [...keys.values()];
};

/** Pages of the log that are gathered before the oldest is copied. */
const logPagesMax = 100;

/** What was logged, the oldest first: what a record is found by was logged no later than the record. */
const readLog = async ({ storage }: Cell, accountId: string): Promise<readonly (readonly MoveLogRecord[])[]> => {
  const pages: (readonly MoveLogRecord[])[] = [];
  let after: IndexCursor | undefined;
  while (pages.length < logPagesMax) {
    const page = await storage.list('moveLogByAccount', { of: accountId, limit: listRowsMax, after });
    if (page.length > 0) pages.push(page);
    const last = page.at(-1);
    if (last === undefined || page.length < listRowsMax) break;
    after = { order: last.createdAtMs, id: last.id };
  }
  return pages.toReversed();
};

const copyKeys = async ({ from, to }: MoveCells, move: CellMove, keys: readonly Key[]): Promise<void> => {
  const { accountId } = move;
  const records = await from.storage.read(keys);
  const accounts = await accountsOf(from.storage, keys);
  // A step of several accounts has logged what it changed of all of them.
  const own = keys.filter((key) => (accounts.get(keyName(key)) ?? accountId) === accountId);
  await copyRecords(
    to,
    move,
    own.map((key) => ({ key, record: records.get(key.table, key.id) })),
  );
};

/** Copies once more what was logged. Returns how many steps had logged something. */
export const copyLogged = async (cells: MoveCells, move: CellMove): Promise<number> => {
  const pages = await readLog(cells.from, move.accountId);
  for (const page of pages) {
    const keys = inCopyOrder(loggedKeys(page));
    for (let at = 0; at < keys.length; at += listRowsMax) await copyKeys(cells, move, keys.slice(at, at + listRowsMax));
    await clearLog(
      cells.from,
      page.map(({ id }) => id),
    );
  }
  return pages.reduce((sum, { length }) => sum + length, 0);
};
