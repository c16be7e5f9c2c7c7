import { randomBytes } from 'node:crypto';
import { basePath, defaultBrand } from '@tollgate/contract';
import type { ProviderFiles } from '@tollgate/provider';
import type { CreditLedger, IdempotencyStore, Storage } from '@tollgate/storage';
import { createAccessDirectory, type AccessDirectory } from './access-directory.ts';
import { createErrands, type Errands } from './errands.ts';
import { hostMoney } from './host-money.ts';
import { silentLogger, type Logger } from './logger.ts';
import type { Money } from './money.ts';
import { createRunning, type Running } from './running.ts';
import type { Tariff } from './tariff.ts';
import { createTimeOrderedIds } from './time-ordered-ids.ts';
import { createWake, type Wake } from './wake.ts';
import type { OpenOccurrence } from './triggers/run-triggers.ts';
import { walletMoney } from './wallet-money.ts';
import { createDispatch, type Dispatch } from './webhooks/deliver.ts';
import type { WebhookSender } from './webhooks/webhook-sender.ts';
import { createWorkshop, type Workshop } from './work/workshop.ts';

/** The lengths of time and sizes an engine works with; every one has a default that suits a production gateway. */
export interface EngineLimits {
  /** How long a running operation is believed alive without a renewal. */
  readonly leaseMs: number;
  /** How often a process renews the leases of all its running operations. */
  readonly renewMs: number;
  /** How often due operations are looked for. */
  readonly sweepMs: number;
  /** Rounds of a hundred rows that one sweep works through at the most. */
  readonly sweepRoundsMax: number;
  /** How long a provider may take for one execution before the outcome counts as unknown. */
  readonly executionMs: number;
  /** When a settlement that free balance did not cover is tried again at the latest. */
  readonly settlementRetryMs: number;
  /** How often a step that the storage could not confirm is sent again. */
  readonly persistTriesMax: number;
  /** The pause before the first of these; each further one doubles it. */
  readonly persistPauseMs: number;
  /** How long a stored answer can be replayed: 24 hours to 7 days. */
  readonly answerKeptMs: number;
  /** How long record and identity are kept: at least 30 days; null keeps them for ever. */
  readonly recordKeptMs: number | null;
  /** Answers above this lie in the blob store. */
  readonly inlineAnswerBytesMax: number;
  /** How long a blob may lie in the store before a record owns it: longer than a body and an execution together take. */
  readonly pendingBlobMs: number;
  /** How long a file can be used (limits:retention:files). */
  readonly fileKeptMs: number;
  /** How long a provider may take for a copy of a file in one go. */
  readonly fileCopyMs: number;
  /** How long an upload, and a question about a file, wait for the provider before they answer `processing`. */
  readonly fileWaitMs: number;
  /** How often a file that is processing is looked at. */
  readonly filePollMs: number;
  /** How long a file may be processing before it counts as failed. */
  readonly fileProcessingMs: number;
  /** How long an environment can be used after its last use (environments:states:idle-expiry). */
  readonly environmentIdleMs: number;
  /** How long a process may go on believing what it read of a key, for finding an operation's account; opening checks again. */
  readonly accessCachedMs: number;
}

const hour = 3_600_000;

export const defaultEngineLimits: EngineLimits = {
  leaseMs: 30_000,
  renewMs: 10_000,
  sweepMs: 5_000,
  sweepRoundsMax: 50,
  executionMs: 600_000,
  settlementRetryMs: 60_000,
  persistTriesMax: 6,
  persistPauseMs: 100,
  answerKeptMs: 7 * 24 * hour,
  recordKeptMs: 90 * 24 * hour,
  inlineAnswerBytesMax: 65_536,
  pendingBlobMs: hour,
  fileKeptMs: 48 * hour,
  fileCopyMs: 300_000,
  fileWaitMs: 10_000,
  filePollMs: 5_000,
  fileProcessingMs: hour,
  environmentIdleMs: 7 * 24 * hour,
  accessCachedMs: 5_000,
};

export interface EngineOptions {
  readonly storage: Storage;
  readonly tariff: Tariff;
  /** A wallet the host keeps; without it the engine's own, in the storage. */
  readonly ledger?: CreditLedger;
  /** Identities the host keeps; without it the engine's own, claimed in the step that opens the operation. */
  readonly identities?: IdempotencyStore;
  /** What becomes of the part of a measure that free balance does not cover. */
  readonly overrun?: 'pending' | 'absorb';
  /** What a provider does with files before they are used; null where it has nothing to do with them. By default nobody has. */
  readonly fileCopies?: (provider: string) => ProviderFiles | null;
  /** Decides operations that stayed uncertain for so long; off by default. */
  readonly decideUncertain?: { readonly afterMs: number; readonly verdict: 'fail' | 'charge_hold' };
  readonly limits?: Partial<EngineLimits>;
  readonly logger?: Logger;
  /** Ids of operations and records: uuids that grow with time. */
  readonly newId?: () => string;
  /** Names this process on what it is in charge of. */
  readonly owner?: string;
  /** Waits; injected so that a test need not. */
  readonly sleep?: (ms: number) => Promise<void>;
  /** A monotonic clock for caches and time-outs of this process; money and leases go by the storage's clock. */
  readonly monotonicMs?: () => number;
  /** Runs once after a time, and answers how to call it off. */
  readonly after?: (ms: number, run: () => void) => () => void;
  readonly randomBytes?: (size: number) => Uint8Array;
  /** The path at which a request is queried; written into events. */
  readonly requestUrl?: (requestId: string) => string;
  /** The word on the wire, here in the headers of events. */
  readonly brand?: string;
  /** Sends events to webhooks; without one nothing is sent, and no webhook can be registered. */
  readonly webhookSender?: WebhookSender;
  /** The clock that timestamps of signatures go by. */
  readonly wallClockMs?: () => number;
}

