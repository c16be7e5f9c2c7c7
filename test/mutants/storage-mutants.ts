import type { Mutant } from './mutant.ts';

/** A mutant of a storage that a case of the published suite must notice. */
const inStorageSuite = (
  storage: 'postgres' | 'sqlite',
  name: string,
  [file, search, replace]: readonly [string, string, string],
  [cases, title]: readonly [string, string],
): Mutant => ({
  name,
  file: `packages/${file}`,
  search,
  replace,
  test: {
    project: 'unit',
    file: `packages/storage-${storage}/src/${storage}-storage.test.ts`,
    cases: `packages/testing/src/storage/cases/${cases}`,
    title,
  },
});

/** Faults in our own storages. */
export const storageMutants: readonly Mutant[] = [
  inStorageSuite(
    'postgres',
    'rows of PostgreSQL are read and not locked',
    ['storage-postgres/src/table-statements.ts', 'ORDER BY id FOR UPDATE`', 'ORDER BY id`'],
    ['every-table-cases.ts', 'keeps every change of a record that two doors have read before'],
  ),
  inStorageSuite(
    'postgres',
    'absent rows of PostgreSQL are not kept absent',
    ['storage/src/sql/run-batch.ts', 'sql.writes(writes, absent, loaded)', 'sql.writes(writes, [], loaded)'],
    ['every-table-cases.ts', 'lets no two steps break a rule over absent keys of which each only reads one'],
  ),
  inStorageSuite(
    'postgres',
    'steps whose commit was not answered are decided again',
    [
      'storage-postgres/src/postgres-storage.ts',
      "cause instanceof UnknownCommitError || retryReason(cause) === 'lost'",
      "retryReason(cause) === 'lost'",
    ],
    ['outage-cases.ts', 'carries no step twice whose commit was not answered'],
  ),
  inStorageSuite(
    'postgres',
    'the parts of a stream that broke stay in PostgreSQL',
    ['storage/src/blob-parts.ts', 'await parts.drop(upload).catch(() => undefined);', ''],
    ['blob-stream-cases.ts', 'leaves no bytes of what was deleted'],
  ),
  inStorageSuite(
    'sqlite',
    'the cache of SQLite is not cleared when another process commits',
    ['storage-sqlite/src/transactions.ts', 'if (version === knownVersion) return;', 'if (version !== null) return;'],
    ['visibility-cases.ts', 'shows a door that has looked before every change of another'],
  ),
  inStorageSuite(
    'sqlite',
    'SQLite rejects in its own words where another process holds the lock',
    [
      'storage-sqlite/src/busy-retry.ts',
      'if (limits.monotonicMs() >= giveUpAtMs) throw busy(cause);\n    // Tries',
      'if (limits.monotonicMs() >= giveUpAtMs) throw cause;\n    // Tries',
    ],
    ['outage-cases.ts', 'refuses a step as busy whose record is held too long'],
  ),
];
