import assert from 'node:assert/strict';
import type { Storage } from '@tollgate/storage';
import { sampleRecords } from '../sample-records.ts';
import type { StorageCase } from '../storage-case.ts';
import { commit, increment, putSetting, readSetting, settingKey, together } from '../storage-steps.ts';

const rounds = 10;

/** Lowers one of two numbers if together they are 2 or more; the rule holds as long as one of them stays 1. */
const lowerOne = (storage: Storage, mine: string, theirs: string): Promise<boolean> =>
  storage.transact([settingKey(mine), settingKey(theirs)], (records) => {
    const sum = Number(records.get('setting', mine)?.value) + Number(records.get('setting', theirs)?.value);
    return { writes: sum >= 2 ? [putSetting(mine, '0')] : [], answer: sum >= 2 };
  });

/** Takes an absent key; returns who holds it. */
const take = (storage: Storage, id: string, who: string): Promise<string> =>
  storage.transact([settingKey(id)], (records) => {
    const holder = records.get('setting', id)?.value;
    return { writes: holder === undefined ? [putSetting(id, who)] : [], answer: holder ?? who };
  });

/** Claims an absent identity and uses up a deposit. Who comes later must find the identity, and not only that nothing is left. */
const claimRoom = (storage: Storage, room: string, identity: string): Promise<string> =>
  storage.transact(
    [
      { table: 'deposit', id: room },
      { table: 'identity', id: identity },
    ],
    (records) => {
      const deposit = records.get('deposit', room);
      if (records.get('identity', identity) !== undefined) return { writes: [], answer: 'known' };
      if (deposit === undefined || deposit.amountMicros === 0n) return { writes: [], answer: 'used up' };
      const used = { ...deposit, amountMicros: 0n };
      return {
        writes: [
          { kind: 'put', table: 'deposit', record: used },
          { kind: 'put', table: 'identity', record: sampleRecords.identity(identity) },
        ],
        answer: 'claimed',
      };
    },
  );

export const isolationCases: readonly StorageCase[] = [
  {
    promise: 'S2',
    name: 'keeps every one of 100 concurrent increments',
    run: async ({ storage }) => {
      const counts = await together(100, () => increment(storage, 'count'));
      assert.equal(await readSetting(storage, 'count'), '100');
      assert.equal(new Set(counts).size, 100);
    },
  },
  {
    promise: 'S2',
    name: 'keeps every increment that comes in through two doors',
    run: async ({ storage, other }) => {
      const doors = [storage, await other()];
      await together(60, (at) => increment(doors[at % 2] ?? storage, 'count'));
      for (const door of doors) assert.equal(await readSetting(door, 'count'), '60');
    },
  },
  {
    promise: 'S4',
    name: 'shows a step what came in through another door since',
    run: async ({ storage, other }) => {
      const door = await other();
      for (let round = 1; round <= rounds; round += 1) {
        assert.equal(await increment(storage, 'count'), 2 * round - 1);
        assert.equal(await increment(door, 'count'), 2 * round);
        assert.equal(await readSetting(storage, 'count'), String(2 * round));
      }
    },
  },
  {
    promise: 'S2',
    name: 'lets no two steps break a rule over keys that both declared',
    run: async ({ storage, other }) => {
      const door = await other();
      for (let round = 0; round < rounds; round += 1) {
        const [a, b] = [`a${round}`, `b${round}`];
        await commit(storage, [putSetting(a, '1'), putSetting(b, '1')]);
        const lowered = await Promise.all([lowerOne(storage, a, b), lowerOne(door, b, a)]);
        assert.equal(lowered.filter(Boolean).length, 1, `round ${round}`);
      }
    },
  },
  {
    promise: 'S3',
    name: 'gives an absent key to exactly one of many racers, and tells the others who won',
    run: async ({ storage, other }) => {
      const doors = [storage, await other()];
      for (let round = 0; round < rounds; round += 1) {
        const holders = await together(8, (at) => take(doors[at % 2] ?? storage, `key${round}`, `racer${at}`));
        assert.equal(new Set(holders).size, 1, `round ${round}: ${holders.join(' ')}`);
        assert.equal(await readSetting(storage, `key${round}`), holders[0]);
      }
    },
  },
  {
    promise: 'S3',
    name: 'shows a step that waited for one record what came into being meanwhile under another key',
    run: async ({ storage, other }) => {
      const doors = [storage, await other()];
      for (let round = 0; round < rounds; round += 1) {
        const [room, identity] = [`room${round}`, `identity${round}`];
        await commit(storage, [{ kind: 'put', table: 'deposit', record: sampleRecords.deposit(room) }]);
        const answers = await together(4, (at) => claimRoom(doors[at % 2] ?? storage, room, identity));
        assert.deepEqual(
          answers.toSorted((a, b) => (a < b ? -1 : 1)),
          ['claimed', 'known', 'known', 'known'],
        );
      }
    },
  },
  {
    promise: 'S2',
    name: 'carries a batch as if its steps came one by one',
    run: async ({ storage }) => {
      const append = (at: number) =>
        storage.transact([settingKey('left'), settingKey('right')], (records) => {
          const left = records.get('setting', 'left')?.value ?? '';
          const right = records.get('setting', 'right')?.value ?? '';
          assert.equal(left, right);
          return { writes: [putSetting('left', `${left}${at},`), putSetting('right', `${right}${at},`)], answer: left };
        });
      const seen = await together(50, append);
      const log = (await readSetting(storage, 'left')) ?? '';
      const order = log.split(',').slice(0, -1);
      assert.equal(order.length, 50);
      for (const [place, at] of order.entries())
        assert.equal(
          seen[Number(at)],
          order
            .slice(0, place)
            .map((before) => `${before},`)
            .join(''),
        );
    },
  },
  {
    promise: 'S2',
    name: 'shows a step that an earlier one deleted its record',
    run: async ({ storage }) => {
      await commit(storage, [putSetting('key', 'value')]);
      const deletion = commit(storage, [{ kind: 'delete', table: 'setting', id: 'key' }]);
      const [, holder] = await Promise.all([deletion, take(storage, 'key', 'next')]);
      await take(storage, 'key', 'last');
      assert.ok(holder === 'next' || holder === 'value', holder);
      assert.equal(await readSetting(storage, 'key'), holder === 'next' ? 'next' : 'last');
      await commit(storage, [{ kind: 'delete', table: 'setting', id: 'key' }]);
      assert.equal(await readSetting(storage, 'key'), undefined);
    },
  },
];
