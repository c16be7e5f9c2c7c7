import type { Storage } from '@tollgate/storage';
import { postgresStorage } from '@tollgate/storage-postgres';
import { sqliteStorage } from '@tollgate/storage-sqlite';
import type { RecordedCall } from '@tollgate/testing/storage';

/** One wallet, and the same identities asked for by every process at the same time. */
export interface Round {
  /** Begins every id of the round. */
  readonly prefix: string;
  readonly seed: number;
  /** What is scarce: the credits of the wallet, or what the cap of the key leaves of many. */
  readonly scarce: 'balance' | 'cap';
}

/** What a racing process says to its parent. */
export type RacerWord =
  | { readonly kind: 'ready' }
  /** Every call of the round and its answer. */
  | { readonly kind: 'raced'; readonly calls: readonly RecordedCall[] };

export const identitiesPerRound = 8;
export const holdMicros = 10;

/** One request in four comes again, one in twenty with another body. */
export const repeatedOneIn = 4;
export const otherBodyOneIn = 20;

/** A database of PostgreSQL by its address, or of SQLite by the path of its file. */
export const openStorage = (place: string, migrate: boolean): Promise<Storage> =>
  place.startsWith('postgres')
    ? postgresStorage({ connectionString: place, migrate })
    : Promise.resolve(sqliteStorage({ path: place, synchronous: 'normal' }));

/** A clock that all processes of a machine share, for who came before whom; in microseconds. */
export const sharedClock = (): number => Number(process.hrtime.bigint() / 1_000n);

export const keyOf = ({ prefix }: Round): string => `${prefix}k1`;
export const accountOf = ({ prefix }: Round): string => `${prefix}a1`;
