import { expect, test } from 'vitest';
import { onePrimary, severalPrimaries, shown } from '../../test/sql-dialects.ts';
import { sqlBlobs, type SqlRunner } from './sql-blobs.ts';
import type { Sql, SqlRow } from './sql-connection.ts';
import type { SqlDialect } from './sql-dialect.ts';
import { sqlVectors } from './sql-vectors.ts';

/** A database that has the parts of an upload, and the transactions that it got: what each loads and what it writes. */
const createRunner = (dialect: SqlDialect, parts: readonly SqlRow[] = []) => {
  const written: (readonly string[])[] = [];
  const rowsOf = ({ text }: Sql): readonly SqlRow[] => (text.includes('length(bytes)') ? parts : []);
  const runner: SqlRunner = {
    dialect,
    query: async (statement) => rowsOf(statement),
    transact: async (loads, plan) => {
      const { writes, answer } = plan(loads.map(rowsOf));
      written.push(Array.from(writes, shown));
      return answer([]);
    },
  };
  return { runner, written };
};

const chunk = {
  storeId: 'store',
  documentId: 'd',
  place: 0,
  page: null,
  startIndex: 0,
  endIndex: 1,
  text: 'text',
  vector: Float32Array.of(1),
};

test('puts a blob in place by a transaction that also writes one of its parts where there are several primaries', async () => {
  for (const [dialect, touches] of [
    [severalPrimaries, ['UPDATE blob_part SET certified = certified + 1 WHERE number IN (?) [41]']],
    [onePrimary, []],
  ] as const) {
    const { runner, written } = createRunner(dialect, [[41, 3]]);
    await sqlBlobs(runner).put('inputs/1', Buffer.from('abc'));
    expect(written[0]?.slice(2)).toEqual(touches);
    expect(written[0]?.[0]).toContain('INSERT INTO stored_blob');
  }
});

test('puts no blob in place of which a part is gone', async () => {
  const { runner, written } = createRunner(severalPrimaries, [[41, 2]]);
  await expect(sqlBlobs(runner).put('inputs/1', Buffer.from('abc'))).rejects.toThrow('deleted while it was written');
  expect(written).toEqual([[]]);
});

test('writes chunks by a transaction that also writes their lock where there are several primaries', async () => {
  for (const [dialect, touches] of [
    [severalPrimaries, ['UPDATE lock_row SET certified = certified + 1 WHERE id IN (?) [chunks]']],
    [onePrimary, []],
  ] as const) {
    const { runner, written } = createRunner(dialect);
    await sqlVectors(runner).put([chunk]);
    expect(written[0]?.filter((text) => text.startsWith('UPDATE'))).toEqual(touches);
    expect(written[0]?.filter((text) => text.startsWith('INSERT INTO chunk'))).toHaveLength(1);
  }
});
