import {
  amountMicrosMax,
  appendOnlyTables,
  checkChunkQuery,
  checkChunks,
  checkDimensions,
  checkUsageQuery,
  gatherChunks,
  innerProduct,
  isBlobKey,
  listRowsMax,
  streamOf,
  sumUsageRows,
  tableColumns,
  unitVector,
  type AnyIndexSpec,
  type BlobRange,
  type BlobStream,
  type ChunkQuery,
  type ClaimQuery,
  type ColumnKind,
  type FoundChunk,
  type IndexCursor,
  type IndexedChunk,
  type Key,
  type Records,
  type QueuedStep,
  type TableName,
  recordOfTable,
  type Tables,
  type UsageLineRecord,
  type UsageRow,
  type UsageSum,
  type UsageSumQuery,
  type Write,
} from '@tollgate/storage';

export type Row = Tables[TableName];

/** What has been committed; storages that share a disk see each other's commits. */
export interface PlainDisk {
  readonly rows: Map<string, { readonly table: TableName; readonly row: Row }>;
  readonly blobs: Map<string, Uint8Array>;
  readonly chunks: Map<string, IndexedChunk>;
}

export const createPlainDisk = (): PlainDisk => ({ rows: new Map(), blobs: new Map(), chunks: new Map() });

export const rowKey = (table: TableName, id: string): string => `${table}\n${id}`;

export const fieldOf = (row: Row, name: string): unknown => Reflect.get(row, name);

/** Every decision that a plain storage makes, each in a function of its own so that a fault can replace just that one. */
export interface PlainParts {
  readonly stepsWaitingMax: number;
  readonly now: () => number;
  readonly checkKeys: (keys: readonly Key[]) => void;
  readonly checkLimit: (limit: number) => void;
  readonly find: (table: TableName, id: string) => Row | undefined;
  /** What a step is shown of a declared key when it is carried. */
  readonly load: (key: Key, step: QueuedStep) => Row | undefined;
  readonly view: (keys: readonly Key[], load: (key: Key) => Row | undefined) => Records;
  readonly refuseWrites: (keys: readonly Key[], writes: readonly Write[]) => void;
  /** The row as it is kept, or a throw where it cannot be. */
  readonly keep: (table: TableName, record: Row) => Row;
  readonly commit: (writes: readonly Write[]) => void;
  /** Carries one step; the step's own functions inform the caller. */
  readonly carry: (step: QueuedStep) => void;
  readonly carryAll: (steps: readonly QueuedStep[]) => void;
  /** Told of each step as it is submitted. */
  readonly submitted: (step: QueuedStep) => void;
  readonly belongs: (spec: AnyIndexSpec, row: Row, of: string) => boolean;
  readonly isAfter: (place: IndexCursor, cursor: IndexCursor) => boolean;
  /** Whether the first place comes before the second in a list. */
  readonly comesFirst: (a: IndexCursor, b: IndexCursor) => boolean;
  readonly isDue: (dueAtMs: number | null, nowMs: number) => boolean;
  readonly pickDue: (rows: readonly Row[], query: ClaimQuery) => readonly Row[];
  readonly lease: (row: Row, query: ClaimQuery, nowMs: number) => Row;
  readonly claimed: (before: Row, after: Row) => Row;
  /** Runs between the choice of due rows and their lease. */
  readonly pauseInClaim: (() => Promise<void>) | undefined;
  readonly checkUsageQuery: (query: UsageSumQuery) => void;
  readonly sumUsage: (
    query: UsageSumQuery,
    rows: readonly UsageRow[],
    lines: readonly UsageLineRecord[],
  ) => readonly UsageSum[];
  readonly blobPlace: (key: string) => string;
  readonly putBlob: (place: string, bytes: Uint8Array) => void;
  readonly getBlob: (place: string) => Uint8Array | undefined;
  readonly deleteBlob: (place: string) => void;
  readonly gather: (chunks: AsyncIterable<Uint8Array>) => Promise<Uint8Array>;
  readonly putChunks: (place: string, chunks: AsyncIterable<Uint8Array>) => Promise<number>;
  readonly stream: (bytes: Uint8Array, range: BlobRange | undefined) => BlobStream;
  /** Throws where these chunks cannot be put, or this cannot be searched for. */
  readonly checkPut: (chunks: readonly IndexedChunk[]) => void;
  readonly checkSearch: (query: ChunkQuery) => void;
  readonly checkLength: (present: number | undefined, vector: Float32Array) => void;
  /** The vector as it is kept and compared. */
  readonly direction: (vector: Float32Array) => Float32Array;
  readonly keepChunk: (chunk: IndexedChunk) => IndexedChunk;
  readonly chunkPlace: (chunk: IndexedChunk) => string;
  readonly putChunksOf: (chunks: readonly IndexedChunk[]) => void;
  readonly isSearched: (query: ChunkQuery, chunk: IndexedChunk) => boolean;
  readonly found: (chunk: IndexedChunk, vector: Float32Array) => FoundChunk;
  /** Whether the first chunk comes before the second. */
  readonly isNearer: (a: FoundChunk, b: FoundChunk) => boolean;
  readonly searchedMax: number;
  readonly isRemoved: (chunk: IndexedChunk, documentId: string) => boolean;
  readonly refusesWhenClosed: boolean;
  readonly waitsOnClosing: boolean;
}

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
    if ((write.kind === 'append') !== isAppendOnly(write.table)) throw new Error(`not a write of ${write.table}`);
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
    step.resolve(answer);
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

