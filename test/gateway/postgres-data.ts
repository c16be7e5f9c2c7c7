import { postgresStorage } from '@tollgate/storage-postgres';
import { afterAll } from 'vitest';
import { testDatabase, type TestDatabase } from '../postgres-server.ts';
import type { CreateData } from './open-in-process.ts';

/** Dropping hundreds of schemas takes a busy machine its time. */
const dropMsMax = 300_000;

/** Schemas of a database that is dropped after the tests of the file that asks for it. */
export const createPostgresData = (): CreateData => {
  let creating: Promise<TestDatabase> | undefined;
  afterAll(async () => {
    await (await creating)?.drop();
  }, dropMsMax);
  let schemas = 0;
  return (now) => {
    schemas += 1;
    const schema = `gateway${schemas}`;
    return async () => {
      const { url } = await (creating ??= testDatabase());
      return postgresStorage({ connectionString: url, schema, now });
    };
  };
};
