import { appendOnlyTables } from './table-groups.ts';
import type { TableName, Tables } from './tables.ts';
import { recordOfTable } from './typed-records.ts';
import type { Decide, Key, Records, Write } from './storage.ts';

/** One row as a whole batch leaves it, told apart by whether it was there before. */
export type NetWrite =
  | { readonly kind: 'insert'; readonly table: TableName; readonly record: Tables[TableName] }
  | {
      readonly kind: 'update';
      readonly table: TableName;
      readonly record: Tables[TableName];
      /** The row as it was loaded, so that an adapter may write only what changed. */
      readonly before: Tables[TableName];
    }
  | { readonly kind: 'delete'; readonly table: TableName; readonly id: string; readonly before: Tables[TableName] };

/** Records loaded once for many steps; each step sees what the steps before it wrote. */
export interface StepBatch {
  /** Decides one step. A throw leaves the batch as it was before the step. */
  decide<T>(keys: readonly Key[], decide: Decide<T>): T;
  /** What is to be written for all steps together, each row once, in the order first touched. */
  netWrites(): readonly NetWrite[];
}

type AnyRecord = Tables[TableName];

/** One row on board. */
interface Slot {
  readonly table: TableName;
  readonly id: string;
  /** As it is stored. */
  before: AnyRecord | undefined;
  /** As the steps so far leave it. */
  current: AnyRecord | undefined;
  /** Not loaded: a fresh id was taken to be absent. */
  assumedAbsent: boolean;
  written: boolean;
}

/** Rows on board by table and id; two maps, because joining both into one text costs more than looking twice. */
type Slots = Map<TableName, Map<string, Slot>>;

const findSlot = (slots: Slots, table: TableName, id: string): Slot | undefined => slots.get(table)?.get(id);

const addSlot = (slots: Slots, slot: Slot): Slot => {
  const ofTable = slots.get(slot.table);
  if (ofTable === undefined) slots.set(slot.table, new Map([[slot.id, slot]]));
  else ofTable.set(slot.id, slot);
  return slot;
};

const declares = (keys: readonly Key[], table: TableName, id: string): boolean => {
  for (const key of keys) if (key.table === table && key.id === id) return true;
  return false;
};

const restrict = (keys: readonly Key[], slots: Slots): Records => ({
  get: <T extends TableName>(table: T, id: string) => {
    if (!declares(keys, table, id)) throw new Error(`record not declared: ${table} ${id}`);
    const current = findSlot(slots, table, id)?.current;
    return current && recordOfTable<T>(current);
  },
});

const writeId = (write: Write): string => (write.kind === 'delete' ? write.id : write.record.id);

const appendOnly: ReadonlySet<TableName> = new Set<TableName>(appendOnlyTables);

const isAppendedBefore = (writes: readonly Write[], at: number, table: TableName, id: string): boolean => {
  for (let earlier = 0; earlier < at; earlier += 1) {
    const write = writes[earlier];
    if (write?.kind === 'append' && write.table === table && write.record.id === id) return true;
  }
  return false;
};

/** Throws on a write that no step may make. An append is refused here only where the batch knows the row already. */
const refuseIllegal = (keys: readonly Key[], writes: readonly Write[], slots: Slots): void => {
  let at = -1;
  for (const write of writes) {
    at += 1;
    const { table } = write;
    const id = writeId(write);
    if (write.kind === 'append') {
      if (!appendOnly.has(table)) throw new Error(`table is not append-only: ${table}`);
      if (isAppendedBefore(writes, at, table, id) || findSlot(slots, table, id)?.current !== undefined)
        throw new Error(`row appended twice: ${table} ${id}`);
      continue;
    }
    const isMoved = write.kind === 'delete' && write.moved === true;
    if (appendOnly.has(table) && !isMoved) throw new Error(`table is append-only: ${table}`);
    if (!declares(keys, table, id)) throw new Error(`write not declared: ${table} ${id}`);
  }
};

const netWriteOf = ({ table, id, before, current }: Slot): NetWrite | null => {
  if (current === undefined) return before === undefined ? null : { kind: 'delete', table, id, before };
  if (before === undefined) return { kind: 'insert', table, record: current };
  return { kind: 'update', table, record: current, before };
};

const netWritesOf = (written: readonly Slot[]): readonly NetWrite[] => {
  const writes: NetWrite[] = [];
  for (const slot of written) {
    const write = netWriteOf(slot);
    if (write !== null) writes.push(write);
  }
  return writes;
};

/**
 * Starts a batch on loaded records: `loaded` returns the stored record of a key, or undefined where none is stored. For a
 * fresh key it may answer undefined without looking; another step that names the same key without `fresh` has it looked up.
 */
export const createStepBatch = (nowMs: number, loaded: (key: Key) => AnyRecord | undefined): StepBatch => {
  const slots: Slots = new Map();
  const written: Slot[] = [];
  const load = (key: Key): void => {
    const slot = findSlot(slots, key.table, key.id);
    if (slot !== undefined && (key.fresh === true || !slot.assumedAbsent || slot.written)) return;
    const record = loaded(key);
    const assumedAbsent = key.fresh === true && record === undefined;
    if (slot === undefined) {
      const { table, id } = key;
      addSlot(slots, { table, id, before: record, current: record, assumedAbsent, written: false });
      return;
    }
    slot.before = record;
    slot.current = record;
    slot.assumedAbsent = assumedAbsent;
  };
  const slotOf = (table: TableName, id: string): Slot =>
    findSlot(slots, table, id) ??
    addSlot(slots, { table, id, before: undefined, current: undefined, assumedAbsent: false, written: false });
  const apply = (write: Write): void => {
    const slot = slotOf(write.table, writeId(write));
    if (write.kind === 'append') slot.before = undefined;
    slot.current = write.kind === 'delete' ? undefined : write.record;
    if (slot.written) return;
    slot.written = true;
    written.push(slot);
  };
  return {
    decide: (keys, decide) => {
      for (const key of keys) load(key);
      const { writes, answer } = decide(restrict(keys, slots), nowMs);
      refuseIllegal(keys, writes, slots);
      for (const write of writes) apply(write);
      return answer;
    },
    netWrites: () => netWritesOf(written),
  };
};