const isNearer = (a: FoundChunk, b: FoundChunk): boolean => {
  if (a.score !== b.score) return a.score > b.score;
  return a.documentId === b.documentId ? a.place < b.place : a.documentId < b.documentId;
};

/** Looks at every length before anything is put. */
const putChunksOf = (disk: PlainDisk, parts: PlainParts, chunks: readonly IndexedChunk[]): void => {
  const lengths = new Map([...disk.chunks.values()].map(({ storeId, vector }) => [storeId, vector.length]));
  const kept = chunks.map((chunk) => {
    parts.checkLength(lengths.get(chunk.storeId), chunk.vector);
    lengths.set(chunk.storeId, chunk.vector.length);
    return parts.keepChunk(chunk);
  });
  for (const chunk of kept) disk.chunks.set(parts.chunkPlace(chunk), chunk);
};

/** Parts of the index of vectors. */
const vectorParts = (disk: PlainDisk, own: () => PlainParts) => ({
  checkPut: checkChunks,
  checkSearch: checkChunkQuery,
  checkLength: checkDimensions,
  direction: unitVector,
  keepChunk: (chunk: IndexedChunk) => ({ ...chunk, vector: own().direction(chunk.vector) }),
  chunkPlace: ({ documentId, place }: IndexedChunk) => `${documentId}\n${place}`,
  putChunksOf: (chunks: readonly IndexedChunk[]) => putChunksOf(disk, own(), chunks),
  isSearched: ({ storeIds }: ChunkQuery, { storeId }: IndexedChunk) => storeIds.includes(storeId),
  found: ({ vector, ...chunk }: IndexedChunk, asked: Float32Array) => ({
    ...chunk,
    score: innerProduct(vector, asked),
  }),
  isNearer,
  searchedMax: Number.POSITIVE_INFINITY,
  isRemoved: (chunk: IndexedChunk, documentId: string) => chunk.documentId === documentId,
});

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
  carryAll: (steps) => steps.forEach((step) => own().carry(step)),
  submitted: () => undefined,
  belongs: (spec, row, of) =>
    (spec.of === null || fieldOf(row, spec.of) === of) &&
    (spec.whereNull === undefined || fieldOf(row, spec.whereNull) === null) &&
    (spec.whereNotNull === undefined || fieldOf(row, spec.whereNotNull) !== null),
  isAfter,
  comesFirst: (a, b) => isAfter(b, a),
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
  refusesWhenClosed: true,
  waitsOnClosing: true,
});
