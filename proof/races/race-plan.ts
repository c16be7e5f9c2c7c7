import type { RecordedCall } from '@tollgate/testing/storage';

/** One wallet, and the same identities asked for by every process at the same time. */
export interface Round {
  /** Begins every id of the round. */
  readonly prefix: string;
  readonly seed: number;
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

/** A clock that all processes of a machine share, for who came before whom; in microseconds. */
export const sharedClock = (): number => Number(process.hrtime.bigint() / 1_000n);

export const accountOf = ({ prefix }: Round): string => `${prefix}a1`;
