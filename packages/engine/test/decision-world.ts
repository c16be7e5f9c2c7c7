import {
  createStepBatch,
  type EntryRecord,
  type OccurrenceRecord,
  type OperationRecord,
  type ResourceRecord,
  type TableName,
  type Tables,
  type TriggerRecord,
  type WalletRecord,
} from '@tollgate/storage';
import type { CaptureCommand } from '../src/decisions/capture.ts';
import type { DepositCommand } from '../src/decisions/deposit.ts';
import type { MarkUncertainCommand } from '../src/decisions/mark-uncertain.ts';
import type { ExtendCommand } from '../src/decisions/extend.ts';
import type { FailCommand } from '../src/decisions/fail.ts';
import { defaultQuotas } from '../src/decisions/quotas.ts';
import type { OpenCommand } from '../src/decisions/open.ts';
import type { Evidence, SettleCommand } from '../src/decisions/settle.ts';
import type { Step } from '../src/decisions/step.ts';

/** A wallet, an operation and all that a decision may see, with the rules of a storage: what is not declared is not seen. */
export interface DecisionWorld {
  nowMs: number;
  /** Carries a step out; throws where it asks for a record that it does not declare. */
  step<T>(step: Step<T>): T;
  put<T extends TableName>(table: T, record: Tables[T]): void;
  get<T extends TableName>(table: T, id: string): Tables[T] | undefined;
  wallet(): WalletRecord;
  operation(): OperationRecord;
  entries(): readonly EntryRecord[];
  /** How many rows there are in all, to see that nothing was added. */
  rows(): number;
}

const account: Tables['account'] = {
  id: 'a1',
  name: '',
  status: 'active',
  createdAtMs: 1,
  metadata: null,
  closedAtMs: null,
  limits: null,
  plan: null,
};
const project: Tables['project'] = {
  id: 'p1',
  accountId: 'a1',
  name: '',
  status: 'active',
  createdAtMs: 1,
  metadata: null,
  closedAtMs: null,
  limits: null,
};
const key: Tables['apiKey'] = {
  id: 'k1',
  projectId: 'p1',
  accountId: 'a1',
  name: '',
  model: null,
  secretHash: '',
  status: 'active',
  createdAtMs: 1,
  revokedAtMs: null,
  expiresAtMs: null,
  models: null,
  cap: null,
  limits: null,
  metadata: null,
  reference: null,
  lastUsedAtMs: null,
};

/** An occurrence of a trigger that is under way. */
export const occurrence: OccurrenceRecord = {
  id: 't1:900',
  triggerId: 't1',
  projectId: 'p1',
  scheduledForMs: 900,
  status: 'pending',
  operationId: 'o1',
  errorCode: null,
  startedAtMs: null,
  finishedAtMs: null,
  owner: 'sweep:s1',
  dueAtMs: 2_000,
  createdAtMs: 900,
};

export const operationRecord = (change: Partial<OperationRecord> = {}): OperationRecord => ({
  id: 'o1',
  projectId: 'p1',
  accountId: 'a1',
  keyId: 'k1',
  kind: 'chat_completion',
  model: 'm',
  identity: 'i1',
  fingerprint: 'f1',
  state: 'processing',
  holdMicros: 30n,
  chargedMicros: 0n,
  captures: 0,
  pendingMicros: null,
  absorbedMicros: 0n,
  carriedPicos: 0,
  tariffVersion: 't1',
  plan: null,
  spends: null,
  serviceTier: null,
  servedTier: null,
  usage: null,
  usageAtLeast: null,
  trace: null,
  attempts: [],
  verdict: null,
  askedModel: null,
  tags: null,
  errorCode: null,
  answerForm: 'json',
  answer: 'none',
  owner: 'w1',
  dueAtMs: 500,
  createdAtMs: 100,
  updatedAtMs: 100,
  endedAtMs: null,
  ...change,
});

const place = (table: TableName, id: string): string => `${table} ${id}`;

const found = <T>(record: T | undefined): T => {
  if (record === undefined) throw new Error('no such record');
  return record;
};

