import { postgresStorage } from '@tollgate/storage-postgres';
import type { Storage } from '@tollgate/storage';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { emptyWallet } from '../packages/engine/src/decisions/wallet.ts';
import { createTestDatabase, startKeeper, type Keeper } from './postgres-server.ts';

// A server of its own, for this one is killed.
let keeper: Keeper;
beforeAll(async () => {
  keeper = await startKeeper();
});
afterAll(async () => keeper.stop());

const raise = (storage: Storage): Promise<number> =>
  storage.transact([{ table: 'wallet', id: 'w' }], (records) => {
    const wallet = records.get('wallet', 'w') ?? emptyWallet('w');
    const raised = { ...wallet, seq: wallet.seq + 1 };
    return { writes: [{ kind: 'put', table: 'wallet', record: raised }], answer: raised.seq };
  });

const deaths = 4 * Number(process.env['TEST_SCALE'] ?? '1');

test('loses nothing that it acknowledged when PostgreSQL is killed, and goes on when it is back', async () => {
  const { url } = await createTestDatabase(await keeper.server());
  const storage = await postgresStorage({ connectionString: url, retriesMax: 10 });
  /** The highest number acknowledged; 0 where a step was not acknowledged, which says nothing. */
  const tryRaise = (): Promise<number> => raise(storage).catch(() => 0);
  let acknowledged = await raise(storage);
  for (let death = 0; death < deaths; death += 1) {
    const before = acknowledged;
    const { pid } = await keeper.server();
    // What a killed server's children go on answering for a moment is not an answer after the death.
    const isBack = async (): Promise<boolean> => (await keeper.server()).pid !== pid;
    const client = async (): Promise<void> => {
      // Until it is acknowledged again after the death: the storage finds its way back by itself.
      for (let seq = 0; seq < before + 20;) {
        const back = await isBack();
        const raised = await tryRaise();
        acknowledged = Math.max(acknowledged, raised);
        if (back) seq = raised;
      }
    };
    const clients = Array.from({ length: 4 }, client);
    process.kill(pid, 'SIGKILL');
    await Promise.all(clients);
  }
  const stored = (await storage.read([{ table: 'wallet', id: 'w' }])).get('wallet', 'w')?.seq ?? 0;
  expect(stored).toBeGreaterThanOrEqual(acknowledged);
  await storage.close();
});
