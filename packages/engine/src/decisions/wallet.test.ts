import { expect, test } from 'vitest';
import { availableMicros, changeWallet, emptyWallet, walletWithEntries, walletWithEntry } from './wallet.ts';

const wallet = { ...emptyWallet('a1'), balanceMicros: 100n, reservedMicros: 30n, seq: 5, entrySeq: 2 };

test('has available what is not reserved', () => {
  expect(availableMicros(wallet)).toBe(70n);
  expect(availableMicros(emptyWallet('a1'))).toBe(0n);
});

test('counts every change, also one of nothing', () => {
  expect(changeWallet(wallet, { balanceMicros: -10n, reservedMicros: 5n })).toEqual({
    ...wallet,
    balanceMicros: 90n,
    reservedMicros: 35n,
    seq: 6,
  });
  expect(changeWallet(wallet, {}).seq).toBe(6);
});

test('refuses to reserve below zero or above the balance [ledger:concurrency:no-overdraft]', () => {
  expect(changeWallet(wallet, { reservedMicros: 70n }).reservedMicros).toBe(100n);
  expect(() => changeWallet(wallet, { reservedMicros: 71n })).toThrow('would break 0 ≤ reserved ≤ balance');
  expect(() => changeWallet(wallet, { reservedMicros: -31n })).toThrow('would break');
  expect(() => changeWallet(wallet, { balanceMicros: -71n })).toThrow('would break');
});

test('numbers entries without a gap, and ties each to the change it explains', () => {
  const entry = {
    kind: 'deposit',
    amountMicros: 10n,
    operationId: null,
    tariffVersion: null,
    reference: 'r1',
    keyId: null,
    model: null,
    createdAtMs: 1,
  } as const;
  const paid = walletWithEntry(changeWallet(wallet, { balanceMicros: 10n }), entry);
  expect(paid.entryId).toBe('a1:3');
  expect(paid.wallet).toMatchObject({ entrySeq: 3, seq: 6 });
  expect(paid.writes).toEqual([
    { kind: 'put', table: 'wallet', record: paid.wallet },
    {
      kind: 'append',
      table: 'entry',
      record: { id: 'a1:3', accountId: 'a1', seq: 3, balanceMicros: paid.wallet.balanceMicros, walletSeq: 6, ...entry },
    },
  ]);
});

test('numbers several entries of one change one after the other, each with the balance after it', () => {
  const entry = {
    kind: 'deposit',
    operationId: null,
    tariffVersion: null,
    reference: 'r1',
    keyId: null,
    model: null,
    createdAtMs: 1,
  } as const;
  const changed = changeWallet(wallet, { balanceMicros: 7n });
  const { wallet: numbered, writes } = walletWithEntries(changed, [
    { ...entry, amountMicros: 10n },
    { ...entry, amountMicros: -3n },
  ]);
  expect(numbered.entrySeq).toBe(4);
  expect(writes.slice(1)).toMatchObject([
    { record: { id: 'a1:3', seq: 3, amountMicros: 10n, balanceMicros: 110n } },
    { record: { id: 'a1:4', seq: 4, amountMicros: -3n, balanceMicros: 107n } },
  ]);
});
