/** The folders whose rules the mutants are of. Each is a stratum of the sample. */
export const targets: readonly string[] = [
  'packages/engine/src/decisions',
  'packages/engine/src/ledger',
  'packages/engine/src/operations',
  'packages/engine/src/jobs',
  'packages/engine/src/workers',
  'packages/engine/src/resources',
  'packages/engine/src/live',
  'packages/engine/src/triggers',
  'packages/engine/src/webhooks',
  'packages/routes/src',
  'packages/live/src',
  'packages/cron/src',
  'packages/node/src/egress',
  'packages/storage/src',
  'packages/storage-memory/src',
  'packages/storage-sqlite/src',
  'packages/storage-postgres/src',
  'packages/storage-cells/src',
];

/** Sources that run in a thread of their own, where no switch can be turned on. */
export const otherThreads: readonly string[] = ['packages/storage-sqlite/src/checkpoint-worker.ts'];

/** The folders that hold the rules of the contract: those of the storages are no rule of it. */
export const ruleTargets: readonly string[] = [
  'packages/contract/src',
  ...targets.filter((folder) => !folder.startsWith('packages/storage')),
];
