import type { AccountRecord, BalanceAlertRecord, WalletRecord } from './account-record.ts';
import type { EnvironmentTreeRecord } from './environment-record.ts';
import type { ApiKeyRecord, BrowserTokenRecord, ProjectRecord, SpendRecord } from './access-record.ts';
import type {
  DeliveryRecord,
  HostEventRecord,
  LiveSessionRecord,
  OccurrenceRecord,
  OutboxRecord,
  SubscriptionsRecord,
  TriggerRecord,
  WebhookRecord,
} from './event-record.ts';
import type { FileRecord, FileUseRecord, PendingBlobRecord } from './file-record.ts';
import type { DebtRecord, PaymentOrderRecord, PaymentRecord, TopUpRecord } from './payment-record.ts';
import type { MoveLogRecord } from './move-record.ts';
import type { ProjectUsageRecord } from './project-usage-record.ts';
import type { UsageDayRecord, UsageHourRecord, UsageLineRecord } from './usage-record.ts';
import type { BatchItemRecord, ResourceRecord, ResourceUseRecord } from './resource-record.ts';
import type { AnomalyRecord, DepositRecord, EntryRecord, SettingRecord, TariffRecord } from './ledger-record.ts';
import type {
  AnswerRecord,
  IdentityRecord,
  OperationRecord,
  ToolContextRecord,
  UndeliveredRecord,
} from './operation-record.ts';

/** Every table and the record it holds. Each record has a text `id` that is its key. */
export interface Tables {
  readonly account: AccountRecord;
  readonly wallet: WalletRecord;
  readonly project: ProjectRecord;
  readonly apiKey: ApiKeyRecord;
  readonly browserToken: BrowserTokenRecord;
  readonly spend: SpendRecord;
  readonly operation: OperationRecord;
  readonly answer: AnswerRecord;
  readonly identity: IdentityRecord;
  readonly undelivered: UndeliveredRecord;
  readonly toolContext: ToolContextRecord;
  readonly entry: EntryRecord;
  readonly deposit: DepositRecord;
  readonly tariff: TariffRecord;
  readonly anomaly: AnomalyRecord;
  readonly setting: SettingRecord;
  readonly file: FileRecord;
  readonly fileUse: FileUseRecord;
  readonly pendingBlob: PendingBlobRecord;
  readonly resource: ResourceRecord;
  readonly resourceUse: ResourceUseRecord;
  readonly batchItem: BatchItemRecord;
  readonly webhook: WebhookRecord;
  readonly subscriptions: SubscriptionsRecord;
  readonly outbox: OutboxRecord;
  readonly delivery: DeliveryRecord;
  readonly trigger: TriggerRecord;
  readonly occurrence: OccurrenceRecord;
  readonly liveSession: LiveSessionRecord;
  readonly environmentTree: EnvironmentTreeRecord;
  readonly projectUsage: ProjectUsageRecord;
  readonly payment: PaymentRecord;
  readonly debt: DebtRecord;
  readonly paymentOrder: PaymentOrderRecord;
  readonly topUp: TopUpRecord;
  readonly usageLine: UsageLineRecord;
  readonly usageHour: UsageHourRecord;
  readonly usageDay: UsageDayRecord;
  readonly balanceAlert: BalanceAlertRecord;
  readonly hostEvent: HostEventRecord;
  readonly moveLog: MoveLogRecord;
}

export type TableName = keyof Tables;
