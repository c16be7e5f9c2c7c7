import { storageCases } from '@tollgate/testing';
import type { Storage, VectorIndex } from '@tollgate/storage';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runSql, testDatabase, type TestDatabase } from '../../../test/postgres-server.ts';
import { withClient } from './migrate.ts';
import { postgresStorage } from './postgres-storage.ts';
import type { StatementResult } from './statement.ts';
import { tableVectors } from './table-vectors.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
  // What pgvector brings, as far as the index asks for it: a type that arrays are cast to, and the operator of its distance.
  await runSql(
    database.url,
    `CREATE SCHEMA "odd schema";
     CREATE DOMAIN "odd schema".vector AS real[];
     CREATE FUNCTION "odd schema".distance(a real[], b real[]) RETURNS double precision LANGUAGE sql IMMUTABLE AS
       $$ SELECT 1 - sum(x::double precision * y) FROM unnest(a, b) pair (x, y) $$;
     CREATE OPERATOR "odd schema".<=> (LEFTARG = real[], RIGHTARG = real[], FUNCTION = "odd schema".distance)`,
  );
});
afterAll(async () => database.drop());

let schemas = 0;

/** The storage with an index that believes pgvector there. */
const openBelieving = async (
  body: (storage: Storage & { readonly plain: VectorIndex }) => Promise<void>,
): Promise<void> => {
  schemas += 1;
  const schema = `believing${schemas}`;
  const source = { connectionString: database.url };
  const storage = await postgresStorage({ ...source, schema });
  try {
    await withClient(source, 5_000, async (client) => {
      const run = async ({ text, values }: { readonly text: string; readonly values: readonly unknown[] }) => {
        const { rows, rowCount, command } = await client.query<(string | null)[]>({
          text,
          values: [...values],
          rowMode: 'array',
          // Every value in the server's own text form, as the storage's connections answer it.
          types: { getTypeParser: () => (value: string) => value },
        });
        const result: StatementResult = { rows, tag: `${command} ${rowCount}` };
        return result;
      };
      await body({
        ...storage,
        plain: storage.vectors,
        vectors: tableVectors(schema, run, () => Promise.resolve('odd schema')),
      });
    });
  } finally {
    await storage.close();
  }
};

const vectorCases = storageCases.filter(({ name }) =>
  [
    'finds the chunks',
    'keeps what belongs to a chunk',
    'goes by the direction',
    'puts chunks that are equally near',
    'looks in the stores',
    'replaces a chunk',
    'removes the chunks',
    'searches more chunks',
    'refuses a vector of another length',
  ].some((start) => name.startsWith(start)),
);

test('the cases of the index are found by their names', () => expect(vectorCases).toHaveLength(9));

test.each(vectorCases)('by the operator of the server, $name', async ({ run }) => {
  const running = openBelieving((storage) =>
    run({ storage, other: () => Promise.resolve(storage), setNow: () => undefined }),
  );
  await expect(running).resolves.toBeUndefined();
});

test('scans a store of which some chunks were put before there was pgvector', async () => {
  await openBelieving(async (storage) => {
    const chunk = { storeId: 's', documentId: 'd', page: null, startIndex: 0, endIndex: 1, text: 't' };
    const at = (place: number, ...vector: readonly number[]) => ({
      ...chunk,
      place,
      vector: Float32Array.from(vector),
    });
    const find = async () => {
      const found = await storage.vectors.search({ storeIds: ['s'], vector: Float32Array.of(1, 0), limit: 5 });
      return found.map(({ place }) => place);
    };
    await storage.vectors.put([at(0, 0, 1), at(1, 1, 1)]);
    expect(await find()).toEqual([1, 0]);
    await storage.plain.put([at(2, 1, 0)]);
    expect(await find()).toEqual([2, 1, 0]);
  });
});
