export { describeStorage, storageCases, type TestRunner } from './storage/describe-storage.ts';
export { runStorageCase, type OpenedStorage, type StorageCase, type StorageWorld } from './storage/storage-case.ts';
export { checkHistory, type HistoryReport } from './storage/history-checker.ts';
export type { HistoryViolation, LedgerCall, LedgerReply, RecordedCall, WalletSums } from './storage/ledger-history.ts';
