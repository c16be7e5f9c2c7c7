import assert from 'node:assert/strict';
import type { CreditLedger } from '@tollgate/storage';
import { accountId, amount, named, type LedgerCase, type LedgerWorld } from './ledger-world.ts';

const rounds = 10;

const doorsOf = async ({ ledger, other }: LedgerWorld): Promise<readonly [CreditLedger, CreditLedger]> => [
  ledger,
  await other(),
];

/** A settlement and a release of one operation, sent at once. */
const settleAndRelease = async (
  [first, second]: readonly [CreditLedger, CreditLedger],
  operationId: string,
): Promise<bigint> => {
  const [settled, released] = await Promise.all([
    first.settle(amount(4n, operationId)),
    second.release(named(operationId)),
  ]);
  const pair = `${settled} and ${released}`;
  assert.ok(pair === 'settled and ended' || pair === 'ended and released', pair);
  // Whichever won, it stays so.
  assert.equal(await second.settle(amount(4n, operationId)), settled);
  assert.equal(await first.release(named(operationId)), released);
  return settled === 'settled' ? 4n : 0n;
};

export const ledgerRaceCases: readonly LedgerCase[] = [
  {
    promise: 'L10',
    name: 'sets no credit aside twice for operations that come at once',
    run: async (world) => {
      const doors = await doorsOf(world);
      await world.deposit(accountId, 100n);
      const answers = await Promise.all(
        Array.from({ length: 25 }, (_, at) => (doors[at % 2] ?? world.ledger).reserve(amount(9n, `operation-${at}`))),
      );
      assert.equal(answers.filter((answer) => answer === 'reserved').length, 11);
      assert.equal(answers.filter((answer) => answer === 'insufficient').length, 14);
      await world.assertFree(1n);
    },
  },
  {
    promise: 'L10',
    name: 'takes no credit twice by holds that are raised and settlements beyond their hold at once',
    run: async (world) => {
      const doors = await doorsOf(world);
      for (let round = 0; round < rounds; round += 1) {
        // Of ten that are free each of the three wants eight.
        await world.deposit(accountId, 12n);
        const id = (name: string): string => `${name}-${round}`;
        await world.ledger.reserve(amount(1n, id('raised')));
        await world.ledger.reserve(amount(1n, id('settled')));
        const [raised, settled, reserved] = await Promise.all([
          doors[0].extend(amount(9n, id('raised'))),
          doors[1].settle(amount(9n, id('settled'))),
          doors[0].reserve(amount(8n, id('reserved'))),
        ]);
        const won = [raised, settled, reserved].filter((answer) => answer !== 'insufficient');
        assert.equal(won.length, 1, `${raised}, ${settled}, ${reserved}`);
        // All is spent, so that the next round begins with nothing.
        for (const name of ['raised', 'settled', 'reserved']) await world.ledger.release(named(id(name)));
        const left = settled === 'settled' ? 3n : 12n;
        await world.ledger.reserve(amount(left, id('rest')));
        assert.equal(await world.ledger.settle(amount(left, id('rest'))), 'settled');
        await world.assertFree(0n);
      }
    },
  },
  {
    promise: 'L10',
    name: 'debits every one of many operations that end at once',
    run: async (world) => {
      const doors = await doorsOf(world);
      await world.deposit(accountId, 1_000n);
      const run = async (at: number): Promise<void> => {
        const [first, second] = at % 2 === 0 ? doors : [doors[1], doors[0]];
        assert.equal(await first.reserve(amount(20n, `operation-${at}`)), 'reserved');
        assert.equal(await second.settle(amount(7n, `operation-${at}`)), 'settled');
      };
      await Promise.all(Array.from({ length: 30 }, (_, at) => run(at)));
      await world.assertFree(1_000n - 210n);
    },
  },
  {
    promise: 'L11',
    name: 'lets a settlement or a release win that come at once',
    run: async (world) => {
      const doors = await doorsOf(world);
      await world.deposit(accountId, 100n);
      let free = 100n;
      for (let round = 0; round < rounds; round += 1) {
        await world.ledger.reserve(amount(6n, `operation-${round}`));
        free -= await settleAndRelease(round % 2 === 0 ? doors : [doors[1], doors[0]], `operation-${round}`);
        await world.assertFree(free);
      }
    },
  },
  {
    promise: 'L8',
    name: 'holds nothing after a release that comes at once with its reserve',
    run: async (world) => {
      const doors = await doorsOf(world);
      await world.deposit(accountId, 100n);
      for (let round = 0; round < rounds; round += 1) {
        const operationId = `operation-${round}`;
        const send = [
          () => doors[0].reserve(amount(6n, operationId)),
          () => doors[1].release(named(operationId)),
        ] as const;
        // Either is sent first in half of the rounds.
        const order = round % 2 === 0 ? send : send.toReversed();
        const answers = await Promise.all(order.map((ask) => ask()));
        const [reserved, released] = round % 2 === 0 ? answers : answers.toReversed();
        assert.ok(reserved === 'reserved' || reserved === 'ended', `a reserve beside a release: ${reserved}`);
        assert.equal(released, 'released');
        assert.equal(await doors[0].reserve(amount(6n, operationId)), 'ended');
        await world.assertFree(100n);
      }
    },
  },
];
