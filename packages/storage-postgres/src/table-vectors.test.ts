import { PGlite } from '@electric-sql/pglite';
import { vector as pgvector } from '@electric-sql/pglite-pgvector';
import { storageCases } from '@tollgate/testing/storage';
import { memoryStorage } from '../../storage-memory/src/index.ts';
import type { Storage, VectorIndex } from '@tollgate/storage';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { migrateOn } from './migrate.ts';
import type { Statement, StatementResult } from './statement.ts';
import { tableVectors } from './table-vectors.ts';

/** PostgreSQL with pgvector itself, in this process: the server of the other tests has no extensions. */
let database: PGlite;
beforeAll(async () => {
  database = await PGlite.create({ extensions: { vector: pgvector } });
  await database.exec(`CREATE SCHEMA "odd schema"; CREATE EXTENSION vector SCHEMA "odd schema"`);
});
afterAll(async () => database.close());

let schemas = 0;

/** Types that the index answers, each left in the server's own text form, as the storage's connections answer it. */
const oids = { bool: 16, bytea: 17, int8: 20, text: 25, float8: 701, name: 19 } as const;
const parsers = Object.fromEntries(Object.values(oids).map((oid) => [oid, (value: string) => value]));

const statements: string[] = [];

const runStatement = async (...sent: readonly Statement[]): Promise<StatementResult> => {
  for (const before of sent.slice(0, -1)) await runStatement(before);
  const { name, text, values } = sent.at(-1) ?? expect.unreachable('no statement was sent');
  statements.push(name);
  const { rows, affectedRows } = await database.query<(string | null)[]>(text, [...values], {
    rowMode: 'array',
    parsers,
  });
  return { rows, tag: `ANY ${affectedRows ?? 0}` };
};

/** Migrations hold many statements each, which only `exec` takes; they read nothing but rows. */
const query = async (text: string, values?: unknown[]) =>
  values === undefined ? (await database.exec(text)).at(-1) : database.query(text, values);

/** A storage whose index finds pgvector, beside the same index as it is without. */
const openWithPgvector = async (
  body: (storage: Storage & { readonly plain: VectorIndex }) => Promise<void>,
): Promise<void> => {
  schemas += 1;
  const schema = `vectors${schemas}`;
  await migrateOn({ query } as unknown as Parameters<typeof migrateOn>[0], schema);
  const storage = memoryStorage();
  await body({
    ...storage,
    plain: tableVectors(schema, runStatement, () => Promise.resolve(null)),
    vectors: tableVectors(schema, runStatement),
  });
  await storage.close();
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

test.each(vectorCases)('by pgvector in the server, $name', async ({ run }) => {
  const running = openWithPgvector((storage) =>
    run({
      storage,
      other: () => Promise.resolve(storage),
      setNow: () => undefined,
      hook: (name) => expect.unreachable(`no case of vectors needs ${name}`),
      startWriter: () => expect.unreachable('no case of vectors starts a process'),
      closeLater: (one) => one,
    }),
  );
  await expect(running).resolves.toBeUndefined();
});

test('scans a store of which some chunks were put before there was pgvector', async () => {
  await openWithPgvector(async (storage) => {
    const chunk = { storeId: 's', documentId: 'd', page: null, startIndex: 0, endIndex: 1, text: 't' };
    const at = (place: number, ...vector: readonly number[]) => ({
      ...chunk,
      place,
      vector: Float32Array.from(vector),
    });
    const find = async () => {
      statements.length = 0;
      const found = await storage.vectors.search({ storeIds: ['s'], vector: Float32Array.of(1, 0), limit: 5 });
      return found.map(({ place }) => place);
    };
    await storage.vectors.put([at(0, 0, 1), at(1, 1, 1)]);
    expect(await find()).toEqual([1, 0]);
    expect(statements).toContain('nearest_chunks');
    await storage.plain.put([at(2, 1, 0)]);
    expect(await find()).toEqual([2, 1, 0]);
    expect(statements).not.toContain('nearest_chunks');
  });
});
