import type {
  BalanceAlertRecord,
  HostEventRecord,
  Key,
  OperationRecord,
  Records,
  WalletRecord,
  Write,
} from '@tollgate/storage';
import { fallsBelow, shareReached } from './balance-crossing.ts';

/** What a function of the host can hear of. */
export const hostEventKinds = ['settled', 'low_balance', 'threshold', 'uncertain', 'anomaly'] as const;
export type HostEventKind = (typeof hostEventKinds)[number];

/** Which events the gateway writes. */
export interface HostEventPolicy {
  readonly kinds: ReadonlySet<HostEventKind>;
  /** The threshold of accounts without one of their own; null is none. */
  readonly lowBalanceMicros: bigint | null;
  /** Shares of a topped-up balance, in percent. */
  readonly shares: readonly number[];
}

/** What a step needs to write the events that it causes; absent where the gateway writes none. */
export interface HostEvents extends HostEventPolicy {
  /** From which the ids of its events are made. */
  readonly eventId: string;
}

const eventIdOf = ({ eventId }: HostEvents, kind: HostEventKind): string => `${eventId}:${kind}`;

const comparesBalance = ({ kinds }: HostEvents): boolean => kinds.has('low_balance') || kinds.has('threshold');

/** The keys of the events that a step may write; `accountId` is of a step that may change its balance. */
export const hostEventKeys = (
  events: HostEvents | undefined,
  kinds: readonly HostEventKind[],
  accountId: string | null = null,
): readonly Key[] => {
  if (events === undefined) return [];
  const written = kinds.filter((kind) => events.kinds.has(kind));
  return [
    ...written.map((kind): Key => ({ table: 'hostEvent', id: eventIdOf(events, kind), fresh: true })),
    ...(accountId !== null && comparesBalance(events) ? [{ table: 'balanceAlert', id: accountId } as const] : []),
  ];
};

interface Told {
  readonly kind: HostEventKind;
  readonly accountId: string;
  readonly operation: OperationRecord | null;
  /** The balance after the step; null where it is none of the step's business, or the host keeps the wallet. */
  readonly balanceMicros: bigint | null;
  /** What the kind adds. */
  readonly more?: Readonly<Record<string, unknown>>;
  readonly nowMs: number;
}

const factsOf = ({ operation, balanceMicros, more }: Told): Readonly<Record<string, unknown>> => ({
  projectId: operation?.projectId ?? null,
  keyId: operation?.keyId ?? null,
  operationKind: operation?.kind ?? null,
  model: operation?.model ?? null,
  askedModel: operation?.askedModel ?? null,
  chargedMicros: String(operation?.chargedMicros ?? 0n),
  balanceMicros: balanceMicros === null ? null : String(balanceMicros),
  tags: operation?.tags ?? null,
  ...more,
});

/** The event of a kind, where the gateway writes it. */
export const hostEventWrites = (events: HostEvents | undefined, told: Told): readonly Write[] => {
  if (events === undefined || !events.kinds.has(told.kind)) return [];
  const record: HostEventRecord = {
    id: eventIdOf(events, told.kind),
    kind: told.kind,
    accountId: told.accountId,
    operationId: told.operation?.id ?? null,
    facts: factsOf(told),
    attempts: 0,
    owner: null,
    dueAtMs: told.nowMs,
    createdAtMs: told.nowMs,
  };
  return [{ kind: 'put', table: 'hostEvent', record }];
};

/** What one step does to a wallet. */
export interface WalletChange {
  readonly before: WalletRecord;
  readonly after: WalletRecord;
  readonly nowMs: number;
}

const lowBalanceOf = (events: HostEvents, alert: BalanceAlertRecord | undefined): bigint | null =>
  alert?.lowBalanceMicros ?? events.lowBalanceMicros;

/** The events of a balance that went down: each threshold is reported once for each time that it is crossed. */
export const balanceEventWrites = (
  records: Records,
  events: HostEvents | undefined,
  { before, after, nowMs, operation }: WalletChange & { readonly operation: OperationRecord | null },
): readonly Write[] => {
  if (events === undefined || !comparesBalance(events)) return [];
  const alert = records.get('balanceAlert', after.id);
  const { balanceMicros } = after;
  const change = { beforeMicros: before.balanceMicros, afterMicros: balanceMicros };
  const told = { accountId: after.id, operation, balanceMicros, nowMs };
  const thresholdMicros = lowBalanceOf(events, alert);
  const toppedMicros = alert?.toppedMicros ?? 0n;
  const share = shareReached(change, toppedMicros, events.shares);
  return [
    ...(thresholdMicros !== null && fallsBelow(change, thresholdMicros)
      ? hostEventWrites(events, { ...told, kind: 'low_balance', more: { thresholdMicros: String(thresholdMicros) } })
      : []),
    ...(share === null
      ? []
      : hostEventWrites(events, { ...told, kind: 'threshold', more: { share, toppedMicros: String(toppedMicros) } })),
  ];
};

/** The events of a step that has settled an operation. */
export const settledEventWrites = (
  records: Records,
  events: HostEvents | undefined,
  operation: OperationRecord,
  wallets: WalletChange,
): readonly Write[] => {
  if (events === undefined) return [];
  const { nowMs, after } = wallets;
  const told = { accountId: operation.accountId, operation, nowMs };
  return [
    ...hostEventWrites(events, { ...told, kind: 'settled', balanceMicros: after.balanceMicros }),
    ...balanceEventWrites(records, events, { ...wallets, operation }),
  ];
};

/** The event of an operation that has just become uncertain. */
export const uncertainEventWrites = (
  events: HostEvents | undefined,
  before: OperationRecord,
  after: OperationRecord,
  nowMs: number,
): readonly Write[] => {
  if (events === undefined || before.state === 'uncertain' || after.state !== 'uncertain') return [];
  return hostEventWrites(events, {
    kind: 'uncertain',
    accountId: after.accountId,
    operation: after,
    balanceMicros: null,
    more: { heldMicros: String(after.holdMicros), isPaymentPending: after.pendingMicros !== null },
    nowMs,
  });
};
