import type { AccountRecord, WalletRecord } from './account-record.ts';
import type { EnvironmentTreeRecord } from './environment-record.ts';
import type { ApiKeyRecord, ProjectRecord } from './access-record.ts';
import type {
  DeliveryRecord,
  LiveSessionRecord,
  OccurrenceRecord,
  OutboxRecord,
  SubscriptionsRecord,
  TriggerRecord,
  WebhookRecord,
} from './event-record.ts';
import type { FileRecord, FileUseRecord, PendingBlobRecord } from './file-record.ts';
import type { BatchItemRecord, ResourceRecord, ResourceUseRecord } from './resource-record.ts';
import type { AnomalyRecord, DepositRecord, EntryRecord, SettingRecord, TariffRecord } from './ledger-record.ts';
import type { AnswerRecord, IdentityRecord, OperationRecord, ToolContextRecord } from './operation-record.ts';

/** Every table and the record it holds. Each record has a text `id` that is its key. */
export interface Tables {
  readonly account: AccountRecord;
  readonly wallet: WalletRecord;
  readonly project: ProjectRecord;
  readonly apiKey: ApiKeyRecord;
  readonly operation: OperationRecord;
  readonly answer: AnswerRecord;
  readonly identity: IdentityRecord;
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
}

export type TableName = keyof Tables;

/** An amount is within plus and minus this. */
export const amountMicrosMax = 10n ** 15n;

/** How a field is stored: `amount` is a bigint within ±`amountMicrosMax`, `integer` a safe integer, `json` any JSON value; `?` allows null. */
export type ColumnKind = 'text' | 'text?' | 'integer' | 'integer?' | 'amount' | 'amount?' | 'json' | 'json?';

