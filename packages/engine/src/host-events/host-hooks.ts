/** What every event tells. It may come more than once, and in any order: `id` says which one it is. */
export interface HostEvent {
  /** The same in each delivery of one event. */
  readonly id: string;
  readonly accountId: string;
  /** The operation that caused it, `x-request-id` of its response; null where an entry of the administration did. */
  readonly requestId: string | null;
  readonly projectId: string | null;
  readonly keyId: string | null;
  /** What was asked, such as `chat` or `video`. */
  readonly operationKind: string | null;
  /** The catalog id of the model that ran. */
  readonly model: string | null;
  /** The one that was asked, where `onRequest` had another one run. */
  readonly askedModel: string | null;
  readonly chargedMicros: bigint;
  /** The balance after it; null in an event that is of no balance, and where the host keeps the wallet. */
  readonly balanceMicros: bigint | null;
  /** The tags of the operation, as `onRequest` gave them. */
  readonly tags: Readonly<Record<string, string>> | null;
  /** When it happened, by the clock of the storage. */
  readonly atMs: number;
}

/** The balance has fallen below the threshold. */
export interface LowBalanceEvent extends HostEvent {
  readonly thresholdMicros: bigint;
}

/** So much of the balance after the last deposit is used up. */
export interface ThresholdEvent extends HostEvent {
  /** In percent. */
  readonly share: number;
  readonly toppedMicros: bigint;
}

/** An operation has become uncertain: it keeps its hold until it is decided. */
export interface UncertainEvent extends HostEvent {
  readonly heldMicros: bigint;
  /** Whether its measure is known, and only waits for balance. */
  readonly isPaymentPending: boolean;
}

/** Something contradicts a record; no entry changes by it. */
export interface AnomalyEvent extends HostEvent {
  readonly code: string;
  readonly detail: unknown;
}

/** What a function has to be done with an event. */
export interface HostEventContext {
  /** Ends when its time is over: then the event is delivered again later. */
  readonly signal: AbortSignal;
}

type Hear<E> = (event: E, context: HostEventContext) => unknown;

/** Functions of the host, by the kind of the events that they take. One that returns, or resolves, has taken its event. */
export interface HostHooks {
  readonly settled?: Hear<HostEvent> | undefined;
  readonly low_balance?: Hear<LowBalanceEvent> | undefined;
  readonly threshold?: Hear<ThresholdEvent> | undefined;
  readonly uncertain?: Hear<UncertainEvent> | undefined;
  readonly anomaly?: Hear<AnomalyEvent> | undefined;
}
