import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { memoryStorage } from '@tollgate/storage-memory';
import { sqliteStorage } from '@tollgate/storage-sqlite';
import { printCommand } from './command.ts';
import { historySeed, seededRandom } from './random.ts';
import { randomHistory } from './random-history.ts';
import { runScale } from './run-scale.ts';
import { runStored, type StoredWorld } from './run-stored.ts';

const folder = mkdtempSync(join(tmpdir(), 'tollgate-histories-'));
afterAll(() => rmSync(folder, { recursive: true }));

const withClock = (open: (now: () => number) => StoredWorld['storage']): StoredWorld => {
  let nowMs = 1;
  const setNow = (ms: number): void => {
    nowMs = ms;
  };
  return { storage: open(() => nowMs), setNow };
};

/** The same seeds for every adapter, so that all of them must give the same answers. */
const runSeed = Math.floor(Date.now() / 86_400_000);

const findDifference = async (world: StoredWorld, histories: number): Promise<string | null> => {
  for (let index = 0; index < histories; index += 1) {
    const seed = historySeed(runSeed, index);
    const prefix = `${index}-`;
    const history = randomHistory(seededRandom(seed), prefix);
    const difference = await runStored(world, history, prefix, seededRandom(seed));
    if (difference !== null)
      return [`history ${seed}: ${difference}`, ...history.commands.map(printCommand)].join('\n');
  }
  return null;
};

const adapters = [
  { name: 'memoryStorage', histories: 3_000, open: (now: () => number) => memoryStorage({ now }) },
  {
    name: 'sqliteStorage in memory',
    histories: 3_000,
    open: (now: () => number) => sqliteStorage({ path: ':memory:', now }),
  },
  {
    name: 'sqliteStorage on a file',
    histories: 1_000,
    open: (now: () => number) => sqliteStorage({ path: join(folder, 'histories.db'), now, synchronous: 'normal' }),
  },
];

test.each(adapters)(
  'answers $histories histories over $name as the model does',
  { timeout: 60_000 * runScale },
  async ({ name, histories, open }) => {
    const world = withClock(open);
    const started = performance.now();
    const count = histories * runScale;
    const difference = await findDifference(world, count);
    await world.storage.close();
    console.log(`${name}: ${count} histories in ${((performance.now() - started) / 1_000).toFixed(1)} s`);
    expect(difference).toBeNull();
  },
);
