export { describeStorage } from './storage/describe-storage.ts';
export { storageCases } from './storage/storage-cases.ts';
export type { TestContext, TestRunner } from './test-runner.ts';
export { runStorageCase, type OpenedStorage, type StorageCase, type StorageWorld } from './storage/storage-case.ts';
export type { RefusedWrite, StorageHook, StorageHooks } from './storage/storage-hooks.ts';
export { storagePromises, type StoragePromise } from './storage/storage-promises.ts';
export { BrokenPromise } from './broken-promise.ts';
export { checkHistory, type HistoryReport } from './storage/history-checker.ts';
export type { HistoryViolation, LedgerCall, LedgerReply, RecordedCall, WalletSums } from './storage/ledger-history.ts';
