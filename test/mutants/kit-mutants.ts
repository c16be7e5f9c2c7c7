import type { Mutant } from './mutant.ts';

/** A mutant of what storages share, and a test beside it. */
const kitMutant = (
  name: string,
  [file, search, replace]: readonly [string, string, string],
  [test, title]: readonly [string, string],
): Mutant => ({
  name,
  file: `packages/${file}`,
  search,
  replace,
  test: { project: 'unit', file: `packages/${test}`, title },
});

const codec = 'storage/src/sql/record-codec.ts';
const codecTest = 'storage/src/sql/record-codec.test.ts';
const transaction = 'storage/src/sql/sql-transaction.ts';
const transactionTest = 'storage/src/sql/sql-transaction.test.ts';
const schemaTest = 'storage/src/sql/schema-sql.test.ts';

/** Faults in the SQL kit, and in what it shares with the storages that have statements of their own. */
export const kitMutants: readonly Mutant[] = [
  kitMutant(
    'half a surrogate pair is stored as text',
    ['storage/src/column-values.ts', `typeof value === 'string' && value.isWellFormed()`, `typeof value === 'string'`],
    [codecTest, 'refuses a text with half a surrogate pair, and keeps it within JSON'],
  ),
  kitMutant(
    'a change of the 35th column of a table is one of the third',
    [codec, 'power: 2 ** at,', 'power: 2 ** (at % 32),'],
    [codecTest, 'tells the columns of a table with more than 32 of them apart'],
  ),
  kitMutant(
    'a changed wallet may reserve more than it has',
    [codec, '      check(after);\n', ''],
    [codecTest, 'refuses a wallet that reserves more than it has, when it is made and when it is changed'],
  ),
  kitMutant(
    'JSON that was made anew is written again where it costs more than it saves',
    [codec, 'before === after || (comparesJson && isJson', 'before === after || (!comparesJson && isJson'],
    [codecTest, 'names the columns that changed: JSON made anew with the same content has not'],
  ),
  kitMutant(
    'a published version of the schema gets another column',
    ['storage/src/sql/schema-changes.ts', `added('operation', 'verdict')`, `added('operation', 'verdict', 'plan')`],
    [schemaTest, 'leaves every version of the storages that have all of them as it was published'],
  ),
  kitMutant(
    'a published version of the schema counts other rows',
    ['storage/src/sql/schema-fills.ts', `entry.kind = 'debit' AND`, `entry.kind <> 'deposit' AND`],
    [schemaTest, 'leaves every version of the storages that have all of them as it was published'],
  ),
  kitMutant(
    'the tables of the kit in a new database differ from those that were published',
    [
      'storage/src/sql/kit-tables.ts',
      '`upload ${id} NOT NULL`,\n      `size_bytes',
      '`upload ${id}`,\n      `size_bytes',
    ],
    [schemaTest, 'leaves version 1 as it was published'],
  ),
  kitMutant(
    'a commit whose connection was lost counts as not made',
    [transaction, 'plan.onlyReads === true && dialect', 'dialect'],
    [transactionTest, 'does not know of a commit that was'],
  ),
  kitMutant(
    'a lost connection makes the outcome of what only read unknown',
    [
      transaction,
      'if (lostReadsOnly || wroteNothing(dialect, cause)) throw cause;',
      'if (wroteNothing(dialect, cause)) throw cause;',
    ],
    [transactionTest, 'reports as lost, and not as unknown, what only read when its connection was lost'],
  ),
  kitMutant(
    'a transaction that failed is left open',
    [
      transaction,
      '    await leave(dialect, connection);\n    throw cause;\n  }\n};\n\n/** Ends',
      '    throw cause;\n  }\n};\n\n/** Ends',
    ],
    [transactionTest, 'leaves the transaction whose commit failed by'],
  ),
  kitMutant(
    'a locked table of SQLite is a fault of the step',
    [
      'storage-sqlite/src/sqlite-dialect.ts',
      `name: 'SQLITE_LOCKED', fault: 'busy'`,
      `name: 'SQLITE_LOCKED', fault: 'other'`,
    ],
    ['storage-sqlite/src/sqlite-dialect.test.ts', 'says of an error what follows from it'],
  ),
];
