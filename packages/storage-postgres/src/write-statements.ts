import { tablesInLockOrder, type NetWrite } from '@tollgate/storage';
import { placesOf, type ColumnSet, type Wanted } from '@tollgate/storage/sql';
import { dueStatements } from './due-rows.ts';
import type { AnyRecord } from './row-codec.ts';
import type { Statement } from './statement.ts';
import type { SchemaStatements, TableStatements } from './table-statements.ts';

interface Inserted {
  readonly id: string;
  readonly line: string;
}

/** Records by the columns that change, so that the rest of a row is left alone. */
type Updates = ReadonlyMap<ColumnSet, readonly AnyRecord[]>;

/** Different sets of changed columns that one flight updates apart; beyond, all columns are written. */
const updateSetsMax = 8;

const updatesOf = ({ codec }: TableStatements, writes: readonly NetWrite[]): Updates => {
  const updates = new Map<ColumnSet, AnyRecord[]>();
  for (const write of writes) {
    if (write.kind !== 'update') continue;
    const changed = codec.changed(write.before, write.record);
    if (changed === 0) continue;
    const columns = updates.size < updateSetsMax || updates.has(changed) ? changed : codec.every;
    const same = updates.get(columns);
    if (same === undefined) updates.set(columns, [write.record]);
    else same.push(write.record);
  }
  return updates;
};

const byId = (a: Inserted, b: Inserted): number => (a.id < b.id ? -1 : 1);

/** Everybody inserts in this order, so that two who insert the same ids never wait for each other in a circle. */
const linesOf = (inserted: readonly Inserted[]): readonly string[] => inserted.toSorted(byId).map(({ line }) => line);

const statementsOf = (
  table: TableStatements,
  writes: readonly NetWrite[],
  absentIds: readonly string[],
): readonly Statement[] => {
  const { codec } = table;
  const inserted = writes.flatMap((write) =>
    write.kind === 'insert' ? [{ id: write.record.id, line: codec.line(write.record) }] : [],
  );
  const created = new Set(inserted.map(({ id }) => id));
  const held = absentIds.filter((id) => !created.has(id));
  const placeholders = held.map((id) => ({ id, line: codec.placeholderLine(id) }));
  const removed = writes.flatMap((write) => (write.kind === 'delete' ? [write.id] : []));
  const lines = linesOf([...inserted, ...placeholders]);
  return [
    ...(lines.length === 0 ? [] : [table.insert(lines)]),
    ...Array.from(updatesOf(table, writes), ([columns, records]) => table.update(records, placesOf(columns))),
    ...(removed.length + held.length === 0 ? [] : [table.remove([...removed, ...held])]),
  ];
};

/**
 * One insert, one removal and an update for each set of changed columns a table at the most. The rows that were declared, not
 * found and not created are inserted as placeholders and removed again: they stay absent until the commit. A table's
 * statements are made when they are asked for, while the server is at work on those before.
 */
export const writeStatements = function* (
  statements: SchemaStatements,
  writes: readonly NetWrite[],
  absent: readonly Wanted[],
): Generator<Statement, void> {
  const written = Map.groupBy(writes, ({ table }) => table);
  const absentIds = new Map(absent.map(({ table, ids }) => [table, ids]));
  for (const table of tablesInLockOrder) {
    const own = written.get(table) ?? [];
    yield* statementsOf(statements.of(table), own, absentIds.get(table) ?? []);
    if (table === 'operation') yield* dueStatements(statements.schema, own);
  }
};
