export type { AccountRecord, BalanceAlertRecord, LimitsRecord, Metadata, WalletRecord } from './account-record.ts';
export type { ApiKeyRecord, BrowserTokenRecord, CapRecord, ProjectRecord, SpendRecord } from './access-record.ts';
export { blobPartBytes, putBlobParts, readBlobParts, type BlobParts, type SlicePart } from './blob-parts.ts';
export { blobKeyCharsMax, isBlobKey } from './blob-key.ts';
export { blobChunkBytes, gatherChunks, oneChunk, streamOf } from './blob-chunks.ts';
export { rangeWithin } from './blob-range.ts';
export type { BlobRange, BlobStore, BlobStream } from './blob-store.ts';
export { checkedStorage, recordsOfBatch, type CheckedStorageOptions, type StorageParts } from './checked-storage.ts';
export { checkChunkQuery, checkChunks, checkDimensions, unitVector } from './chunk-checks.ts';
export {
  carrySteps,
  decideSteps,
  settleSteps,
  storageBusy,
  type CarryAttempt,
  type CarryResult,
  type CarryRetries,
  type StepOutcome,
} from './carry-steps.ts';
export type { CreditLedger, LedgerAmount, LedgerCommand } from './credit-ledger.ts';
export type {
  DeliveryRecord,
  HostEventRecord,
  LiveSessionRecord,
  OccurrenceRecord,
  OutboxRecord,
  SubscriptionsRecord,
  TriggerRecord,
  WebhookRecord,
} from './event-record.ts';
export { memoryBlobs } from './memory-blobs.ts';
export { UnsafeDatabaseError } from './unsafe-database-error.ts';
export { createStepBatch, type StepBatch, type NetWrite } from './step-batch.ts';
export { watchBatches, type CommittedBatch, type OnBatch } from './watch-batches.ts';
export { createStepBatcher, type StepBatcher, type StepBatcherOptions, type QueuedStep } from './step-batcher.ts';
export type { FileRecord, FileUseRecord, PendingBlobRecord } from './file-record.ts';
export type { IdempotencyStore, IdentityClaim } from './idempotency-store.ts';
export {
  indexes,
  indexSpec,
  listRowsMax,
  type AnyIndexSpec,
  type IndexCursor,
  type IndexName,
  type IndexQuery,
  type IndexSpec,
  type IndexTable,
  type ScanQuery,
} from './indexes.ts';
export { checkScan } from './check-scan.ts';
export type { MoveLogRecord } from './move-record.ts';
export { collisionWaitMs } from './collision-wait.ts';
export { isStoredAmount, isStoredInteger, isStoredText } from './column-values.ts';
export { connectionOf } from './connection-of.ts';
export type { AnomalyRecord, DepositRecord, EntryRecord, SettingRecord, TariffRecord } from './ledger-record.ts';
export type {
  AnswerForm,
  AnswerRecord,
  AttemptRecord,
  VerdictPartRecord,
  VerdictRecord,
  IdentityRecord,
  OperationRecord,
  ToolContextRecord,
  UndeliveredRecord,
  UsageRecord,
} from './operation-record.ts';
export { regroupChunks } from './regroup-chunks.ts';
export { createNearestChunks, innerProduct, type NearestChunks } from './nearest-chunks.ts';
export type { EnvironmentFile, EnvironmentTreeRecord } from './environment-record.ts';
export type { DebtRecord, PaymentOrderRecord, PaymentRecord, TopUpRecord } from './payment-record.ts';
export type { ProjectUsageRecord } from './project-usage-record.ts';
export type { BatchItemRecord, ResourceRecord, ResourceUseRecord } from './resource-record.ts';
export {
  cellsCrossedCode,
  databaseMissingCode,
  storageBusyCode,
  storageOf,
  type ClaimQuery,
  type Decide,
  type Decision,
  type Key,
  type Records,
  type Storage,
  type StorageCells,
  type Write,
} from './storage.ts';
export { isMostlyRead, keepsAmounts, risingAmounts, tablesInLockOrder } from './table-access.ts';
export { appendOnlyTables, claimableTables, type AppendOnlyTable, type ClaimableTable } from './table-groups.ts';
export { amountMicrosMax, tableColumns, type ColumnKind } from './table-columns.ts';
export type { TableName, Tables } from './tables.ts';
export { idCharsMax, textCharsMax } from './text-limits.ts';
export { sumUsageRows, type UsageRow } from './sum-usage-rows.ts';
export type {
  UnitSums,
  UsageAmounts,
  UsageDayRecord,
  UsageHourRecord,
  UsageLineRecord,
  UsageSource,
} from './usage-record.ts';
export {
  checkUsageQuery,
  foldUsageRows,
  usageDimensions,
  usagePeriodsMax,
  usageRollUps,
  usageSumsMax,
  type UsageCursor,
  type UsageDimension,
  type UsageFilter,
  type UsageRollUp,
  type UsageSum,
  type UsageSumQuery,
  type UsageSumRow,
} from './usage-sums.ts';
export { bytesOfVector, vectorOfBytes } from './vector-bytes.ts';
export { recordOfTable, recordsOfTable } from './typed-records.ts';
export { writeOf } from './write-of.ts';
export {
  chunksPerPutMax,
  foundChunksMax,
  searchedStoresMax,
  vectorDimensionsCode,
  type ChunkQuery,
  type FoundChunk,
  type IndexedChunk,
  type VectorIndex,
} from './vector-index.ts';
