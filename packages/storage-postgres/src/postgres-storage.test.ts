import { describeStorage } from '@tollgate/testing/storage';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { testDatabase, type TestDatabase } from '../../../test/postgres-server.ts';
import { postgresStorage } from './postgres-storage.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(async () => database.drop());

let schemas = 0;

describeStorage({ describe, test }, 'postgresStorage', async () => {
  schemas += 1;
  let nowMs = 1;
  const options = { connectionString: database.url, schema: `case${schemas}`, now: () => nowMs };
  return {
    storage: await postgresStorage(options),
    reopen: () => postgresStorage(options),
    setNow: (ms) => {
      nowMs = ms;
    },
  };
});