/** The fields of each table, from which SQL adapters map rows and an in-memory one checks what it is given. */
export const tableColumns: { readonly [T in TableName]: { readonly [F in keyof Tables[T]]: ColumnKind } } = {
  account: { id: 'text', name: 'text', status: 'text', createdAtMs: 'integer' },
  wallet: { id: 'text', balanceMicros: 'amount', reservedMicros: 'amount', seq: 'integer', entrySeq: 'integer' },
  project: { id: 'text', accountId: 'text', name: 'text', status: 'text', createdAtMs: 'integer' },
  apiKey: {
    id: 'text',
    projectId: 'text',
    accountId: 'text',
    name: 'text',
    model: 'text?',
    secretHash: 'text',
    status: 'text',
    createdAtMs: 'integer',
    revokedAtMs: 'integer?',
  },
  operation: {
    id: 'text',
    projectId: 'text',
    accountId: 'text',
    keyId: 'text',
    kind: 'text',
    model: 'text',
    identity: 'text?',
    fingerprint: 'text',
    state: 'text',
    holdMicros: 'amount',
    chargedMicros: 'amount',
    captures: 'integer',
    pendingMicros: 'amount?',
    absorbedMicros: 'amount',
    tariffVersion: 'text',
    usage: 'json?',
    attempts: 'json',
    errorCode: 'text?',
    answerForm: 'text',
    answer: 'text',
    owner: 'text?',
    dueAtMs: 'integer?',
    createdAtMs: 'integer',
    updatedAtMs: 'integer',
    endedAtMs: 'integer?',
  },
  answer: { id: 'text', body: 'text?', bytes: 'integer', createdAtMs: 'integer' },
  identity: { id: 'text', operationId: 'text', fingerprint: 'text', createdAtMs: 'integer' },
  toolContext: { id: 'text', context: 'text', owner: 'text?', dueAtMs: 'integer?' },
  entry: {
    id: 'text',
    accountId: 'text',
    seq: 'integer',
    kind: 'text',
    amountMicros: 'amount',
    operationId: 'text?',
    tariffVersion: 'text?',
    reference: 'text?',
    walletSeq: 'integer',
    createdAtMs: 'integer',
  },
  deposit: { id: 'text', entryId: 'text', amountMicros: 'amount' },
  tariff: { id: 'text', body: 'json', createdAtMs: 'integer' },
  anomaly: {
    id: 'text',
    operationId: 'text',
    accountId: 'text',
    code: 'text',
    detail: 'json',
    createdAtMs: 'integer',
  },
  setting: { id: 'text', value: 'text' },
  file: {
    id: 'text',
    projectId: 'text',
    accountId: 'text',
    keyId: 'text',
    displayName: 'text',
    mimeType: 'text',
    sizeBytes: 'integer',
    sha256: 'text',
    status: 'text',
    provider: 'text?',
    model: 'text?',
    notes: 'json',
    uses: 'integer',
    errorCode: 'text?',
    owner: 'text?',
    dueAtMs: 'integer?',
    expiresAtMs: 'integer',
    createdAtMs: 'integer',
    updatedAtMs: 'integer',
    deletedAtMs: 'integer?',
  },
  fileUse: {
    id: 'text',
    fileId: 'text',
    operationId: 'text',
    owner: 'text?',
    dueAtMs: 'integer?',
    createdAtMs: 'integer',
  },
  pendingBlob: { id: 'text', owner: 'text?', dueAtMs: 'integer?' },
  resource: {
    id: 'text',
    kind: 'text',
    projectId: 'text',
    accountId: 'text',
    keyId: 'text',
    model: 'text',
    displayName: 'text?',
    listing: 'text',
    parent: 'text?',
    standing: 'text',
    shown: 'json',
    work: 'json?',
    uses: 'integer',
    expiresAtMs: 'integer?',
    owner: 'text?',
    dueAtMs: 'integer?',
    createdAtMs: 'integer',
    updatedAtMs: 'integer',
    deletedAtMs: 'integer?',
  },
  resourceUse: {
    id: 'text',
    resourceId: 'text',
    operationId: 'text',
    createdAtMs: 'integer',
    owner: 'text?',
    dueAtMs: 'integer?',
  },
  batchItem: {
    id: 'text',
    batchId: 'text',
    place: 'integer',
    key: 'text',
    state: 'text',
    usage: 'json?',
    attempts: 'json',
    errorCode: 'text?',
    answer: 'text?',
    answerBytes: 'integer',
    updatedAtMs: 'integer',
  },
  webhook: {
    id: 'text',
    projectId: 'text',
    url: 'text',
    events: 'json',
    status: 'text',
    secret: 'text',
    previousSecret: 'text?',
    previousUntilMs: 'integer?',
    createdAtMs: 'integer',
    updatedAtMs: 'integer',
    disabledAtMs: 'integer?',
  },
  subscriptions: {
    id: 'text',
    hooks: 'json',
  },
  outbox: {
    id: 'text',
    eventId: 'text',
    projectId: 'text',
    eventType: 'text',
    body: 'text',
    hooks: 'json',
    owner: 'text?',
    dueAtMs: 'integer?',
    createdAtMs: 'integer',
  },
  delivery: {
    id: 'text',
    webhookId: 'text',
    eventId: 'text',
    operationId: 'text',
    projectId: 'text',
    eventType: 'text',
    body: 'text',
    status: 'text',
    attempts: 'integer',
    httpStatus: 'integer?',
    owner: 'text?',
    dueAtMs: 'integer?',
    createdAtMs: 'integer',
    updatedAtMs: 'integer',
  },
  trigger: {
    id: 'text',
    projectId: 'text',
    accountId: 'text',
    keyId: 'text',
    displayName: 'text?',
    schedule: 'text',
    timeZone: 'text',
    interaction: 'json',
    status: 'text',
    nextRunAtMs: 'integer?',
    lastRunAtMs: 'integer?',
    owner: 'text?',
    dueAtMs: 'integer?',
    createdAtMs: 'integer',
    updatedAtMs: 'integer',
    disabledAtMs: 'integer?',
  },
  occurrence: {
    id: 'text',
    triggerId: 'text',
    projectId: 'text',
    scheduledForMs: 'integer',
    status: 'text',
    operationId: 'text?',
    errorCode: 'text?',
    startedAtMs: 'integer?',
    finishedAtMs: 'integer?',
    owner: 'text?',
    dueAtMs: 'integer?',
    createdAtMs: 'integer',
  },
  liveSession: {
    id: 'text',
    projectId: 'text',
    model: 'text',
    accessHash: 'text',
    accessUntilMs: 'integer',
    openedAtMs: 'integer?',
    config: 'json',
  },
  environmentTree: {
    id: 'text',
    projectId: 'text',
    files: 'json',
    fileCount: 'integer',
    sizeBytes: 'integer',
    revision: 'integer',
    updatedAtMs: 'integer',
  },
};

/** Tables whose rows are only ever added. Their ids are guarded by a declared record, so they need not be declared. */
export const appendOnlyTables = ['entry', 'anomaly'] as const satisfies readonly TableName[];
export type AppendOnlyTable = (typeof appendOnlyTables)[number];

/** Tables whose rows can be due and leased to a worker. */
export const claimableTables = [
  'operation',
  'toolContext',
  'file',
  'fileUse',
  'pendingBlob',
  'resource',
  'resourceUse',
  'outbox',
  'delivery',
  'trigger',
  'occurrence',
] as const satisfies readonly TableName[];
export type ClaimableTable = (typeof claimableTables)[number];
