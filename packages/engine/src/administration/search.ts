import { listRowsMax, type IndexCursor, type Metadata } from '@tollgate/storage';

/** What a list is asked for. */
export interface PageQuery {
  /** The place behind which it begins; that of the page before. */
  readonly after?: IndexCursor | undefined;
  /** Items of the page at the most: 1 to 100, by default 100. */
  readonly limit?: number | undefined;
}

/** A page of a list that can be searched. */
export interface SearchQuery extends PageQuery {
  /** Keeps what has it, in any case of letters, in its name, its id or a text of its metadata. */
  readonly search?: string | undefined;
}

/** A time, from its first millisecond to the one before its end. */
export interface TimeRange {
  readonly fromMs?: number | undefined;
  readonly untilMs?: number | undefined;
}

/** Where a list that is ordered by age begins: behind a page before, or at the end of a time. */
export const firstPlace = ({ after, untilMs }: PageQuery & TimeRange): IndexCursor | undefined =>
  after ?? (untilMs === undefined ? undefined : { order: untilMs, id: '' });

/** Whether a record is older than a time. */
export const isBefore =
  ({ fromMs }: TimeRange) =>
  ({ createdAtMs }: { readonly createdAtMs: number }): boolean =>
    fromMs !== undefined && createdAtMs < fromMs;

/** A part of a list, newest first. */
export interface Page<T> {
  readonly items: readonly T[];
  /**
   * The place behind which the list goes on; null at its end. A page that is searched or filtered may hold fewer items than its
   * limit, also none, and yet go on.
   */
  readonly next: IndexCursor | null;
}

/** Rows that one page reads at the most, to find what is searched for. */
const rowsReadMax = 2_000;

type ReadRows<T> = (query: { readonly limit: number; readonly after?: IndexCursor }) => Promise<readonly T[]>;

interface Selecting<T> extends PageQuery {
  readonly placeOf: (row: T) => IndexCursor;
  readonly keeps: (row: T) => boolean;
  /** Whether a row, and with it all that come after it, lies before what is asked for. */
  readonly ends?: ((row: T) => boolean) | undefined;
}

/** The next rows of a list that are kept, of at most `rowsReadMax` that are read for them. */
export const selectPage = async <T>(readRows: ReadRows<T>, query: Selecting<NoInfer<T>>): Promise<Page<T>> => {
  const { limit = listRowsMax, placeOf, keeps, ends = () => false } = query;
  const items: T[] = [];
  let place = query.after ?? null;
  for (let read = 0; read < rowsReadMax; read += listRowsMax) {
    const rows = await readRows(place === null ? { limit: listRowsMax } : { limit: listRowsMax, after: place });
    for (const row of rows) {
      if (ends(row)) return { items, next: null };
      place = placeOf(row);
      if (keeps(row)) items.push(row);
      if (items.length === limit)
        return { items, next: row === rows.at(-1) && rows.length < listRowsMax ? null : place };
    }
    if (rows.length < listRowsMax) return { items, next: null };
  }
  return { items, next: place };
};

interface Named {
  readonly id: string;
  readonly name: string;
  readonly metadata?: Metadata | null;
}

/** Whether a record has the text that is searched for. */
export const matches = (search: string | undefined): ((record: Named) => boolean) => {
  if (search === undefined || search === '') return () => true;
  const sought = search.toLowerCase();
  return ({ id, name, metadata }) =>
    [id, name, ...Object.values(metadata ?? {})].some((text) => text.toLowerCase().includes(sought));
};

/** The place of a record in a list that is ordered by age. */
export const byAge = ({ createdAtMs, id }: { readonly createdAtMs: number; readonly id: string }): IndexCursor => ({
  order: createdAtMs,
  id,
});
