import type { BlobStore } from './blob-store.ts';
import type { IndexName, IndexQuery, IndexTable, ScanQuery } from './indexes.ts';
import type { AppendOnlyTable, ClaimableTable } from './table-groups.ts';
import type { TableName, Tables } from './tables.ts';
import type { UsageSum, UsageSumQuery } from './usage-sums.ts';
import type { VectorIndex } from './vector-index.ts';

/** Names one record. */
export interface Key {
  readonly table: TableName;
  readonly id: string;
  /** The id was generated for this step, so an adapter need not look for a record; a clash is decided again. */
  readonly fresh?: true;
}

/** The records of a step. Asking for a record that was not declared is a defect and throws. */
export interface Records {
  get<T extends TableName>(table: T, id: string): Tables[T] | undefined;
}

/** What a step changes. `put` and `delete` need a declared key; `append` adds a row to an append-only table. */
export type Write =
  | { readonly [T in TableName]: { readonly kind: 'put'; readonly table: T; readonly record: Tables[T] } }[TableName]
  | {
      readonly kind: 'delete';
      readonly table: TableName;
      readonly id: string;
      /** The row is in another storage now. Without it a row of an append-only table is not deleted. */
      readonly moved?: true;
    }
  | {
      readonly [T in AppendOnlyTable]: { readonly kind: 'append'; readonly table: T; readonly record: Tables[T] };
    }[AppendOnlyTable];

export interface Decision<T> {
  readonly writes: readonly Write[];
  readonly answer: T;
}

/** A pure function: it may be called more than once, and only its last result counts. */
export type Decide<T> = (records: Records, nowMs: number) => Decision<T>;

export interface ClaimQuery {
  readonly table: ClaimableTable;
  /** Who takes charge; written to the rows. */
  readonly owner: string;
  /** How long no other worker may claim them. */
  readonly leaseMs: number;
  /** 1 to `listRowsMax`. */
  readonly limit: number;
}

/** Where a gateway keeps what it knows. An adapter has no rule of the business: it loads, hands over, and makes durable. */
export interface Storage {
  /**
   * Loads and locks the records named, hands them to `decide` with the store's own clock, and makes its writes durable, all
   * or nothing. Steps that share a key are serialised. An absent key that two steps create has one winner; the other is
   * decided again. Resolves only after the commit. What `decide` throws rejects this step alone.
   */
  transact<T>(keys: readonly Key[], decide: Decide<T>): Promise<T>;
  /** Reads committed records without locking. */
  read(keys: readonly Key[]): Promise<Records>;
  /** Rows of an index, newest first, at most `listRowsMax`. */
  list<I extends IndexName>(index: I, query: IndexQuery): Promise<readonly Tables[IndexTable<I>][]>;
  /**
   * Rows of a table by rising id, in one order in which ids of ASCII rise by their character codes. For work that goes over a whole
   * table: no index is needed for it. Throws a `RangeError` on a limit beyond `listRowsMax` and on a field that is no text of the table.
   */
  scan<T extends TableName>(table: T, query: ScanQuery): Promise<readonly Tables[T][]>;
  /** Leases rows whose due time has come to one worker: sets owner and due time, and returns the rows as they now are. */
  claim<T extends ClaimableTable>(query: ClaimQuery & { readonly table: T }): Promise<readonly Tables[T][]>;
  /**
   * Sums usage over roll-ups and the lines that are not rolled up yet, on one snapshot, so that each line counts once. By the
   * beginning of the period, then by the values of `groupBy`, rising; at most `usageSumsMax`. Throws a `RangeError` on a query
   * that `checkUsageQuery` refuses.
   */
  sumUsage(query: UsageSumQuery): Promise<readonly UsageSum[]>;
  /** Where large answers lie. */
  readonly blobs: BlobStore;
  /** Where the texts of documents are found by what they mean. */
  readonly vectors: VectorIndex;
  /** Waits for steps under way, refuses new ones, and frees what was opened. */
  close(): Promise<void>;
  /** Only of a storage that is made of several. */
  readonly cells?: StorageCells | undefined;
}

/**
 * A storage that is made of several, its cells, each of which has whole accounts. A step, or a read that must be one snapshot,
 * keeps to the records of one account.
 */
export interface StorageCells {
  /** The storage as one account sees it: a record whose place nothing else tells is in the cell of that account. */
  of(accountId: string): Storage;
  /** The cells, for work that goes over all records and that none of them may hold up. */
  readonly all: readonly Storage[];
  /** Groups keys by their cells. Keys whose cell is unknown now are a group of their own each. */
  split(keys: readonly Key[]): Promise<readonly (readonly Key[])[]>;
}

/** The storage of an account: a part of the whole where that has cells, else the whole. */
export const storageOf = (storage: Storage, accountId: string): Storage => storage.cells?.of(accountId) ?? storage;

/** Thrown by a storage that has too many steps waiting; the caller answers 503. Told by `code`. */
export const storageBusyCode = 'storage_busy';

/** Thrown by a storage with cells for a step whose records are in two of them. Told by `code`; the message names the keys. */
export const cellsCrossedCode = 'cells_crossed';

/** Thrown by a storage that may not create anything and finds no gateway where it looked. Told by `code`; the message says where. */
export const databaseMissingCode = 'database_missing';
