import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { memoryStorage } from '@tollgate/storage-memory';
import { postgresStorage } from '@tollgate/storage-postgres';
import { sqliteStorage } from '@tollgate/storage-sqlite';
import { testDatabase, type TestDatabase } from '../../test/postgres-server.ts';
import { printCommand } from './command.ts';
import { capTheme } from './cap-theme.ts';
import { eventTheme } from './event-theme.ts';
import { moneyTheme } from './money-theme.ts';
import { historySeed, seededRandom } from './random.ts';
import { randomHistory } from './random-history.ts';
import { runScale } from './run-scale.ts';
import { runStored, type StoredWorld } from './run-stored.ts';
import type { Theme } from './theme.ts';
import { paymentTheme } from './payment-theme.ts';
import { workTheme } from './work-theme.ts';

const folder = mkdtempSync(join(tmpdir(), 'tollgate-histories-'));
let database: TestDatabase | undefined;
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await database?.drop();
});

type Open = (now: () => number) => StoredWorld['storage'] | Promise<StoredWorld['storage']>;

const withClock = async (open: Open, keepsOrder: boolean): Promise<StoredWorld> => {
  let nowMs = 1;
  const setNow = (ms: number): void => {
    nowMs = ms;
  };
  return { storage: await open(() => nowMs), keepsOrder, setNow };
};

/** The same seeds for every adapter, so that all of them must give the same answers. */
const runSeed = Math.floor(Date.now() / 86_400_000);

/** Every fourth history is about work, and every eighth about events, payments or caps. */
const themeOf = (index: number): Theme => {
  if (index % 4 === 1) return workTheme;
  if (index % 8 === 3) return eventTheme;
  if (index % 8 === 6) return capTheme;
  return index % 8 === 7 ? paymentTheme : moneyTheme;
};

const findDifference = async (world: StoredWorld, histories: number): Promise<string | null> => {
  for (let index = 0; index < histories; index += 1) {
    const seed = historySeed(runSeed, index);
    const prefix = `${index}-`;
    const history = randomHistory(seededRandom(seed), prefix, themeOf(index));
    const difference = await runStored(world, history, prefix, seededRandom(seed));
    if (difference !== null)
      return [`history ${seed}: ${difference}`, ...history.commands.map(printCommand)].join('\n');
  }
  return null;
};

const openPostgres =
  (batchConnections: number): Open =>
  async (now) => {
    database ??= await testDatabase();
    return postgresStorage({
      connectionString: database.url,
      schema: `lanes${batchConnections}`,
      batchConnections,
      now,
    });
  };

interface Adapter {
  readonly name: string;
  readonly histories: number;
  readonly open: Open;
  readonly keepsOrder?: boolean;
}

const adapters: readonly Adapter[] = [
  { name: 'memoryStorage', histories: Math.round(3_000 * runScale), open: (now) => memoryStorage({ now }) },
  {
    name: 'sqliteStorage in memory',
    histories: Math.round(3_000 * runScale),
    open: (now) => sqliteStorage({ path: ':memory:', now }),
  },
  {
    name: 'sqliteStorage on a file',
    histories: Math.round(1_000 * runScale),
    open: (now) => sqliteStorage({ path: join(folder, 'histories.db'), now, synchronous: 'normal' }),
  },
  { name: 'postgresStorage with one lane', histories: Math.round(500 * runScale), open: openPostgres(1) },
  // Two connections carry steps in no order between them: here one by one, and at the same time in concurrency.test.ts.
  { name: 'postgresStorage', histories: Math.round(300 * runScale), open: openPostgres(2), keepsOrder: false },
];

test.each(adapters)(
  'answers $histories histories over $name as the model does',
  async ({ name, histories: count, open, keepsOrder = true }) => {
    const world = await withClock(open, keepsOrder);
    const started = performance.now();
    const difference = await findDifference(world, count);
    await world.storage.close();
    console.log(`${name}: ${count} histories in ${((performance.now() - started) / 1_000).toFixed(1)} s`);
    expect(difference).toBeNull();
  },
);
