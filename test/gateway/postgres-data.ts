import { postgresStorage } from '@tollgate/storage-postgres';
import type { Storage } from '@tollgate/storage';
import { Client } from 'pg';
import { afterAll } from 'vitest';
import { testDatabase } from '../postgres-server.ts';
import type { CreateData } from './open-in-process.ts';

/** Gateways one after the other in one schema. Deleted rows stay in its tables, which get slower by them. */
const usesMax = 40;

interface Schema {
  readonly name: string;
  uses: number;
  /** Storages on it that are not closed. */
  open: number;
}

/** A database with a connection to it. */
const openDatabase = async () => {
  const database = await testDatabase();
  const client = new Client({ connectionString: database.url });
  await client.connect();
  return {
    url: database.url,
    /** Deletes every row of a schema but its version. */
    emptySchema: async (schema: string): Promise<void> => {
      const { rows } = await client.query<{ name: string }>(
        `SELECT tablename AS name FROM pg_tables WHERE schemaname = $1 AND tablename <> 'schema_version'`,
        [schema],
      );
      await client.query(rows.map(({ name }) => `DELETE FROM ${schema}."${name}"`).join(';'));
    },
    drop: async (): Promise<void> => {
      await client.end();
      await database.drop();
    },
  };
};

const countingCloses = (storage: Storage, schema: Schema): Storage => {
  schema.open += 1;
  return {
    ...storage,
    close: async () => {
      await storage.close();
      schema.open -= 1;
    },
  };
};

/**
 * Empty schemas of a database that is dropped after the tests of the file that asks for it. Making the tables of a schema
 * takes longer than most cases, so the next gateway gets the emptied schema of one that is closed.
 */
export const createPostgresData = (): CreateData => {
  let opening: ReturnType<typeof openDatabase> | undefined;
  afterAll(async () => {
    await (await opening)?.drop();
  });
  const schemas: Schema[] = [];
  const takeSchema = (): Schema => {
    const free = schemas.find(({ open, uses }) => open === 0 && uses < usesMax);
    const taken = free ?? { name: `gateway${schemas.length}`, uses: 0, open: 0 };
    if (free === undefined) schemas.push(taken);
    taken.uses += 1;
    return taken;
  };
  return (now) => {
    const schema = takeSchema();
    let emptying = schema.uses === 1 ? Promise.resolve() : undefined;
    return async () => {
      const database = await (opening ??= openDatabase());
      await (emptying ??= database.emptySchema(schema.name));
      const storage = await postgresStorage({ connectionString: database.url, schema: schema.name, now });
      return countingCloses(storage, schema);
    };
  };
};
