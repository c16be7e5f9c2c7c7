import { cells } from '@tollgate/storage-cells';
import { postgresStorage } from '@tollgate/storage-postgres';
import { afterAll, expect, test } from 'vitest';
import { testDatabase, type TestDatabase } from '../postgres-server.ts';
import { moveUnderLoad } from './moved-under-load.ts';

const databases: TestDatabase[] = [];
afterAll(async () => {
  for (const database of databases) await database.drop();
});

const names = ['a', 'b', 'c', 'd'];

test('moves accounts 100 times between databases while their clients go on, and loses, doubles and mischarges nothing', async () => {
  for (const _ of names) databases.push(await testDatabase());
  const open = () =>
    cells({
      cells: Object.fromEntries(
        names.map((name, at) => [
          name,
          () => postgresStorage({ connectionString: databases[at]?.url ?? '', batchConnections: 1 }),
        ]),
      ),
    });
  const moved = await moveUnderLoad({ names, open, moves: 100, accounts: 4, clientsOfEach: 2, pauseMs: 50 });
  const sorted = moved.movedMs.toSorted((one, other) => one - other);
  console.log(
    `100 moves, ${moved.acknowledged} requests acknowledged, ${moved.refused} refused once more, longest wait ${moved.longestMs.toFixed(0)} ms, ` +
      `a move ${sorted[sorted.length >> 1]?.toFixed(0)} ms at the median and ${sorted.at(-1)?.toFixed(0)} ms at the most`,
  );
  expect(moved.acknowledged).toBeGreaterThan(100);
  expect(moved.audit).toMatchObject({ violations: [], busy: [] });
});
