import type { OperationState, ResourceAvailability } from '@tollgate/contract';
import { places, type Slot, type SlotKind } from './slot.ts';
import type { HookEvent } from './event-command.ts';
import type { Closing } from './work-command.ts';

/** A claim: its owner, and when another worker may take it. */
export interface ModelRow {
  owner: string | null;
  due: number | null;
}

export interface ModelOperation extends ModelRow {
  readonly slot: Slot;
  readonly fingerprint: string;
  readonly createdAtMs: number;
  state: Exclude<OperationState, 'preparing' | 'settling'>;
  hold: number;
  charged: number;
  captures: number;
  pending: number | null;
  absorbed: number;
  /** Pico-credits that its account carries for it, or will once it is paid. */
  carried: number;
  /** Tokens used at the least, once the outcome is uncertain. */
  atLeast: number | null;
  /** The verdict in words; null where there is none. */
  verdict: string | null;
  answer: 'none' | 'stored' | 'purged';
  /** Where the spending of its key and of its token is counted, as it was when it was opened; none without a cap and a token. */
  readonly counted: readonly string[];
}

export interface ModelAccount {
  balance: number;
  /** Every change counts, so that the changes of a wallet have an order. */
  seq: number;
  entries: number;
  /** Pico-credits that were used and not debited yet. */
  remainder: number;
  /** The part of it whose operations are gone. */
  forgotten: number;
  readonly deposits: Map<string, number>;
  /** What it owes after corrections that its balance did not cover. */
  owed: number;
}

export interface ModelPayment {
  readonly accountId: string;
  readonly credited: number;
  back: number;
  taken: number;
  version: number;
}

export interface ModelResource extends ModelRow {
  readonly kind: SlotKind;
  readonly projectId: string;
  readonly parent: string | null;
  availability: ResourceAvailability;
  /** How far the work is; null once nothing is left of it. */
  mark: number | null;
  /** What is to become of it once its operation is decided. */
  waiting: Closing | null;
  /** When it ended before its time. */
  endedAt: number | null;
  uses: number;
  expires: number | null;
  deleted: boolean;
  completedItems: number;
  failedItems: number;
  documents: number;
}

export interface ModelHook {
  readonly projectId: string;
  readonly events: readonly HookEvent[];
  status: 'enabled' | 'paused' | 'disabled';
  secret: string;
  previous: string | null;
}

export interface ModelEvent extends ModelRow {
  readonly type: HookEvent;
  readonly hooks: readonly string[];
}

export interface ModelDelivery extends ModelRow {
  status: 'pending' | 'delivered' | 'failed' | 'skipped';
  attempts: number;
}

export interface ModelTrigger extends ModelRow {
  readonly projectId: string;
  status: 'enabled' | 'paused' | 'disabled';
  next: number | null;
  last: number | null;
  refusals: number;
}

export interface ModelOccurrence extends ModelRow {
  readonly triggerId: string;
  readonly scheduled: number;
  status: 'pending' | 'processing' | 'completed' | 'failed' | 'skipped';
  operationId: string | null;
}

export interface Model {
  readonly operations: Map<string, ModelOperation>;
  readonly accounts: Map<string, ModelAccount>;
  readonly payments: Map<string, ModelPayment>;
  readonly identities: Map<string, { readonly operationId: string; readonly fingerprint: string }>;
  readonly statuses: Map<string, string>;
  readonly anomalies: Set<string>;
  readonly resources: Map<string, ModelResource>;
  /** Resource and operation. */
  readonly uses: Set<string>;
  readonly items: Map<string, string>;
  readonly blobs: Map<string, ModelRow>;
  readonly sessions: Map<string, { readonly until: number; opened: boolean }>;
  readonly hooks: Map<string, ModelHook>;
  /** By project: the enabled webhooks, the last one enabled last. */
  readonly subscriptions: Map<string, readonly string[]>;
  readonly outbox: Map<string, ModelEvent>;
  readonly deliveries: Map<string, ModelDelivery>;
  readonly triggers: Map<string, ModelTrigger>;
  readonly occurrences: Map<string, ModelOccurrence>;
  /** By its name: what a look found. */
  readonly looks: Map<string, { readonly uses: number; readonly inUse: boolean }>;
  /** By the table and the claim's name: the row as it was claimed. */
  readonly claims: Map<string, unknown>;
  /** By schedule: its latest occurrence. */
  readonly latest: Map<string, string>;
  /** By key. */
  readonly caps: Map<string, { readonly amount: number; readonly window: 'hour' | 'total' }>;
  /** The cap or budget when an operation was last opened under it, and what operations have spent whose records are gone. */
  readonly spends: Map<string, { readonly limit: number; readonly gone: number }>;
  /** Operations of which retention has taken the record. */
  readonly removed: Set<string>;
}

const newAccount = (): ModelAccount => ({
  balance: 0,
  seq: 0,
  entries: 0,
  remainder: 0,
  forgotten: 0,
  deposits: new Map(),
  owed: 0,
});

export const createModel = (prefix = ''): Model => ({
  operations: new Map(),
  accounts: new Map(places.map(({ accountId }) => [prefix + accountId, newAccount()])),
  payments: new Map(),
  identities: new Map(),
  statuses: new Map(),
  anomalies: new Set(),
  resources: new Map(),
  uses: new Set(),
  items: new Map(),
  blobs: new Map(),
  sessions: new Map(),
  hooks: new Map(),
  subscriptions: new Map(),
  outbox: new Map(),
  deliveries: new Map(),
  triggers: new Map(),
  occurrences: new Map(),
  looks: new Map(),
  claims: new Map(),
  latest: new Map(),
  caps: new Map(),
  spends: new Map(),
  removed: new Set(),
});

/** When a command arrives, and whether it was sent before. */
export interface Moment {
  readonly ms: number;
  readonly repeated: boolean;
}

export const accountOf = (model: Model, id: string): ModelAccount => {
  const account = model.accounts.get(id);
  if (account === undefined) throw new Error(`the model has no account ${id}`);
  return account;
};

/** The holds are the truth: reserved is their sum. */
export const reservedOf = (model: Model, accountId: string): number => {
  let reserved = 0;
  for (const operation of model.operations.values())
    if (operation.slot.accountId === accountId) reserved += operation.hold;
  return reserved;
};

export const freeOf = (model: Model, accountId: string): number =>
  accountOf(model, accountId).balance - reservedOf(model, accountId);

export const isOver = ({ state }: Pick<ModelOperation, 'state'>): boolean =>
  state === 'completed' || state === 'failed';