/** What every function of the engine works on. */
export interface Engine {
  readonly storage: Storage;
  readonly tariff: Tariff;
  readonly money: Money;
  readonly identities: IdempotencyStore | null;
  readonly hostLedger: CreditLedger | null;
  readonly overrun: 'pending' | 'absorb';
  readonly fileCopies: (provider: string) => ProviderFiles | null;
  /** What goes on in this process after a request was answered. */
  readonly errands: Errands;
  readonly decideUncertain: NonNullable<EngineOptions['decideUncertain']> | null;
  readonly limits: EngineLimits;
  readonly logger: Logger;
  readonly newId: () => string;
  readonly owner: string;
  readonly sleep: (ms: number) => Promise<void>;
  readonly after: (ms: number, run: () => void) => () => void;
  readonly monotonicMs: () => number;
  readonly randomBytes: (size: number) => Uint8Array;
  readonly requestUrl: (requestId: string) => string;
  readonly brand: string;
  readonly webhookSender: WebhookSender | null;
  readonly wallClockMs: () => number;
  readonly dispatch: Dispatch;
  /** Opens the interactions of schedules; null until the assembly has set it, and then none is opened. */
  readonly openOccurrence: { current: OpenOccurrence | null };
  readonly running: Running;
  readonly workshop: Workshop;
  /** Tells the jobs of this process that something is due now. */
  readonly wake: Wake;
  readonly directory: AccessDirectory;
}

const sleepUnreferenced = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const afterTimeout = (ms: number, run: () => void): (() => void) => {
  const timer = setTimeout(run, ms);
  timer.unref();
  return () => clearTimeout(timer);
};

const checkLimits = (limits: EngineLimits): EngineLimits => {
  if (limits.renewMs * 2 > limits.leaseMs) throw new RangeError('renewMs must be at most half of leaseMs');
  if (limits.pendingBlobMs < 2 * limits.executionMs)
    throw new RangeError('pendingBlobMs must be at least twice executionMs');
  if (limits.answerKeptMs < 24 * hour || limits.answerKeptMs > 7 * 24 * hour)
    throw new RangeError('answerKeptMs must be 24 hours to 7 days');
  if (limits.recordKeptMs !== null && limits.recordKeptMs < 30 * 24 * hour)
    throw new RangeError('recordKeptMs must be at least 30 days');
  return limits;
};

/** Assembles an engine; nothing runs until a function is called with it. */
export const createEngine = (options: EngineOptions): Engine => {
  const limits = checkLimits({ ...defaultEngineLimits, ...options.limits });
  const newId = options.newId ?? createTimeOrderedIds(options.randomBytes ?? randomBytes);
  const monotonicMs = options.monotonicMs ?? (() => performance.now());
  const sleep = options.sleep ?? sleepUnreferenced;
  const money =
    options.ledger === undefined
      ? walletMoney({ storage: options.storage, limits, sleep })
      : hostMoney({ storage: options.storage, limits, sleep, ledger: options.ledger });
  return {
    storage: options.storage,
    tariff: options.tariff,
    money,
    identities: options.identities ?? null,
    hostLedger: options.ledger ?? null,
    overrun: options.overrun ?? 'pending',
    fileCopies: options.fileCopies ?? (() => null),
    errands: createErrands(),
    decideUncertain: options.decideUncertain ?? null,
    limits,
    logger: options.logger ?? silentLogger,
    newId,
    owner: options.owner ?? newId(),
    sleep,
    after: options.after ?? afterTimeout,
    monotonicMs,
    randomBytes: options.randomBytes ?? randomBytes,
    requestUrl: options.requestUrl ?? ((requestId) => `${basePath}/requests/${requestId}`),
    brand: options.brand ?? defaultBrand,
    webhookSender: options.webhookSender ?? null,
    wallClockMs: options.wallClockMs ?? Date.now,
    dispatch: createDispatch(),
    openOccurrence: { current: null },
    running: createRunning(),
    workshop: createWorkshop(),
    wake: createWake(),
    directory: createAccessDirectory({ storage: options.storage, monotonicMs, cachedMs: limits.accessCachedMs }),
  };
};
