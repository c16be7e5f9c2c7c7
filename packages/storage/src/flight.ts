import { appendOnlyTables, type TableName, type Tables } from './tables.ts';
import type { Decide, Key, Records, Write } from './storage.ts';

/** One row as a whole flight leaves it, told apart by whether it was there before. */
export type NetWrite =
  | { readonly kind: 'insert' | 'update'; readonly table: TableName; readonly record: Tables[TableName] }
  | { readonly kind: 'delete'; readonly table: TableName; readonly id: string };

/** Records loaded once for many steps; each step sees what the steps before it wrote. */
export interface Flight {
  /** Decides one step. A throw leaves the flight as it was before the step. */
  decide<T>(keys: readonly Key[], decide: Decide<T>): T;
  /** What is to be written for all steps together, each row once, in the order first touched. */
  netWrites(): readonly NetWrite[];
}

type AnyRecord = Tables[TableName];

const keyText = (table: TableName, id: string): string => `${table}\n${id}`;

const restrict = (keys: readonly Key[], current: ReadonlyMap<string, AnyRecord | undefined>): Records => {
  const declared = new Set(keys.map((key) => keyText(key.table, key.id)));
  return {
    get: <T extends TableName>(table: T, id: string) => {
      const text = keyText(table, id);
      if (!declared.has(text)) throw new Error(`record not declared: ${table} ${id}`);
      // The map is filled by table, so what lies under a table's key is that table's record.
      return current.get(text) as Tables[T] | undefined;
    },
  };
};

const writeId = (write: Write): string => (write.kind === 'delete' ? write.id : write.record.id);

const refuseUndeclared = (keys: readonly Key[], writes: readonly Write[]): void => {
  for (const write of writes) {
    if (write.kind === 'append') {
      if (!appendOnlyTables.includes(write.table)) throw new Error(`table is not append-only: ${String(write.table)}`);
      continue;
    }
    const id = writeId(write);
    if (!keys.some((key) => key.table === write.table && key.id === id))
      throw new Error(`write not declared: ${write.table} ${id}`);
  }
};

/** Starts a flight on loaded records: `loaded` answers the stored record of a key, or undefined where none is stored. */
export const createFlight = (nowMs: number, loaded: (key: Key) => AnyRecord | undefined): Flight => {
  const before = new Map<string, AnyRecord | undefined>();
  const current = new Map<string, AnyRecord | undefined>();
  const touched = new Map<string, { readonly table: TableName; readonly id: string }>();
  const load = (key: Key): void => {
    const text = keyText(key.table, key.id);
    if (before.has(text)) return;
    const record = loaded(key);
    before.set(text, record);
    current.set(text, record);
  };
  const apply = (write: Write): void => {
    const id = writeId(write);
    const text = keyText(write.table, id);
    if (write.kind === 'append') before.set(text, undefined);
    current.set(text, write.kind === 'delete' ? undefined : write.record);
    if (!touched.has(text)) touched.set(text, { table: write.table, id });
  };
  return {
    decide: (keys, decide) => {
      for (const key of keys) load(key);
      const { writes, answer } = decide(restrict(keys, current), nowMs);
      refuseUndeclared(keys, writes);
      for (const write of writes) apply(write);
      return answer;
    },
    netWrites: () => {
      const net: NetWrite[] = [];
      for (const [text, { table, id }] of touched) {
        const record = current.get(text);
        const existed = before.get(text) !== undefined;
        if (record !== undefined) net.push({ kind: existed ? 'update' : 'insert', table, record });
        else if (existed) net.push({ kind: 'delete', table, id });
      }
      return net;
    },
  };
};
