import { globSync } from 'node:fs';

/** The tests beside the sources, of packages whose tests take little. */
const quick = [
  'admin',
  'contract',
  'cron',
  'engine',
  'limits',
  'live',
  'node',
  'routes',
  'storage',
  'storage-memory',
  'tollgate',
];
/** Packages of which the tests take long, and notice little of the others. */
const slow = ['storage-cells', 'storage-postgres', 'storage-sqlite'];

/** Too long for a run for each mutant, or no use in one thread with others. */
const leftOut = [
  '**/*.proof.test.ts',
  'packages/contract/src/**/*-fuzz.test.ts',
  'packages/cron/src/next-run-fuzz.test.ts',
  'packages/node/src/structure-judge.test.ts',
  'packages/routes/src/media-json/split-media.test.ts',
  'packages/storage-postgres/src/faults.test.ts',
  'packages/storage-postgres/src/migrate.test.ts',
  'packages/storage-sqlite/src/processes.test.ts',
  'packages/tollgate/src/cli/*.test.ts',
  'test/gateway/{cells,host-stores,memory-socket,postgres,postgres-socket,sqlite,sqlite-socket,suite-faults}*.test.ts',
  'test/clients/{ai-sdk-table,long-answers,marked-retries,page}.test.ts',
  'test/{bench-framing,docs,hostile-bodies,house,limits-processes,readmes,serve-processes,topology}.test.ts',
];

/** Runs all of the SQL kit, which SQLite itself does in part. */
const sqlKit = { folder: 'packages/storage/src', test: 'packages/storage-sqlite/src/driver-storage.proof.test.ts' };

const inPackage = (name: string): string => `packages/${name}/src/**/*.test.ts`;

/** The tests whose titles name rules of the contract. */
export const findRuleTests = (root: string): readonly string[] => {
  const patterns = [
    ...['contract', 'cron', 'engine', 'live', 'routes', 'storage'].map(inPackage),
    'test/gateway/memory.test.ts',
  ];
  return patterns.flatMap((pattern) => globSync(pattern, { cwd: root, exclude: leftOut })).toSorted();
};

/** The tests that mutants of some folders are tried with: those beside the sources, the gateway suite in memory, and clients. */
export const findTestFiles = (root: string, folders: readonly string[]): readonly string[] => {
  const wanted = slow.filter((name) => folders.some((folder) => folder.startsWith(`packages/${name}/`)));
  const patterns = [
    ...[...quick, ...wanted].map(inPackage),
    'test/{admin,clients,gateway}/*.test.ts',
    'test/*.test.ts',
  ];
  const files = patterns.flatMap((pattern) => globSync(pattern, { cwd: root, exclude: leftOut }));
  return [...files, ...(folders.includes(sqlKit.folder) ? [sqlKit.test] : [])].toSorted();
};
