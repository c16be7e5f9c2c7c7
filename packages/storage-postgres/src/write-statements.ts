import type { NetWrite, TableName } from '@tollgate/storage';
import type { Row } from './row-codec.ts';
import type { Statement } from './statement.ts';
import { tableNames, type SchemaStatements, type TableStatements } from './table-statements.ts';

/** Rows of one table by their ids. */
export interface Absent {
  readonly table: TableName;
  readonly ids: readonly string[];
}

interface TableWrites {
  readonly inserts: Map<string, Row>;
  /** Rows by the places of the columns that change, so that indexes over the others are left alone. */
  readonly updates: Map<string, { readonly places: readonly number[]; readonly rows: Row[] }>;
  readonly removals: string[];
}

/** Different sets of changed columns that one flight updates apart; beyond, all columns are written. */
const updateSetsMax = 8;

const addUpdate = ({ updates }: TableWrites, changed: readonly number[], after: Row): void => {
  if (changed.length === 0) return;
  const few = updates.size < updateSetsMax || updates.has(changed.join());
  const places = few ? changed : after.map((_, at) => at).slice(1);
  const same = updates.get(places.join());
  if (same === undefined) updates.set(places.join(), { places, rows: [after] });
  else same.rows.push(after);
};

const sortWrite = (statements: SchemaStatements, write: NetWrite, to: TableWrites): void => {
  const { codec } = statements.of(write.table);
  switch (write.kind) {
    case 'insert':
      to.inserts.set(write.record.id, codec.encode(write.record));
      return;
    case 'update':
      addUpdate(to, codec.changed(write.before, write.record), codec.encode(write.record));
      return;
    case 'delete':
      to.removals.push(write.id);
  }
};

const byId = ([a]: readonly [string, Row], [b]: readonly [string, Row]): number => (a < b ? -1 : 1);

/** Everybody inserts in this order, so that two who insert the same ids never wait for each other in a circle. */
const insertedRows = (inserts: ReadonlyMap<string, Row>): readonly Row[] =>
  [...inserts].toSorted(byId).map(([, row]) => row);

const statementsOf = (table: TableStatements, { inserts, updates, removals }: TableWrites): readonly Statement[] => [
  ...(inserts.size === 0 ? [] : [table.insert(insertedRows(inserts))]),
  ...Array.from(updates.values(), ({ places, rows }) => table.update(rows, places)),
  ...(removals.length === 0 ? [] : [table.remove(removals)]),
];

/**
 * One insert, one removal and an update for each set of changed columns a table at the most. The rows that were declared, not found and not created are
 * inserted as placeholders and removed again: they stay absent until the commit.
 */
export const writeStatements = (
  statements: SchemaStatements,
  writes: readonly NetWrite[],
  absent: readonly Absent[],
): readonly Statement[] => {
  const tables = new Map<TableName, TableWrites>(
    tableNames.map((table) => [table, { inserts: new Map(), updates: new Map(), removals: [] }]),
  );
  for (const write of writes) {
    const to = tables.get(write.table);
    if (to !== undefined) sortWrite(statements, write, to);
  }
  for (const { table, ids } of absent) {
    const to = tables.get(table);
    for (const id of ids) {
      if (to === undefined || to.inserts.has(id)) continue;
      to.inserts.set(id, statements.of(table).codec.placeholder(id));
      to.removals.push(id);
    }
  }
  return [...tables].flatMap(([table, parts]) => statementsOf(statements.of(table), parts));
};
