import { setTimeout as delay } from 'node:timers/promises';
import { killProcesses } from '../../test/server-processes.ts';
import { createTestDatabase, runSql, startKeeper, type Keeper } from '../../test/postgres-server.ts';
import type { TortureStore } from './store-choice.ts';

const lookMs = 20;
const recoveryMsMax = 30_000;

/** Resolves when another process serves the same data, and answers. */
const untilBack = async (keeper: Keeper, url: string, dead: number): Promise<void> => {
  const giveUpMs = performance.now() + recoveryMsMax;
  for (;;) {
    const back =
      (await keeper.server()).pid !== dead &&
      (await runSql(url, 'SELECT 1').then(
        () => true,
        () => false,
      ));
    if (back) return;
    if (performance.now() > giveUpMs) throw new Error('PostgreSQL did not come back');
    await delay(lookMs);
  }
};

const killServer = async (keeper: Keeper, url: string): Promise<void> => {
  const { pid } = await keeper.server();
  await killProcesses(pid);
  await untilBack(keeper, url, pid);
};

const indexes = `
  SELECT bt_index_parent_check(i.indexrelid, true)
  FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE n.nspname = 'tollgate'`;
const tables = `
  SELECT c.relname || ': ' || v.msg AS found
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace, LATERAL verify_heapam(c.oid) v
  WHERE n.nspname = 'tollgate' AND c.relkind = 'r'`;

/** PostgreSQL's own check of every index and table. */
export const checkPostgresFiles = async (url: string): Promise<readonly string[]> => {
  await runSql(url, 'CREATE EXTENSION IF NOT EXISTS amcheck');
  try {
    await runSql(url, indexes);
  } catch (cause) {
    return [String(cause)];
  }
  return (await runSql(url, tables)).map(({ found }) => String(found));
};

/** A new server of its own, for it is killed, with an empty database. */
export const createPostgresStore = async (): Promise<TortureStore> => {
  const keeper = await startKeeper();
  try {
    const { url } = await createTestDatabase(await keeper.server());
    return {
      choice: { kind: 'postgres', url },
      killServer: () => killServer(keeper, url),
      checkFiles: () => checkPostgresFiles(url),
      close: () => keeper.stop(),
    };
  } catch (cause) {
    await keeper.stop();
    throw cause;
  }
};
