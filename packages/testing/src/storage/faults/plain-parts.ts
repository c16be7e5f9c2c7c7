import {
  amountMicrosMax,
  appendOnlyTables,
  checkUsageQuery,
  gatherChunks,
  isBlobKey,
  listRowsMax,
  storageBusyCode,
  streamOf,
  checkScan,
  sumUsageRows,
  tableColumns,
  recordOfTable,
  type ClaimQuery,
  type IndexCursor,
  type Key,
  type QueuedStep,
  type Records,
  type TableName,
  type Write,
  type ColumnKind,
} from '@tollgate/storage';
import { fieldOf, rowKey, type PlainDisk, type PlainParts, type Row } from './plain-interface.ts';
import { carryWhenFree, losesAnswer } from './plain-server.ts';
import { vectorParts } from './plain-vectors.ts';

export { createPlainDisk, fieldOf, rowKey, type PlainDisk, type PlainParts, type Row } from './plain-interface.ts';

const takes: { readonly [K in ColumnKind]: (value: unknown) => boolean } = {
  text: (value) => typeof value === 'string' && value.isWellFormed(),
  'text?': (value) => value === null || takes.text(value),
  integer: (value) => Number.isSafeInteger(value),
  'integer?': (value) => value === null || takes.integer(value),
  amount: (value) => typeof value === 'bigint' && value <= amountMicrosMax && value >= -amountMicrosMax,
  'amount?': (value) => value === null || takes.amount(value),
  json: () => true,
  'json?': () => true,
};

const keep = (table: TableName, record: Row): Row => {
  for (const [name, kind] of Object.entries<ColumnKind>(tableColumns[table]))
    if (!takes[kind](fieldOf(record, name))) throw new Error(`${table}.${name} is not of kind ${kind}`);
  return structuredClone(record);
};

const isAppendOnly = (table: TableName): boolean => appendOnlyTables.some((name) => name === table);

const declares = (keys: readonly Key[], table: TableName, id: string): boolean =>
  keys.some((key) => key.table === table && key.id === id);

export const writeIdOf = (write: Write): string => (write.kind === 'delete' ? write.id : write.record.id);

const refuseWrites = (keys: readonly Key[], writes: readonly Write[]): void => {
  for (const write of writes) {
    const id = writeIdOf(write);
    const isMoved = write.kind === 'delete' && write.moved === true;
    if (!isMoved && (write.kind === 'append') !== isAppendOnly(write.table))
      throw new Error(`not a write of ${write.table}`);
    if (write.kind !== 'append' && !declares(keys, write.table, id)) throw new Error(`write not declared: ${id}`);
  }
};

/** Makes all writes on a copy of the committed rows, so that a throw leaves them alone. */
export const commitTo = (disk: PlainDisk, writes: readonly Write[], keepRow: PlainParts['keep']): void => {
  const changes = new Map<string, { readonly table: TableName; readonly row: Row } | undefined>();
  for (const write of writes) {
    const key = rowKey(write.table, writeIdOf(write));
    const present = changes.get(key) !== undefined || disk.rows.has(key);
    if (write.kind === 'append' && present) throw new Error('row appended twice');
    const row = write.kind === 'delete' ? undefined : keepRow(write.table, write.record);
    changes.set(key, row && { table: write.table, row });
  }
  for (const key of changes.keys()) if (disk.server.refused.has(key)) throw new Error('the database refuses the write');
  for (const [key, change] of changes) {
    if (change === undefined) disk.rows.delete(key);
    else disk.rows.set(key, change);
  }
};

const view = (keys: readonly Key[], load: (key: Key) => Row | undefined): Records => {
  const loaded = new Map(keys.map((key) => [rowKey(key.table, key.id), structuredClone(load(key))]));
  return {
    get: <T extends TableName>(table: T, id: string) => {
      if (!loaded.has(rowKey(table, id))) throw new Error(`record not declared: ${id}`);
      const row = loaded.get(rowKey(table, id));
      return row && recordOfTable<T>(row);
    },
  };
};

const isAfter = (place: IndexCursor, cursor: IndexCursor): boolean =>
  place.order < cursor.order || (place.order === cursor.order && place.id < cursor.id);

