import { randomBytes } from 'node:crypto';
import { basePath } from '@tollgate/contract';
import { checkConfiguration, optionsCheck } from '@tollgate/contract/configuration';
import { createAccessDirectory } from './access/access-directory.ts';
import { defaultQuotas } from './decisions/quotas.ts';
import { defaultEngineLimits, engineLimitsCheck, type EngineLimits } from './engine-limits.ts';
import { createBackgroundTasks } from './jobs/background-tasks.ts';
import type { Clock, Engine, EngineOptions, Host, Policy } from './engine.ts';
import { patientIdentities, patientLedger } from './ledger/host-calls.ts';
import { externalLedger } from './ledger/external-ledger.ts';
import type { ExternalLedgerOptions } from './ledger/ledger-moves.ts';
import { createJobSignal } from './jobs/job-signal.ts';
import { silentLogger } from './ports/logger.ts';
import { guardObservers, type GuardedObservers } from './ports/guard-observers.ts';
import { observedLedger } from './operations/observed-ledger.ts';
import { notingExceeded } from './operations/note-exceeded.ts';
import { checkQuotas } from './ledger/quotas-check.ts';
import { rememberOpened } from './access/remember-opened.ts';
import { createRunning } from './workers/running.ts';
import { createPriceLists } from './ledger/price-lists.ts';
import { createTextSeal, type TextSeal } from './access/seal-text.ts';
import { createTimeOrderedIds } from './ports/time-ordered-ids.ts';
import { walletLedger } from './ledger/wallet-ledger.ts';
import type { OperationLedger } from './ledger/operation-ledger.ts';
import { notifyOfEvents } from './webhooks/notify-of-events.ts';

const sleepUnreferenced = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const afterTimeout = (ms: number, run: () => void): (() => void) => {
  const timer = setTimeout(run, ms);
  timer.unref();
  return () => clearTimeout(timer);
};

const clockOf = ({ monotonicMs, wallClockMs, sleep, after }: EngineOptions): Clock => ({
  monotonicMs: monotonicMs ?? (() => performance.now()),
  wallClockMs: wallClockMs ?? Date.now,
  sleep: sleep ?? sleepUnreferenced,
  after: after ?? afterTimeout,
});

const policyOf = (options: EngineOptions, { wallClockMs }: Clock): Policy => ({
  priceLists: createPriceLists([options.tariff, ...(options.laterTariffs ?? [])], wallClockMs),
  quotas: { ...defaultQuotas, ...checkQuotas(options.quotas ?? {}) },
  models: options.models ?? null,
  keyPrefix: options.keyPrefix ?? '',
  overrun: options.overrun ?? 'pending',
  decideUncertain: options.decideUncertain ?? null,
  hostEvents: options.hostEvents ?? null,
});

const soundLimits = (limits: Partial<EngineLimits> = {}): EngineLimits => {
  checkConfiguration('createEngine', optionsCheck<Pick<EngineOptions, 'limits'>>({ limits: engineLimitsCheck }), {
    limits,
  });
  return { ...defaultEngineLimits, ...limits };
};

/** Of webhooks that events are sent to at the moment. */
const openedSecretsMax = 4096;

const webhookSealOf = ({ secrets = [], randomBytes: random = randomBytes }: EngineOptions): TextSeal | null =>
  secrets.length === 0 ? null : rememberOpened(createTextSeal(secrets, 'webhook', random), openedSecretsMax);

/** What the host keeps itself is waited for no longer than `hostCallMs`. */
const hostOf = (
  options: EngineOptions,
  { hostCallMs }: EngineLimits,
  { after }: Clock,
  { observe, upstreamHeaders }: GuardedObservers,
): Host => {
  const { ledger, identities } = options;
  const patience = { hostCallMs, after };
  return {
    ledger: ledger === undefined ? null : patientLedger(ledger, patience),
    identities: identities === undefined ? null : patientIdentities(identities, patience),
    limiter: options.limiter ?? null,
    fileCopies: options.fileCopies ?? (() => null),
    requestUrl: options.requestUrl ?? ((requestId) => `${basePath}/requests/${requestId}`),
    observe,
    upstreamHeaders,
  };
};

/** Where the credits lie: in the host's ledger, or in wallets of the storage. */
const operationLedgerOf = (
  parts: Omit<ExternalLedgerOptions, 'ledger' | 'identities'>,
  { ledger, identities }: Host,
): OperationLedger => (ledger === null ? walletLedger(parts) : externalLedger({ ...parts, ledger, identities }));

/** Assembles an engine; nothing runs until a function is called with it. */
export const createEngine = (options: EngineOptions): Engine => {
  const { storage, logger = silentLogger } = options;
  const limits = soundLimits(options.limits);
  const clock = clockOf(options);
  const policy = policyOf(options, clock);
  const observers = guardObservers(options.observers ?? [], logger);
  const host = hostOf(options, limits, clock, observers);
  const random = options.randomBytes ?? randomBytes;
  const newId = options.newId ?? createTimeOrderedIds(random);
  const signals = { workDue: createJobSignal(), eventsDue: createJobSignal() };
  const running = createRunning();
  const steps = notifyOfEvents(storage, signals.eventsDue);
  const noting = notingExceeded(
    { storage, policy, logger, newId },
    operationLedgerOf({ storage: steps, limits, clock, running }, host),
  );
  return {
    storage,
    logger,
    clock,
    newId,
    owner: options.owner ?? newId(),
    randomBytes: random,
    limits,
    policy,
    operationLedger: observedLedger(observers, noting),
    host,
    webhookSeal: webhookSealOf(options),
    access: createAccessDirectory({
      storage,
      monotonicMs: clock.monotonicMs,
      wallClockMs: clock.wallClockMs,
      cachedMs: limits.accessCachedMs,
      randomBytes: random,
    }),
    running,
    backgroundTasks: createBackgroundTasks(),
    signals,
  };
};
