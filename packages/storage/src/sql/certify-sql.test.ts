import { describe, expect, test } from 'vitest';
import { onePrimary, severalPrimaries, shown } from '../../test/sql-dialects.ts';
import type { Decide, Key } from '../storage.ts';
import { carrySqlBatch, createBatchSql } from './carry-sql-batch.ts';
import { missingCertification } from './certify-sql.ts';
import type { Sql, SqlConnection, SqlRow } from './sql-connection.ts';
import type { SqlDialect } from './sql-dialect.ts';
import { createTables } from './table-sql.ts';

const anyProject = createTables(severalPrimaries)('project')
  .codec.placeholder('p')
  .map((value) => (value === null ? null : String(value)));

/** A database in which the settings `here` and `there` and the project `p` are; it fails at a statement that is named. */
const createDatabase = (failsAt = '', failure = 'ended') => {
  const packets: (readonly string[])[] = [];
  const rowsOf = ({ text }: Sql): readonly SqlRow[] => {
    if (text === failsAt) throw new Error(failure);
    if (text.includes('FROM setting WHERE'))
      return [
        ['here', 'a'],
        ['there', 'b'],
      ];
    if (text.includes('FROM project WHERE')) return [anyProject];
    return text === 'SELECT clock' ? [['1']] : [];
  };
  const connection: SqlConnection = {
    run: async (statements) => {
      packets.push(statements.map(shown));
      return statements.map(rowsOf);
    },
    isOpen: () => true,
    close: () => undefined,
  };
  return { packets, connection };
};

const here: Key = { table: 'setting', id: 'here' };
const there: Key = { table: 'setting', id: 'there' };
const absent: Key = { table: 'setting', id: 'absent' };

const put =
  (id: string, value: string): Decide<null> =>
  () => ({ writes: [{ kind: 'put', table: 'setting', record: { id, value } }], answer: null });

/** Leaves `here` as it was and changes `there`. */
const both: Decide<null> = () => ({
  writes: ['a', 'z'].map((value, at) => ({
    kind: 'put',
    table: 'setting',
    record: { id: at === 0 ? 'here' : 'there', value },
  })),
  answer: null,
});

const carry = (dialect: SqlDialect, connection: SqlConnection, keys: readonly Key[], decide: Decide<null>) =>
  carrySqlBatch(
    { dialect, sql: createBatchSql(dialect, createTables(dialect)), now: null },
    connection,
    [{ keys, decide, resolve: () => undefined, reject: () => undefined }],
    true,
  );

const touched = (ids: string): string => `UPDATE setting SET certified = certified + 1 WHERE id IN (?) [${ids}]`;

describe('a batch on a database with several primaries', () => {
  test('writes the rows that its steps only read, and sends COMMIT when it has checked that its transaction lives', async () => {
    const { packets, connection } = createDatabase();
    await carry(severalPrimaries, connection, [here, there], put('there', 'c'));
    expect(packets.slice(1)).toEqual([
      [touched('here'), 'UPDATE setting SET value = ? WHERE id = ? [c,there]', 'CHECK'],
      ['COMMIT', 'AFTER'],
    ]);
  });

  test('locks the rows that are mostly read as all others, without a guard that another primary would not see', async () => {
    const { packets, connection } = createDatabase();
    await carry(severalPrimaries, connection, [here], put('here', 'c'));
    expect(packets[0]?.filter((text) => text.includes('lock_row'))).toEqual([]);
    expect(packets[0]?.find((text) => text.includes('FROM setting'))).toContain('FOR UPDATE');
  });

  test('writes a row that a step puts as it was', async () => {
    const { packets, connection } = createDatabase();
    await carry(severalPrimaries, connection, [here, there], both);
    expect(packets[1]?.[0]).toBe(touched('here'));
  });

  test('inserts and removes the absent rows of tables that are mostly read', async () => {
    const { packets, connection } = createDatabase();
    await carry(severalPrimaries, connection, [absent, here], put('here', 'c'));
    expect(packets[1]?.filter((text) => text.includes('[absent'))).toHaveLength(2);
  });

  test('locks and writes a project in place of its subscriptions where it has none', async () => {
    const { packets, connection } = createDatabase();
    await carry(severalPrimaries, connection, [{ table: 'subscriptions', id: 'p' }, here, there], put('here', 'c'));
    expect(packets[0]?.find((text) => text.includes('FROM project'))).toContain('FOR UPDATE [p]');
    expect(packets[1]).toEqual([
      'UPDATE project SET certified = certified + 1 WHERE id IN (?) [p]',
      touched('there'),
      'UPDATE setting SET value = ? WHERE id = ? [c,here]',
      'CHECK',
    ]);
  });

  test('is decided again where the server does not know what became of a statement before COMMIT', async () => {
    const { connection } = createDatabase('CHECK', 'vanished');
    expect((await carry(severalPrimaries, connection, [here], put('here', 'c'))).kind).toBe('busy');
  });

  test('is decided again, and commits nothing, where its transaction was ended meanwhile', async () => {
    const { packets, connection } = createDatabase('CHECK');
    expect((await carry(severalPrimaries, connection, [here], put('here', 'c'))).kind).toBe('busy');
    expect(packets.flat()).not.toContain('COMMIT');
    expect(packets.at(-1)).toEqual(['ROLLBACK', 'AFTER']);
  });
});

describe('a COMMIT that fails on a database with several primaries', () => {
  test('has written nothing where it lost a conflict: the steps are decided again', async () => {
    const { connection } = createDatabase('COMMIT');
    expect((await carry(severalPrimaries, connection, [here], put('here', 'c'))).kind).toBe('busy');
  });

  test('is unknown after any other failure, whatever that would mean of another statement', async () => {
    const { connection } = createDatabase('COMMIT', 'interrupted');
    expect((await carry(severalPrimaries, connection, [here], put('here', 'c'))).kind).toBe('unknown');
  });
});

describe('a batch on a database with one primary', () => {
  test('writes nothing that its steps only read, and sends COMMIT with the writes', async () => {
    const { packets, connection } = createDatabase();
    await carry(onePrimary, connection, [here, there], put('there', 'c'));
    expect(packets.at(-1)).toEqual(['UPDATE setting SET value = ? WHERE id = ? [c,there]', 'COMMIT']);
    const other = createDatabase();
    await carry(onePrimary, other.connection, [{ table: 'subscriptions', id: 'p' }, here], put('here', 'c'));
    expect(other.packets.flat().filter((text) => text.includes('project'))).toEqual([]);
  });
});

describe('missingCertification', () => {
  test('adds the column to every table that lacks it, and to none where there is one primary', async () => {
    const { packets, connection } = createDatabase();
    const statements = await missingCertification(severalPrimaries, connection);
    expect(packets).toEqual([['TABLES WITH certified']]);
    for (const table of ['lock_row', 'blob_part', 'wallet', 'api_key'])
      expect(statements).toContain(`ALTER TABLE ${table} ADD COLUMN certified integer NOT NULL DEFAULT 0`);
    expect(await missingCertification(onePrimary, connection)).toEqual([]);
  });
});
