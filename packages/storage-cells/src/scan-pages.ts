import { listRowsMax, type ScanQuery, type Storage, type TableName, type Tables } from '@tollgate/storage';

/** Which rows of a table are gone over. */
export interface ScanOf {
  /** Only ids that begin so. */
  readonly prefix?: string;
  readonly where?: ScanQuery['where'];
}

/** The rows of a table by rising id, page by page; no page is empty. */
export async function* scanPages<T extends TableName>(
  source: Pick<Storage, 'scan'>,
  table: T,
  { prefix = '', where }: ScanOf = {},
): AsyncGenerator<readonly Tables[T][], void> {
  let after = prefix === '' ? undefined : prefix;
  for (;;) {
    const page = await source.scan(table, { after, where, limit: listRowsMax });
    const rows = page.filter(({ id }) => id.startsWith(prefix));
    if (rows.length > 0) yield rows;
    if (rows.length < listRowsMax) return;
    after = rows.at(-1)?.id;
  }
}
