import type { EntryRecord, WalletRecord } from '@tollgate/storage';
import type { Violation } from './violation.ts';

type Found = Pick<Violation, 'rule' | 'detail'>;

/** Each entry, newest first, has the balance before it and its amount. */
export const checkBalances = (entries: readonly EntryRecord[]): readonly Found[] => {
  const wrong = entries.find(
    ({ balanceMicros, amountMicros }, place) =>
      balanceMicros !== (entries[place + 1]?.balanceMicros ?? 0n) + amountMicros,
  );
  if (wrong === undefined) return [];
  return [{ rule: 'entries_carry_balance', detail: `entry ${wrong.seq} has the balance ${wrong.balanceMicros}` }];
};

/** The entries of an account explain its balance, and none is missing. */
export const checkEntries = (wallet: WalletRecord, entries: readonly EntryRecord[]): readonly Found[] => {
  const found: Found[] = [];
  const total = entries.reduce((sum, { amountMicros }) => sum + amountMicros, 0n);
  if (total !== wallet.balanceMicros)
    found.push({ rule: 'entries_sum_to_balance', detail: `entries ${total}, balance ${wallet.balanceMicros}` });
  const gap = entries.find((entry, index) => entry.seq !== entries.length - index);
  if (gap !== undefined || entries.length !== wallet.entrySeq)
    found.push({ rule: 'entries_gap_free', detail: `near entry ${gap?.seq ?? wallet.entrySeq}` });
  return found;
};
