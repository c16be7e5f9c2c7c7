import assert from 'node:assert/strict';
import type { CreditLedger } from '@tollgate/storage';
import { ledgerDeathCases } from './ledger-death-cases.ts';
import { accountId, amount, named, type LedgerCase } from './ledger-world.ts';
import { ledgerRaceCases } from './ledger-race-cases.ts';

/** Whatever can still come for an operation that has ended. */
const assertEnded = async (ledger: CreditLedger, operationId: string): Promise<void> => {
  assert.equal(await ledger.reserve(amount(1n, operationId)), 'ended', 'a late reserve');
  assert.equal(await ledger.extend(amount(50n, operationId)), 'ended', 'a late extend');
  assert.equal(await ledger.reserve(amount(0n, operationId)), 'ended', 'a late reserve of nothing');
};

const commandCases: readonly LedgerCase[] = [
  {
    promise: 'L1',
    name: 'sets aside what is free, and no more',
    run: async ({ ledger, deposit, assertFree }) => {
      assert.equal(await ledger.reserve(amount(1n)), 'insufficient');
      await deposit(accountId, 10n);
      assert.equal(await ledger.reserve(amount(11n, 'too-much')), 'insufficient');
      assert.equal(await ledger.reserve(amount(4n, 'first')), 'reserved');
      assert.equal(await ledger.reserve(amount(7n, 'second')), 'insufficient');
      assert.equal(await ledger.reserve(amount(5n, 'second')), 'reserved');
      await assertFree(1n);
    },
  },
  {
    promise: 'L2',
    name: 'returns the same to each command that is repeated, and does nothing more',
    run: async ({ ledger, other, deposit, assertFree }) => {
      const door = await other();
      await deposit(accountId, 10n);
      for (const one of [ledger, door, ledger]) assert.equal(await one.reserve(amount(6n)), 'reserved');
      await assertFree(4n);
      for (const one of [door, ledger, door]) assert.equal(await one.extend(amount(10n)), 'extended');
      await assertFree(0n);
      for (const one of [ledger, door, ledger]) assert.equal(await one.settle(amount(3n)), 'settled');
      await assertFree(7n);
      await ledger.reserve(amount(5n, 'released'));
      for (const one of [door, ledger, door]) assert.equal(await one.release(named('released')), 'released');
      await assertFree(7n);
    },
  },
  {
    promise: 'L2',
    name: 'returns the same to commands that are repeated at the same time',
    run: async ({ ledger, other, deposit, assertFree }) => {
      const doors = [ledger, await other(), ledger, ledger, await other()];
      await deposit(accountId, 100n);
      const all = async (ask: (one: CreditLedger) => Promise<string>): Promise<ReadonlySet<string>> =>
        new Set(await Promise.all(doors.map(ask)));
      assert.deepEqual(await all((one) => one.reserve(amount(60n))), new Set(['reserved']));
      await assertFree(40n);
      assert.deepEqual(await all((one) => one.extend(amount(80n))), new Set(['extended']));
      await assertFree(20n);
      assert.deepEqual(await all((one) => one.settle(amount(30n))), new Set(['settled']));
      await assertFree(70n);
      assert.deepEqual(await all((one) => one.release(named('never'))), new Set(['released']));
      await assertFree(70n);
    },
  },
  {
    promise: 'L3',
    name: 'raises a hold to a total, and never lowers it',
    run: async ({ ledger, deposit, assertFree }) => {
      await deposit(accountId, 10n);
      assert.equal(await ledger.extend(amount(1n, 'unknown')), 'ended');
      await ledger.reserve(amount(4n));
      assert.equal(await ledger.extend(amount(7n)), 'extended');
      await assertFree(3n);
      assert.equal(await ledger.extend(amount(2n)), 'extended');
      await assertFree(3n);
      assert.equal(await ledger.extend(amount(11n)), 'insufficient');
      await assertFree(3n);
      assert.equal(await ledger.extend(amount(10n)), 'extended');
      await assertFree(0n);
    },
  },
  {
    promise: 'L4',
    name: 'debits what was used once, and frees the rest',
    run: async ({ ledger, deposit, assertFree }) => {
      await deposit(accountId, 10n);
      await ledger.reserve(amount(6n, 'part'));
      assert.equal(await ledger.settle(amount(2n, 'part')), 'settled');
      await assertFree(8n);
      await ledger.reserve(amount(8n, 'all'));
      assert.equal(await ledger.settle(amount(8n, 'all')), 'settled');
      await assertFree(0n);
      assert.equal(await ledger.reserve(amount(0n, 'nothing')), 'reserved');
      assert.equal(await ledger.settle(amount(0n, 'nothing')), 'settled');
      await assertFree(0n);
    },
  },
  {
    promise: 'L5',
    name: 'takes what exceeds the hold from free balance, or changes nothing until there is enough',
    run: async ({ ledger, deposit, assertFree }) => {
      await deposit(accountId, 10n);
      await ledger.reserve(amount(4n));
      await ledger.reserve(amount(3n, 'neighbour'));
      assert.equal(await ledger.settle(amount(8n)), 'insufficient');
      await assertFree(3n);
      await deposit(accountId, 1n);
      assert.equal(await ledger.settle(amount(8n)), 'settled');
      await assertFree(0n);
      // What was set aside for the other one is still there.
      assert.equal(await ledger.settle(amount(3n, 'neighbour')), 'settled');
      await assertFree(0n);
    },
  },
  {
    promise: 'L4',
    name: 'settles nothing that was never reserved',
    run: async ({ ledger, deposit, assertFree }) => {
      await deposit(accountId, 10n);
      assert.equal(await ledger.settle(amount(2n)), 'ended');
      await assertFree(10n);
    },
  },
  {
    promise: 'L6',
    name: 'does not let another amount pass for the one that was settled',
    run: async ({ ledger, other, deposit, assertFree }) => {
      await deposit(accountId, 10n);
      await ledger.reserve(amount(6n));
      assert.equal(await ledger.settle(amount(2n)), 'settled');
      for (const one of [ledger, await other()])
        for (const micros of [3n, 1n, 0n]) assert.equal(await one.settle(amount(micros)), 'ended', `${micros}`);
      assert.equal(await ledger.settle(amount(2n)), 'settled');
      await assertFree(8n);
    },
  },
  {
    promise: 'L7',
    name: 'frees a hold that is released, and nothing that was settled',
    run: async ({ ledger, deposit, assertFree }) => {
      await deposit(accountId, 10n);
      await ledger.reserve(amount(6n, 'released'));
      await ledger.extend(amount(9n, 'released'));
      assert.equal(await ledger.release(named('released')), 'released');
      await assertFree(10n);
      await ledger.reserve(amount(6n, 'settled'));
      await ledger.settle(amount(4n, 'settled'));
      assert.equal(await ledger.release(named('settled')), 'ended');
      await assertFree(6n);
      assert.equal(await ledger.settle(amount(4n, 'settled')), 'settled');
    },
  },
  {
    promise: 'L8',
    name: 'remembers a release, also of what was never reserved',
    run: async ({ ledger, other, deposit, assertFree }) => {
      await deposit(accountId, 10n);
      await ledger.reserve(amount(6n, 'reserved'));
      for (const operationId of ['reserved', 'never']) {
        assert.equal(await ledger.release(named(operationId)), 'released');
        for (const one of [await other(), ledger]) {
          await assertEnded(one, operationId);
          assert.equal(await one.settle(amount(1n, operationId)), 'ended', 'a late settle');
          assert.equal(await one.release(named(operationId)), 'released', 'a repeated release');
        }
      }
      await assertFree(10n);
    },
  },
  {
    promise: 'L9',
    name: 'holds nothing for what has been settled',
    run: async ({ ledger, other, deposit, assertFree }) => {
      await deposit(accountId, 10n);
      await ledger.reserve(amount(6n));
      await ledger.settle(amount(2n));
      for (const one of [await other(), ledger]) await assertEnded(one, 'operation');
      await assertFree(8n);
    },
  },
  {
    promise: 'L12',
    name: 'keeps accounts and operations apart that look alike',
    run: async ({ ledger, deposit, assertFree }) => {
      const ids = ['acc', 'ACC', 'acc ', ' acc', 'acc\u0301', 'ác', 'a/cc', 'a', '1', '01'];
      for (const [at, id] of ids.entries()) await deposit(id, BigInt(10 + at));
      for (const [at, id] of ids.entries()) await assertFree(BigInt(10 + at), id);
      for (const [at, id] of ids.entries()) {
        const command = { operationId: id, accountId: id, amountMicros: BigInt(at) };
        assert.equal(await ledger.reserve(command), 'reserved', JSON.stringify(id));
        assert.equal(await ledger.settle(command), 'settled', JSON.stringify(id));
      }
      for (const id of ids) await assertFree(10n, id);
    },
  },
  {
    promise: 'L12',
    name: 'keeps the greatest and the smallest amounts exact',
    run: async ({ ledger, deposit, assertFree }) => {
      const most = 1_000_000_000_000_000n;
      await deposit(accountId, most);
      assert.equal(await ledger.reserve(amount(most - 1n)), 'reserved');
      await assertFree(1n);
      assert.equal(await ledger.settle(amount(most - 3n)), 'settled');
      await assertFree(3n);
      assert.equal(await ledger.reserve(amount(1n, 'least')), 'reserved');
      assert.equal(await ledger.settle(amount(1n, 'least')), 'settled');
      await assertFree(2n);
    },
  },
  {
    promise: 'L13',
    name: 'has what it answered when it is opened again',
    needs: 'reopen',
    run: async ({ ledger, other, deposit, assertFree }) => {
      await deposit(accountId, 20n);
      for (const id of ['held', 'settled', 'released']) await ledger.reserve(amount(5n, id));
      await ledger.settle(amount(4n, 'settled'));
      await ledger.release(named('released'));
      const later = await other();
      assert.equal(await later.reserve(amount(5n, 'held')), 'reserved');
      assert.equal(await later.settle(amount(4n, 'settled')), 'settled');
      assert.equal(await later.release(named('settled')), 'ended');
      assert.equal(await later.reserve(amount(5n, 'released')), 'ended');
      assert.equal(await later.reserve(amount(12n, 'more')), 'insufficient');
      assert.equal(await later.settle(amount(2n, 'held')), 'settled');
      await assertFree(14n);
    },
  },
];

/** Everything that a ledger of a host must do. */
export const ledgerCases: readonly LedgerCase[] = [...commandCases, ...ledgerRaceCases, ...ledgerDeathCases];
