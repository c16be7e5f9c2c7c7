import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { required } from '../src/environment.ts';

/** A schema of its own for each run of the tests, in the database of DATABASE_URL. */
export const createTestDatabase = async () => {
  const connectionString = required(process.env, 'DATABASE_URL');
  const schema = `gateway_test_${randomUUID().slice(0, 8)}`;
  return {
    environment: { DATABASE_URL: connectionString, TOLLGATE_SCHEMA: schema },
    drop: async () => {
      const client = new Client({ connectionString });
      await client.connect();
      await client.query(`DROP SCHEMA IF EXISTS "${schema}" CASCADE`);
      await client.end();
    },
  };
};
