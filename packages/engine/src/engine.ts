import type { ProviderFiles } from '@tollgate/provider';
import type { CreditLedger, IdempotencyStore, Storage } from '@tollgate/storage';
import type { AccessDirectory } from './access/access-directory.ts';
import type { BackgroundTasks } from './jobs/background-tasks.ts';
import type { HostEventPolicy } from './decisions/host-event.ts';
import type { Quotas } from './decisions/quotas.ts';
import type { EngineLimits } from './engine-limits.ts';
import type { Logger } from './ports/logger.ts';
import type { AskedLimiter } from './ports/usage-limiter.ts';
import type { Observe, Observer } from './ports/observer.ts';
import type { PlannedAnswer } from './operations/operation-plan.ts';
import type { OperationLedger } from './ledger/operation-ledger.ts';
import type { TextSeal } from './access/seal-text.ts';
import type { PriceLists } from './ledger/price-lists.ts';
import type { Tariff } from './ledger/tariff.ts';

export interface EngineOptions {
  readonly storage: Storage;
  readonly tariff: Tariff;
  /** Price lists that take over at their time. */
  readonly laterTariffs?: readonly Tariff[] | undefined;
  /** Limits requests, tokens and what runs at once; null or absent: nothing is limited, at no cost. */
  readonly limiter?: AskedLimiter | null | undefined;
  /** A wallet the host keeps; without it the engine's own, in the storage. */
  readonly ledger?: CreditLedger | undefined;
  /** Identities the host keeps; without it the engine's own, claimed in the step that opens the operation. */
  readonly identities?: IdempotencyStore | undefined;
  /** What becomes of the part of a measure that free balance does not cover. */
  readonly overrun?: 'pending' | 'absorb' | undefined;
  /** What a provider does with files before they are used; null where it has nothing to do with them. By default none has. */
  readonly fileCopies?: (provider: string) => ProviderFiles | null;
  /** Decides operations that stayed uncertain for so long; off by default. */
  readonly decideUncertain?: { readonly afterMs: number; readonly verdict: 'fail' | 'charge_hold' } | undefined;
  readonly limits?: Partial<EngineLimits> | undefined;
  /** Which events are written for functions of the host; by default none. */
  readonly hostEvents?: HostEventPolicy | undefined;
  /** What one project may keep; null is without a limit. */
  readonly quotas?: Partial<Quotas> | undefined;
  /** Ids of the catalog, which keys can be bound to; without them to any. */
  readonly models?: readonly string[];
  /** What the texts of new keys begin with, before their `tg_`: `acme_` makes `acme_tg_…`. Empty by default. */
  readonly keyPrefix?: string | undefined;
  readonly logger?: Logger;
  /** Who is shown what happens; without any, nothing is made to show. */
  readonly observers?: readonly Observer[];
  /** Ids of operations and records: uuids that grow with time. */
  readonly newId?: () => string;
  /** Names this process on what it is in charge of. */
  readonly owner?: string;
  /** Waits; injected so that a test need not. */
  readonly sleep?: (ms: number) => Promise<void>;
  /** A monotonic clock for caches and time-outs of this process; money and leases go by the storage's clock. */
  readonly monotonicMs?: () => number;
  /** Runs once after a time, and returns how to call it off. */
  readonly after?: (ms: number, run: () => void) => () => void;
  readonly randomBytes?: (size: number) => Uint8Array;
  /** The path at which a request is queried; written into events. */
  readonly requestUrl?: (requestId: string) => string;
  /** The clock that timestamps of signatures go by. */
  readonly wallClockMs?: () => number;
  /** Seal the secrets of webhooks at rest: the first seals, all open. Without any, no webhook can be registered. */
  readonly secrets?: readonly string[];
}

/** The time of one process, for its caches, time-outs and signatures. Money and leases go by the storage's clock. */
export interface Clock {
  readonly monotonicMs: () => number;
  readonly wallClockMs: () => number;
  readonly sleep: (ms: number) => Promise<void>;
  /** Runs once after a time, and returns what cancels it. */
  readonly after: (ms: number, run: () => void) => () => void;
}

