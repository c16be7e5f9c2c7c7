import { expect, test } from 'vitest';
import { createMemoryLedger } from './memory-ledger.ts';

const command = { operationId: 'o', accountId: 'a' };
const amount = (amountMicros: bigint) => ({ ...command, amountMicros });

const ledgerWith = (balanceMicros: bigint) => {
  const ledger = createMemoryLedger();
  ledger.deposit('a', balanceMicros);
  return ledger;
};

test('reserves from free balance only, once an operation', async () => {
  const ledger = ledgerWith(10n);
  expect(await ledger.reserve(amount(11n))).toBe('insufficient');
  expect(await ledger.reserve(amount(10n))).toBe('reserved');
  expect(await ledger.reserve(amount(10n))).toBe('reserved');
  expect(await ledger.reserve({ ...amount(1n), operationId: 'other' })).toBe('insufficient');
  expect(ledger.wallet('a')).toEqual({ balanceMicros: 10n, reservedMicros: 10n });
});

test('raises a hold to a total, and never lowers it', async () => {
  const ledger = ledgerWith(10n);
  expect(await ledger.extend(amount(1n))).toBe('ended');
  await ledger.reserve(amount(4n));
  expect(await ledger.extend(amount(7n))).toBe('extended');
  expect(await ledger.extend(amount(7n))).toBe('extended');
  expect(await ledger.extend(amount(2n))).toBe('extended');
  expect(await ledger.extend(amount(11n))).toBe('insufficient');
  expect(ledger.wallet('a').reservedMicros).toBe(7n);
});

test('debits once, frees the surplus, and returns a repeat alike', async () => {
  const ledger = ledgerWith(10n);
  await ledger.reserve(amount(6n));
  expect(await ledger.settle(amount(2n))).toBe('settled');
  expect(await ledger.settle(amount(2n))).toBe('settled');
  expect(ledger.wallet('a')).toEqual({ balanceMicros: 8n, reservedMicros: 0n });
});

test('does not let a second amount pass for the settled one', async () => {
  const ledger = ledgerWith(10n);
  await ledger.reserve(amount(6n));
  await ledger.settle(amount(2n));
  expect(await ledger.settle(amount(3n))).toBe('ended');
  expect(ledger.operation('o')).toMatchObject({ chargedMicros: 2n });
});

test('takes what exceeds the hold from free balance, or changes nothing', async () => {
  const ledger = ledgerWith(10n);
  await ledger.reserve(amount(6n));
  expect(await ledger.settle(amount(11n))).toBe('insufficient');
  expect(ledger.wallet('a')).toEqual({ balanceMicros: 10n, reservedMicros: 6n });
  expect(await ledger.settle(amount(10n))).toBe('settled');
  expect(ledger.wallet('a')).toEqual({ balanceMicros: 0n, reservedMicros: 0n });
});

test('releases a hold once, and nothing that was settled', async () => {
  const ledger = ledgerWith(10n);
  await ledger.reserve(amount(6n));
  expect(await ledger.release(command)).toBe('released');
  expect(await ledger.release(command)).toBe('released');
  expect(await ledger.settle(amount(1n))).toBe('ended');
  await ledger.reserve({ ...amount(1n), operationId: 'other' });
  await ledger.settle({ ...amount(1n), operationId: 'other' });
  expect(await ledger.release({ ...command, operationId: 'other' })).toBe('ended');
  expect(ledger.wallet('a')).toEqual({ balanceMicros: 9n, reservedMicros: 0n });
});

test('answers "ended" to a reservation that comes after its release', async () => {
  const ledger = ledgerWith(10n);
  expect(await ledger.release(command)).toBe('released');
  expect(await ledger.reserve(amount(1n))).toBe('ended');
  expect(ledger.wallet('a').reservedMicros).toBe(0n);
});

test('refuses negative amounts and operations of other accounts', async () => {
  const ledger = ledgerWith(10n);
  await expect(ledger.reserve(amount(-1n))).rejects.toThrow(RangeError);
  await ledger.reserve(amount(1n));
  await expect(ledger.settle({ ...amount(1n), accountId: 'b' })).rejects.toThrow('another account');
  expect(() => ledger.deposit('a', 0n)).toThrow(RangeError);
});