/** Everybody may come in; the wallet has 100, and 30 of it are held by `o1` by default. */
export const createDecisionWorld = (operation: OperationRecord | null = operationRecord()): DecisionWorld => {
  const rows = new Map<string, Tables[TableName]>();
  const get = <T extends TableName>(table: T, id: string): Tables[T] | undefined =>
    // Only `put` and the batch fill the map, each under the table of the record.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    rows.get(place(table, id)) as Tables[T] | undefined;
  const world: DecisionWorld = {
    nowMs: 1_000,
    step: ({ keys, decide }) => {
      const batch = createStepBatch(world.nowMs, ({ table, id }) => rows.get(place(table, id)));
      const answer = batch.decide(keys, decide);
      for (const write of batch.netWrites()) {
        if (write.kind === 'delete') rows.delete(place(write.table, write.id));
        else rows.set(place(write.table, write.record.id), write.record);
      }
      return answer;
    },
    put: (table, record) => void rows.set(place(table, record.id), record),
    get,
    wallet: () => found(get('wallet', 'a1')),
    operation: () => found(get('operation', 'o1')),
    // The name of a row begins with its table.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    entries: () => [...rows].filter(([name]) => name.startsWith('entry ')).map(([, record]) => record as EntryRecord),
    rows: () => rows.size,
  };
  world.put('account', account);
  world.put('project', project);
  world.put('apiKey', key);
  const reservedMicros = operation?.holdMicros ?? 0n;
  world.put('wallet', {
    id: 'a1',
    balanceMicros: 100n,
    reservedMicros,
    seq: 2,
    entrySeq: 1,
    remainderPicos: 0,
    purgedPicos: 0,
  });
  if (operation !== null) world.put('operation', operation);
  return world;
};

export const openCommand = (change: Partial<OpenCommand> = {}): OpenCommand => ({
  quotas: defaultQuotas,
  operationId: 'o1',
  keyId: 'k1',
  projectId: 'p1',
  accountId: 'a1',
  kind: 'chat_completion',
  model: 'm',
  identity: 'i1',
  fingerprint: 'f1',
  holdMicros: 30n,
  tariffVersion: 't1',
  plan: null,
  answerForm: 'json',
  refusal: null,
  owner: 'w1',
  leaseMs: 30_000,
  repeated: false,
  ...change,
});

export const evidence: Evidence = {
  usage: [{ unit: 'input_text_tokens', quantity: 3 }],
  attempts: [{ provider: 'p', startedAtMs: 1, durationMs: 2, status: 200, outcome: 'answered' }],
  answer: { body: '{"text":"hello"}', bytes: 16 },
  toolContexts: [{ id: 'p1:call', context: 'opaque' }],
};

export const settleCommand = (change: Partial<SettleCommand> = {}): SettleCommand => ({
  operationId: 'o1',
  accountId: 'a1',
  measuredMicros: 20n,
  evidence,
  overrun: 'pending',
  retryMs: 60,
  answerKeptMs: 7_000,
  anomalyId: 'x1',
  ...change,
});

export const failCommand = (change: Partial<FailCommand> = {}): FailCommand => ({
  operationId: 'o1',
  accountId: 'a1',
  errorCode: 'service_unavailable',
  attempts: null,
  recordKeptMs: 90_000,
  anomalyId: 'x1',
  ...change,
});

export const markUncertainCommand = (change: Partial<MarkUncertainCommand> = {}): MarkUncertainCommand => ({
  operationId: 'o1',
  evidence: null,
  answerKeptMs: 7_000,
  decideAfterMs: null,
  expiredOwner: null,
  ...change,
});

export const depositCommand = (change: Partial<DepositCommand> = {}): DepositCommand => ({
  accountId: 'a1',
  kind: 'deposit',
  amountMicros: 50n,
  reference: 'r1',
  operationId: null,
  ...change,
});

export const captureCommand = (change: Partial<CaptureCommand> = {}): CaptureCommand => ({
  operationId: 'o1',
  accountId: 'a1',
  sequence: 1,
  amountMicros: 10n,
  ...change,
});

export const extendCommand = (change: Partial<ExtendCommand> = {}): ExtendCommand => ({
  operationId: 'o1',
  accountId: 'a1',
  holdMicros: 50n,
  ...change,
});

/** The resource of the operation, a video on which no worker works. */
export const resourceRecord = (change: Partial<ResourceRecord> = {}): ResourceRecord => ({
  id: 'o1',
  kind: 'video',
  projectId: 'p1',
  accountId: 'a1',
  keyId: 'k1',
  model: 'm',
  displayName: null,
  listing: `p1:${change.kind ?? 'video'}`,
  parent: null,
  availability: 'follows',
  publicFields: {},
  work: null,
  keptBytes: null,
  uses: 0,
  expiresAtMs: null,
  owner: null,
  dueAtMs: null,
  createdAtMs: 100,
  updatedAtMs: 100,
  deletedAtMs: null,
  ...change,
});

/** A schedule whose next run is due after a minute. */
export const triggerRecord = (change: Partial<TriggerRecord> = {}): TriggerRecord => ({
  id: 't1',
  projectId: 'p1',
  accountId: 'a1',
  keyId: 'k1',
  displayName: null,
  schedule: '* * * * *',
  timeZone: 'UTC',
  interaction: {},
  keptBytes: null,
  status: 'enabled',
  nextRunAtMs: 60_000,
  lastRunAtMs: null,
  refusals: 0,
  pausedCode: null,
  owner: null,
  dueAtMs: 60_000,
  createdAtMs: 0,
  updatedAtMs: 0,
  disabledAtMs: null,
  ...change,
});