/** What the host has decided about prices and allowances. */
export interface Policy {
  readonly priceLists: PriceLists;
  readonly quotas: Quotas;
  /** Null where the catalog is not known. */
  readonly models: readonly string[] | null;
  /** What the texts of new keys begin with; empty for none. */
  readonly keyPrefix: string;
  readonly overrun: 'pending' | 'absorb';
  readonly decideUncertain: NonNullable<EngineOptions['decideUncertain']> | null;
  /** Null writes no events for functions of the host. */
  readonly hostEvents: HostEventPolicy | null;
}

/** What the host keeps or does itself. */
export interface Host {
  /** Null where no one observes: then no event is made. */
  readonly observe: Observe | null;
  /** Headers for the upstream requests of an operation; null where no observer has any. */
  readonly upstreamHeaders: NonNullable<Observer['upstreamHeaders']> | null;
  readonly ledger: CreditLedger | null;
  readonly identities: IdempotencyStore | null;
  /** Null where nothing is limited. */
  readonly limiter: AskedLimiter | null;
  readonly fileCopies: (provider: string) => ProviderFiles | null;
  readonly requestUrl: (requestId: string) => string;
}

/** A hint that a job has something to do. Its listeners poll too, so that a lost hint costs time and nothing else. */
export interface JobSignal {
  notify(): void;
  /** Returns what removes the listener. */
  listen(listener: () => void): () => void;
}

/** What the jobs of this process listen to. */
export interface Signals {
  readonly workDue: JobSignal;
  /** An event or a delivery is due. */
  readonly eventsDue: JobSignal;
}

/** An operation that runs here, and the name that its lease is held by. */
export interface RunningOperation {
  readonly id: string;
  readonly owner: string;
  /** What a client was sent of its answer by now; absent where answers are not sent in pieces. */
  readonly sentSoFar?: SentSoFar | undefined;
}

/** Null where nothing was sent. Never throws. */
export type SentSoFar = () => PlannedAnswer | null;

/** An opening that was not confirmed, so that nothing of it was handed over. */
export interface UnconfirmedOpening {
  readonly operationId: string;
  readonly accountId: string;
  /** The owner that this very opening registers; an operation of another owner is left alone. */
  readonly owner: string;
}

/** An operation for which the host's ledger is asked, so that nothing of it runs yet. */
export interface PreparingOperation {
  readonly id: string;
  readonly owner: string;
}

/** What a process was in charge of for a while, so that it needs a renewal. */
export interface AgedOperations {
  readonly running: readonly RunningOperation[];
  readonly preparing: readonly PreparingOperation[];
}

/** The operations that this process is executing, for renewal and drain. */
export interface Running {
  add(operationId: string, owner: string, sentSoFar?: SentSoFar): void;
  delete(operationId: string): void;
  /** What is present now. */
  list(): readonly RunningOperation[];
  /** Runs while the operation is renewed as one that is being prepared; a drain does not see it. */
  whilePreparing<T>(operation: PreparingOperation, run: () => Promise<T>): Promise<T>;
  /** What was present at the call before as well: old enough to need a renewal. */
  takeAged(): AgedOperations;
  addUnconfirmed(operation: UnconfirmedOpening): void;
  takeUnconfirmed(): readonly UnconfirmedOpening[];
  /** Resolves when nothing is running. */
  idle(): Promise<void>;
}

/** What the functions of the engine work on: its ports, its policy and ledger, and what its process shares. */
export interface Engine {
  readonly storage: Storage;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly newId: () => string;
  /** Names this process on what it is in charge of. */
  readonly owner: string;
  readonly randomBytes: (size: number) => Uint8Array;
  readonly limits: EngineLimits;
  readonly policy: Policy;
  readonly operationLedger: OperationLedger;
  readonly host: Host;
  /** Null where the host gave no secret. */
  readonly webhookSeal: TextSeal | null;
  readonly access: AccessDirectory;
  readonly running: Running;
  readonly backgroundTasks: BackgroundTasks;
  readonly signals: Signals;
}
