import { describeStorage } from '@tollgate/testing/storage';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { hasPgBouncer, startPgBouncer, type PgBouncer } from '../../../test/pgbouncer.ts';
import { testDatabase, type TestDatabase } from '../../../test/postgres-server.ts';
import { postgresStorage } from './postgres-storage.ts';

describe.runIf(hasPgBouncer('the storage suite behind PgBouncer'))('behind PgBouncer in transaction mode', () => {
  let database: TestDatabase;
  let pooler: PgBouncer;
  beforeAll(async () => {
    database = await testDatabase();
    // Fewer connections than the suite's storages have, each given to the next client in turn.
    const settings = { default_pool_size: 12, server_round_robin: 1, max_client_conn: 1_000 };
    pooler = await startPgBouncer({ url: database.url, mode: 'transaction', settings });
  });
  afterAll(async () => {
    await pooler.stop();
    await database.drop();
  });

  let schemas = 0;
  describeStorage({ describe, test }, 'postgresStorage', async () => {
    schemas += 1;
    let nowMs = 1;
    const schema = `pooled${schemas}`;
    const open = () =>
      postgresStorage({ connectionString: pooler.url, schema, pooler: 'transaction', now: () => nowMs });
    return {
      storage: await open(),
      reopen: open,
      setNow: (ms) => {
        nowMs = ms;
      },
    };
  });
});
