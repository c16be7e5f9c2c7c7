import type {
  AnyIndexSpec,
  BlobRange,
  BlobStream,
  ChunkQuery,
  ClaimQuery,
  FoundChunk,
  IndexCursor,
  IndexedChunk,
  Key,
  QueuedStep,
  Records,
  ScanQuery,
  TableName,
  Tables,
  UsageLineRecord,
  UsageRow,
  UsageSum,
  UsageSumQuery,
  Write,
} from '@tollgate/storage';

/** What befalls a database from outside. */
export interface PlainServer {
  /** Whether the answer to the next commit is to be lost, and whether one was. */
  cutsNext: boolean;
  wasCut: boolean;
  /** Keys of rows that are not to be written. */
  readonly refused: Set<string>;
  /** Keys of rows that another client holds. */
  readonly held: Set<string>;
  /** Whether a writer has been started, as another process. */
  writes: boolean;
  /** Whether the process of the writers has been killed. */
  killed: boolean;
}

const createPlainServer = (): PlainServer => ({
  cutsNext: false,
  wasCut: false,
  refused: new Set(),
  held: new Set(),
  writes: false,
  killed: false,
});

export type Row = Tables[TableName];

/** What has been committed; storages that share a disk see each other's commits. */
export interface PlainDisk {
  readonly server: PlainServer;
  readonly rows: Map<string, { readonly table: TableName; readonly row: Row }>;
  readonly blobs: Map<string, Uint8Array>;
  readonly chunks: Map<string, IndexedChunk>;
}

export const createPlainDisk = (): PlainDisk => ({
  server: createPlainServer(),
  rows: new Map(),
  blobs: new Map(),
  chunks: new Map(),
});

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
  /** Whether the connection was lost before the answer to the commit that has just been made. */
  readonly losesAnswer: () => boolean;
  /** Ends a step whose commit got no response. */
  readonly unanswered: (step: QueuedStep) => void;
  /** How often a step is tried again whose rows another client holds, and what it rejects with then. */
  readonly heldTriesMax: number;
  readonly busy: () => Error;
  /** Carries one step; the step's own functions inform the caller. */
  readonly carry: (step: QueuedStep) => void;
  readonly carryAll: (steps: readonly QueuedStep[]) => void;
  /** Told of each step as it is submitted. */
  readonly submitted: (step: QueuedStep) => void;
  readonly belongs: (spec: AnyIndexSpec, row: Row, of: string) => boolean;
  readonly isAfter: (place: IndexCursor, cursor: IndexCursor) => boolean;
  /** Whether the first place comes before the second in a list. */
  readonly comesFirst: (a: IndexCursor, b: IndexCursor) => boolean;
  readonly checkScan: (table: TableName, query: ScanQuery) => void;
  readonly isScanned: (row: Row, query: ScanQuery) => boolean;
  /** Whether the first id comes before the second in a scan. */
  readonly isScannedFirst: (one: string, other: string) => boolean;
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
  /** Runs between the question of a read and its answer. */
  readonly pauseInRead: (() => Promise<void>) | undefined;
  /** Whether a database is refused that acknowledges commits before they are durable. */
  readonly checksDurability: boolean;
  readonly closing: () => void;
  readonly refusesWhenClosed: boolean;
  readonly waitsOnClosing: boolean;
}