export const dueOf = (row: Row): number | null => {
  const due = fieldOf(row, 'dueAtMs');
  return typeof due === 'number' ? due : null;
};

const pickDue = (rows: readonly Row[], { limit }: ClaimQuery): readonly Row[] =>
  rows.toSorted((a, b) => Number(dueOf(a)) - Number(dueOf(b))).slice(0, limit);

/** Decides one step alone and commits it; other steps wait in the meantime, for none of this waits. */
export const carryStep = (parts: PlainParts, step: QueuedStep): void => {
  try {
    const records = parts.view(step.keys, (key) => parts.load(key, step));
    const { writes, answer } = step.decide(records, parts.now());
    parts.refuseWrites(step.keys, writes);
    parts.commit(writes);
    if (writes.length > 0 && parts.losesAnswer()) parts.unanswered(step);
    else step.resolve(answer);
  } catch (cause) {
    step.reject(cause);
  }
};

const checkKeys = (keys: readonly Key[]): void => {
  if (!keys.every((key) => key.id.isWellFormed())) throw new Error('an id is not well-formed Unicode');
};

const checkLimit = (limit: number): void => {
  if (!Number.isInteger(limit) || limit < 1 || limit > listRowsMax) throw new RangeError(`not a limit: ${limit}`);
};

const blobPlace = (key: string): string => {
  if (!isBlobKey(key)) throw new Error('not a blob key');
  return key;
};

/** Parts that together are a right storage. `own` returns the whole, in which a fault may have replaced some. */
export const plainParts = (disk: PlainDisk, now: () => number, own: () => PlainParts): PlainParts => ({
  stepsWaitingMax: 16_384,
  now,
  checkKeys,
  checkLimit,
  find: (table, id) => disk.rows.get(rowKey(table, id))?.row,
  load: (key) => own().find(key.table, key.id),
  view,
  refuseWrites,
  keep,
  commit: (writes) => commitTo(disk, writes, (table, record) => own().keep(table, record)),
  carry: (step) => carryStep(own(), step),
  carryAll: (steps) => steps.forEach((step) => carryWhenFree(own(), disk, step)),
  losesAnswer: () => losesAnswer(disk),
  unanswered: (step) => step.reject(Object.assign(new Error('no answer to the commit'), { code: 'unknown_commit' })),
  heldTriesMax: 60,
  busy: () => Object.assign(new Error('another client holds the rows'), { code: storageBusyCode }),
  submitted: () => undefined,
  belongs: (spec, row, of) =>
    (spec.of === null || fieldOf(row, spec.of) === of) &&
    (spec.whereNull === undefined || fieldOf(row, spec.whereNull) === null) &&
    (spec.whereNotNull === undefined || fieldOf(row, spec.whereNotNull) !== null),
  isAfter,
  comesFirst: (a, b) => isAfter(b, a),
  checkScan,
  isScanned: (row, { after, where }) =>
    (after === undefined || row.id > after) && (where === undefined || fieldOf(row, where.field) === where.value),
  isScannedFirst: (one, other) => one < other,
  isDue: (dueAtMs, nowMs) => dueAtMs !== null && dueAtMs <= nowMs,
  pickDue,
  lease: (row, { owner, leaseMs }, nowMs) => ({ ...row, owner, dueAtMs: nowMs + leaseMs }),
  claimed: (_, after) => after,
  pauseInClaim: undefined,
  checkUsageQuery,
  sumUsage: sumUsageRows,
  blobPlace,
  putBlob: (place, bytes) => void disk.blobs.set(place, Uint8Array.from(bytes)),
  getBlob: (place) => {
    const bytes = disk.blobs.get(place);
    return bytes && Uint8Array.from(bytes);
  },
  deleteBlob: (place) => void disk.blobs.delete(place),
  gather: gatherChunks,
  putChunks: async (place, chunks) => {
    const bytes = await own().gather(chunks);
    own().putBlob(place, bytes);
    return bytes.length;
  },
  stream: streamOf,
  ...vectorParts(disk, own),
  pauseInRead: undefined,
  checksDurability: true,
  closing: () => undefined,
  refusesWhenClosed: true,
  waitsOnClosing: true,
});
