import { partialIndexes, plainSql, type JsonSql, type SqlDialect, type SqlFault } from '@tollgate/storage/sql';

/**
 * Rows of one or two hundred bytes that are written or found often live in the tree of their ids, which saves a second tree for
 * the ids and so a page to write for each row. There longer ones would split a page every few rows, so they live in the order of
 * arrival. Every index for lists ends with the id, so that it has the whole order of its list.
 */
const inTreeOfIds: ReadonlySet<string> = new Set([
  'account',
  'wallet',
  'project',
  'api_key',
  'browser_token',
  'spend',
  'identity',
  'entry',
  'deposit',
  'setting',
  'balance_alert',
]);

/** What follows from the primary codes of errors, of which drivers give the number or the name. */
const faults: readonly { readonly code: number; readonly name: string; readonly fault: SqlFault }[] = [
  { code: 5, name: 'SQLITE_BUSY', fault: 'busy' },
  { code: 6, name: 'SQLITE_LOCKED', fault: 'busy' },
  { code: 10, name: 'SQLITE_IOERR', fault: 'unknown' },
];

/** The low byte of a number, or the beginning of a name, is the primary code; the rest tells variants apart. */
const isOf = (cause: Error, { code, name }: (typeof faults)[number]): boolean =>
  ('errcode' in cause && typeof cause.errcode === 'number' && (cause.errcode & 0xff) === code) ||
  ('code' in cause && typeof cause.code === 'string' && cause.code.startsWith(name));

const faultOf = (cause: unknown): SqlFault => {
  if (!(cause instanceof Error)) return 'other';
  const known = faults.find((one) => isOf(cause, one));
  if (known !== undefined) return known.fault;
  if (cause.message.includes('UNIQUE constraint failed')) return 'race';
  return /already exists|duplicate column/.test(cause.message) ? 'applied' : 'other';
};

/** No name of a table or column is a word that SQLite keeps for itself. */
const plainName = (name: string): string => name;

/** The SQL of SQLite, where the one transaction that writes is alone. */
export const sqliteDialect: SqlDialect = {
  types: {
    id: 'TEXT',
    text: 'TEXT',
    json: 'TEXT',
    integer: 'INTEGER',
    bytes: 'BLOB',
    serial: 'INTEGER NOT NULL PRIMARY KEY',
  },
  tableEnd: (table) => (inTreeOfIds.has(table) ? ' STRICT, WITHOUT ROWID' : ' STRICT'),
  checksAmounts: true,
  indexes: partialIndexes,
  quoted: plainName,
  table: plainName,
  parameter: (at) => `?${at + 1}`,
  comparesPairs: true,
  alsoListed: () => null,
  begin: [plainSql('BEGIN IMMEDIATE')],
  beginSnapshot: [plainSql('BEGIN')],
  clock: `CAST(unixepoch('subsec') * 1000 AS INTEGER)`,
  forUpdate: '',
  forShare: '',
  byIndex: () => '',
  forUpdateSkipLocked: '',
  lockMigrations: [plainSql('BEGIN EXCLUSIVE'), plainSql('SELECT 1')],
  unlockMigrations: [plainSql('COMMIT')],
  faultOf,
};

export const sqliteJson: JsonSql = {
  object: 'json_object',
  objectOfRows: 'json_group_object',
  elements: (array, as) => `json_each(${array}) AS ${as}`,
  merged: (one, other) => `json_patch(${one}, ${other})`,
};
