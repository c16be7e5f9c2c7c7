import { listRowsMax, type IndexCursor } from '@tollgate/storage';

/** Bytes of the records that one list shows at the most; one record is shown in any case. */
export const listBytesMax = 1_048_576;

/** Bytes of ids, times and states in the JSON of one record at the most, beside what its client wrote. */
export const fixedBytesMax = 1_024;

/**
 * Rows read at once. By design up to seven rows are read beyond what is shown: how long a row is, is known once it is read, and a
 * read for each row would be a hundred round trips for a hundred short ones. Of the hundredth record nothing beyond is read.
 */
const pageRows = 8;

interface ListPage<T> {
  readonly items: readonly T[];
  /** The last row that was read; null where there is none behind it. */
  readonly last: IndexCursor | null;
}

/** A page of rows as they were read, of which some may have gone meanwhile. */
export const listPage = <T>(
  rows: readonly { readonly createdAtMs: number; readonly id: string }[],
  limit: number,
  items: readonly T[],
): ListPage<T> => {
  const last = rows.at(-1);
  const isEnd = last === undefined || rows.length < limit;
  return { items, last: isEnd ? null : { order: last.createdAtMs, id: last.id } };
};

/**
 * The newest records of a list, up to a hundred and up to `listBytesMax`. Reads a few rows at a time and none after the limit, so
 * that large records are not read only to be left out.
 */
export const listWithin = async <T>(
  readPage: (query: { readonly limit: number; readonly after?: IndexCursor }) => Promise<ListPage<T>>,
  bytesOf: (item: T) => number,
): Promise<readonly T[]> => {
  const shown: T[] = [];
  let bytes = 0;
  let after: IndexCursor | null = null;
  do {
    const limit = Math.min(pageRows, listRowsMax - shown.length);
    const page: ListPage<T> = await readPage({ limit, ...(after === null ? {} : { after }) });
    for (const item of page.items) {
      bytes += bytesOf(item);
      if (shown.length > 0 && bytes > listBytesMax) return shown;
      shown.push(item);
    }
    after = page.last;
  } while (after !== null && shown.length < listRowsMax);
  return shown;
};
