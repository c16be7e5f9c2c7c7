import { expect, test } from 'vitest';
import { onePrimary } from '../../test/sql-dialects.ts';
import { sampleRecords } from '../../../testing/src/storage/sample-records.ts';
import type { Write } from '../storage.ts';
import { carrySqlBatch, createBatchSql } from './carry-sql-batch.ts';
import type { SqlConnection, SqlRow } from './sql-connection.ts';
import { createTables } from './table-sql.ts';

/** A database in which an INSERT finds its key taken, after which its connection may be lost; `present` are the rows found then. */
const createDatabase = (present: readonly SqlRow[], isLost: boolean) => {
  let isOpen = true;
  let isTaken = false;
  const connection: SqlConnection = {
    run: async (statements) => {
      if (!isOpen) throw new Error('the connection was lost');
      return statements.map(({ text }) => {
        if (text.startsWith('INSERT INTO entry') || text.startsWith('INSERT INTO setting')) {
          isTaken = true;
          isOpen = !isLost;
          throw new Error('taken');
        }
        if (text === 'SELECT clock') return [['1']];
        return isTaken && text.startsWith('SELECT id FROM entry') ? present : [];
      });
    },
    isOpen: () => isOpen,
    close: () => {
      isOpen = false;
    },
  };
  return connection;
};

const appended: Write = { kind: 'append', table: 'entry', record: sampleRecords.entry('acme:1') };
const added: Write = { kind: 'put', table: 'setting', record: { id: 'a', value: 'b' } };

const carry = (connection: SqlConnection, write: Write, trustFresh = false) =>
  carrySqlBatch(
    { dialect: onePrimary, sql: createBatchSql(onePrimary, createTables(onePrimary)), now: null },
    connection,
    [
      {
        keys: write.kind === 'put' ? [{ table: 'setting', id: 'a' }] : [],
        decide: () => ({ writes: [write], answer: null }),
        resolve: () => undefined,
        reject: () => undefined,
      },
    ],
    trustFresh,
  );

test('says that a row was appended twice where it is there, once its steps were decided again', async () => {
  const present = [['acme:1']];
  expect(await carry(createDatabase(present, false), appended)).toMatchObject({
    kind: 'nothing',
    cause: { message: 'a row was appended twice' },
  });
  expect(await carry(createDatabase(present, false), appended, true)).toMatchObject({ kind: 'nothing', isRace: true });
});

test('takes it for a race where the row is not there, where none was appended, and where that cannot be asked', async () => {
  const race = { kind: 'nothing', isRace: true, cause: { message: 'taken' } };
  expect(await carry(createDatabase([], false), appended)).toMatchObject(race);
  expect(await carry(createDatabase([['acme:1']], false), added)).toMatchObject(race);
  expect(await carry(createDatabase([['acme:1']], true), appended)).toMatchObject(race);
});
