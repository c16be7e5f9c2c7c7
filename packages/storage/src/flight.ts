import { appendOnlyTables, type TableName, type Tables } from './tables.ts';
import type { Decide, Key, Records, Write } from './storage.ts';

/** One row as a whole flight leaves it, told apart by whether it was there before. */
export type NetWrite =
  | { readonly kind: 'insert'; readonly table: TableName; readonly record: Tables[TableName] }
  | {
      readonly kind: 'update';
      readonly table: TableName;
      readonly record: Tables[TableName];
      /** The row as it was loaded, so that an adapter may write only what changed. */
      readonly before: Tables[TableName];
    }
  | { readonly kind: 'delete'; readonly table: TableName; readonly id: string };

/** Records loaded once for many steps; each step sees what the steps before it wrote. */
export interface Flight {
  /** Decides one step. A throw leaves the flight as it was before the step. */
  decide<T>(keys: readonly Key[], decide: Decide<T>): T;
  /** What is to be written for all steps together, each row once, in the order first touched. */
  netWrites(): readonly NetWrite[];
}

type AnyRecord = Tables[TableName];
type Current = ReadonlyMap<string, AnyRecord | undefined>;

const keyText = (table: TableName, id: string): string => `${table}\n${id}`;

const declares = (keys: readonly Key[], table: TableName, id: string): boolean =>
  keys.some((key) => key.table === table && key.id === id);

const restrict = (keys: readonly Key[], current: Current): Records => ({
  get: <T extends TableName>(table: T, id: string) => {
    if (!declares(keys, table, id)) throw new Error(`record not declared: ${table} ${id}`);
    // The map is filled by table, so what lies under a table's key is that table's record.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return current.get(keyText(table, id)) as Tables[T] | undefined;
  },
});

const writeId = (write: Write): string => (write.kind === 'delete' ? write.id : write.record.id);

const isAppendOnly = (table: TableName): boolean => appendOnlyTables.some((name) => name === table);

/** Throws on a write that no step may make. An append is refused here only where the flight knows the row already. */
const refuseIllegal = (keys: readonly Key[], writes: readonly Write[], current: Current): void => {
  const appended = new Set<string>();
  for (const write of writes) {
    const id = writeId(write);
    if (write.kind === 'append') {
      if (!isAppendOnly(write.table)) throw new Error(`table is not append-only: ${write.table}`);
      const text = keyText(write.table, id);
      if (appended.has(text) || current.get(text) !== undefined)
        throw new Error(`row appended twice: ${write.table} ${id}`);
      appended.add(text);
      continue;
    }
    if (isAppendOnly(write.table)) throw new Error(`table is append-only: ${write.table}`);
    if (!declares(keys, write.table, id)) throw new Error(`write not declared: ${write.table} ${id}`);
  }
};

/**
 * Starts a flight on loaded records: `loaded` answers the stored record of a key, or undefined where none is stored. For a
 * fresh key it may answer undefined without looking; another step that names the same key without `fresh` has it looked up.
 */
export const createFlight = (nowMs: number, loaded: (key: Key) => AnyRecord | undefined): Flight => {
  const before = new Map<string, AnyRecord | undefined>();
  const current = new Map<string, AnyRecord | undefined>();
  const touched = new Map<string, { readonly table: TableName; readonly id: string }>();
  const assumedAbsent = new Set<string>();
  const load = (key: Key): void => {
    const text = keyText(key.table, key.id);
    if (before.has(text)) {
      if (key.fresh === true || !assumedAbsent.has(text) || touched.has(text)) return;
    }
    const record = loaded(key);
    if (key.fresh === true && record === undefined) assumedAbsent.add(text);
    else assumedAbsent.delete(text);
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
      refuseIllegal(keys, writes, current);
      for (const write of writes) apply(write);
      return answer;
    },
    netWrites: () => {
      const net: NetWrite[] = [];
      for (const [text, { table, id }] of touched) {
        const record = current.get(text);
        const old = before.get(text);
        if (record === undefined) {
          if (old !== undefined) net.push({ kind: 'delete', table, id });
        } else if (old === undefined) net.push({ kind: 'insert', table, record });
        else net.push({ kind: 'update', table, record, before: old });
      }
      return net;
    },
  };
};
