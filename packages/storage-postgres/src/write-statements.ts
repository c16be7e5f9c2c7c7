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
  readonly updates: Row[];
  readonly removals: string[];
}

const isSame = (before: Row, after: Row): boolean => before.every((value, at) => value === after[at]);

const sortWrite = (statements: SchemaStatements, write: NetWrite, to: TableWrites): void => {
  const { codec } = statements.of(write.table);
  switch (write.kind) {
    case 'insert':
      to.inserts.set(write.record.id, codec.encode(write.record));
      return;
    case 'update': {
      const row = codec.encode(write.record);
      if (!isSame(codec.encode(write.before), row)) to.updates.push(row);
      return;
    }
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
  ...(updates.length === 0 ? [] : [table.update(updates)]),
  ...(removals.length === 0 ? [] : [table.remove(removals)]),
];

/**
 * One insert, one update and one removal a table at the most. The rows that were declared, not found and not created are
 * inserted as placeholders and removed again: they stay absent until the commit.
 */
export const writeStatements = (
  statements: SchemaStatements,
  writes: readonly NetWrite[],
  absent: readonly Absent[],
): readonly Statement[] => {
  const tables = new Map<TableName, TableWrites>(
    tableNames.map((table) => [table, { inserts: new Map(), updates: [], removals: [] }]),
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
