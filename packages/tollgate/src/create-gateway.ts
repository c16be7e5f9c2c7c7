import { randomBytes } from 'node:crypto';
import {
  basePath,
  bodyBounds,
  defaultBrand,
  defaultCatalog,
  jsonBounds,
  parseEnvironmentNetwork,
} from '@tollgate/contract';
import {
  createAdministration,
  createDeliveries,
  createEngine,
  createHealth,
  createJobs,
  createPayments,
  createTextSeal,
  createWorkerPool,
  defaultInteractionLimits,
  fileSearch,
  findStoreReference,
  markRunningUncertain,
  parseTariff,
  publishTariffs,
  resourceKinds,
  type Administration,
  type Engine,
  type Health,
  type JobParts,
  type Jobs,
  type Logger,
  type Payments,
  type ToolRunners,
  type WebhookSender,
  waitAtMost,
} from '@tollgate/engine';
import { createLiveRelay, googleWire, type LiveRelay, type LiveWire } from '@tollgate/live';
import { createStructureJudge, imageFetcher, webhookSender } from '@tollgate/node';
import { sandboxProvider } from '@tollgate/provider-sandbox';
import {
  createBodyTurns,
  createContextSeal,
  createHandler,
  createImageBudget,
  createModels,
  createPendingUploads,
  startScheduledRunOf,
  openLiveSessionOf,
  toFetch,
  type GatewayHandler,
  type ImageSource,
  type Models,
  type Service,
} from '@tollgate/routes';
import type { Storage } from '@tollgate/storage';
import { sqliteStorage } from '@tollgate/storage-sqlite';
import { callerHookOf } from './caller-hook.ts';
import { checkOptions } from './check-options.ts';
import { consoleLogger } from './console-logger.ts';
import { findContextSecrets, toContextSecrets, type ContextSecrets } from './context-secrets.ts';
import { defaultDatabase } from './default-database.ts';
import { createGate } from './gate.ts';
import { showGateway } from './gateway-view.ts';
import type { GatewayOptions } from './gateway-options.ts';
import { hostEventCallsOf, hostEventPolicyOf, requestHookOf } from './hook-options.ts';
import { findLiveModel } from './live-model.ts';
import { askedLimiterOf, limiterPartsOf } from './limiter-options.ts';
import { observersOf } from './observation.ts';
import { outerHandler } from './outer-handler.ts';
import { testModeTariff } from './test-mode-tariff.ts';
import { fileCopiesOf } from './file-copies-of.ts';
import { findRoute } from './find-route.ts';
import { pricedModels } from './priced-models.ts';
import { providerChoice, type ProviderOf } from './provider-choice.ts';
import { enabledEntries } from './enabled-entries.ts';
import { warnIfNothingIsSold } from './nothing-sold.ts';
import { registerResourceKinds, type KindParts } from './register-resource-kinds.ts';

/** A whole gateway. */
export interface Gateway {
  /** Responds to every route; mount it in any server that speaks `fetch`. */
  readonly fetch: (request: Request) => Promise<Response>;
  /** The same without the fetch objects; what `@tollgate/node` serves. */
  readonly handle: GatewayHandler;
  /** What a dashboard does: accounts, deposits, projects, keys, statements, operations, audit. */
  readonly admin: Administration;
  /** Orders, payments and automatic payments, for the adapter of a payment service such as `@tollgate/stripe`. */
  readonly payments: Payments;
  /**
   * Leases, settlements that wait, retention. Start them in every process that serves: only it can renew the leases of what
   * it is running. Where they are not started, operations longer than a lease become uncertain.
   */
  readonly jobs: Jobs;
  /** Realtime sessions: hand the sockets of `path` to `accept`, or `@tollgate/node` to your server (`attachLive`). */
  readonly live: LiveRelay & { readonly path: string; readonly wireOf?: LiveWire | undefined };
  /** Refuses new requests, lets the running ones finish for so long, marks the rest uncertain, closes the storage. */
  readonly close: (options?: { readonly drainMs?: number }) => Promise<void>;
  /** How this process is, for an operator and for probes; never rejects. */
  readonly health: () => Promise<Health>;
}

const defaultDrainMs = 25_000;

/** Sends events; null where the host sends none. */
const senderOf = ({ webhooks = {} }: GatewayOptions): WebhookSender | null => {
  if (webhooks === false) return null;
  const { sender, ...rest } = webhooks;
  return sender ?? webhookSender(rest);
};

/** What is there before the engine. */
interface Ground {
  readonly storage: Storage;
  readonly logger: Logger;
  readonly secrets: ContextSecrets;
}

const groundOf = async (options: GatewayOptions): Promise<Ground> => {
  const given = toContextSecrets(options.contextSecret);
  const { logger = consoleLogger } = options;
  const storage =
    options.storage ??
    sqliteStorage({ path: defaultDatabase, warn: (message, fields) => logger.warn(message, fields) });
  const random = options.world?.randomBytes ?? randomBytes;
  return { storage, logger, secrets: await findContextSecrets({ storage, logger, given, randomBytes: random }) };
};

const engineOf = (options: GatewayOptions, ground: Ground, providerOf: ProviderOf): Engine =>
  createEngine({
    ...ground,
    observers: observersOf(options),
    tariff: parseTariff(options.tariff ?? testModeTariff),
    laterTariffs: options.laterTariffs?.map(parseTariff),
    limiter: askedLimiterOf(options),
    fileCopies: fileCopiesOf(options.catalog ?? defaultCatalog, providerOf),
    ledger: options.ledger,
    identities: options.identities,
    overrun: options.overrun,
    decideUncertain: options.decideUncertain,
    limits: options.limits,
    hostEvents: hostEventPolicyOf(options),
    quotas: options.quotas,
    models: (options.catalog ?? defaultCatalog).map(({ id }) => id),
    keyPrefix: options.keyPrefix,
    requestUrl: (requestId) => `${options.basePath ?? basePath}/requests/${requestId}`,
    ...options.world,
  });

const modelsOf = (options: GatewayOptions, engine: Engine, providerOf: ProviderOf): Models =>
  createModels({
    catalog: options.catalog ?? defaultCatalog,
    providerOf,
    isPriced: pricedModels(enabledEntries(options), engine.policy.priceLists, engine.logger),
    enabledModels: options.enabledModels,
    select: options.selectModel,
    logger: engine.logger,
  });

const fileSearchOf = (
  options: GatewayOptions,
  engine: Engine,
  models: Models,
): NonNullable<ToolRunners['file_search']> => {
  const { passagesMax } = options.indexing ?? {};
  const findEmbedder = (model: string) => findRoute(models, model);
  return fileSearch({ engine, findEmbedder, passagesMax });
};

const kindPartsOf = (options: GatewayOptions, engine: Engine, models: Models, secrets: ContextSecrets): KindParts => ({
  engine,
  models,
  basePath: options.basePath ?? basePath,
  dialects: options.dialects ?? [],
  finishReasonWithTools:
    options.finishReasonWithTools ?? (options.compatibility?.openai === true ? 'tool_calls' : 'stop'),
  contextSeal: createContextSeal(createTextSeal(secrets, 'context', engine.randomBytes)),
  interactions: {
    runners: { file_search: fileSearchOf(options, engine, models), ...options.tools },
    limits: { ...defaultInteractionLimits, ...options.interactions },
    seal: createTextSeal(secrets, 'interaction tools', engine.randomBytes),
    findReference: (id, provider) => findStoreReference(engine, id, provider),
  },
});

type ServiceParts = KindParts &
  Pick<Service, 'resourceKinds' | 'webhookSender' | 'judgeStructure'> & { readonly secrets: ContextSecrets };

/** Fetches the images that chats name; null where the host has none fetched. */
const imageSourceOf = ({ remoteImages }: GatewayOptions, { clock }: Engine): ImageSource | null =>
  remoteImages === undefined
    ? null
    : { fetch: imageFetcher(remoteImages), budget: createImageBudget(), nowMs: clock.monotonicMs };

const serviceOf = (options: GatewayOptions, { secrets, ...parts }: ServiceParts): Service => ({
  ...parts,
  brand: options.brand ?? defaultBrand,
  compatibility: options.compatibility ?? {},
  bodyBounds: jsonBounds(options.bodyNodesMax ?? bodyBounds.nodesMax),
  bodyTurns: createBodyTurns({
    atNextPass: (run) => void setImmediate(run),
    after: (ms, run) => void setTimeout(run, ms),
    monotonicMs: parts.engine.clock.monotonicMs,
  }),
  openApiNeedsKey: options.openApiNeedsKey ?? false,
  extraFields: options.extraFields ?? [],
  countInput: options.countInput ?? 'media',
  exposeUsage: options.exposeUsage ?? false,
  showPrices: options.showPrices ?? false,
  ...limiterPartsOf(options),
  callerHook: callerHookOf(options, parts.engine.logger),
  requestHook: requestHookOf(options),
  pendingUploads: createPendingUploads({
    nowMs: () => parts.engine.clock.monotonicMs(),
    keptMs: parts.engine.limits.pendingBlobMs,
  }),
  imageSource: imageSourceOf(options, parts.engine),
  indexing: { ...options.indexing },
  environments: { defaultNetwork: parseEnvironmentNetwork(options.environmentNetwork ?? 'disabled') },
  live: { url: options.liveUrl ?? null, secrets },
  logger: parts.engine.logger,
  newRequestId: parts.engine.newId,
});

/** What works in this process beside its requests. */
const jobPartsOf = (options: GatewayOptions, service: Service, sender: WebhookSender | null): JobParts => {
  const { engine, brand } = service;
  return {
    workers: createWorkerPool(engine, service.resourceKinds),
    hostEvents: hostEventCallsOf(options, engine),
    deliveries: sender === null ? null : createDeliveries(engine, { sender, brand }),
    startScheduledRun: startScheduledRunOf(service),
  };
};

/** The sockets of other clients, where the host lets them in. */
const wireOf = (service: Service, relay: LiveRelay): LiveWire | undefined =>
  service.compatibility.google === true
    ? googleWire({ relay, basePath: service.basePath, open: openLiveSessionOf(service) })
    : undefined;

/** Assembles a gateway: opens its storage, publishes its price list, and returns when it is ready to serve. */
export const createGateway = async (options: GatewayOptions = {}): Promise<Gateway> => {
  checkOptions(options);
  const providerOf = providerChoice(options.provider ?? sandboxProvider());
  const ground = await groundOf(options);
  const engine = engineOf(options, ground, providerOf);
  await publishTariffs(engine);
  const models = modelsOf(options, engine, providerOf);
  warnIfNothingIsSold(models, engine.logger);
  const structure = createStructureJudge();
  const sender = senderOf(options);
  const kindParts = kindPartsOf(options, engine, models, ground.secrets);
  const service = serviceOf(options, {
    ...kindParts,
    secrets: ground.secrets,
    resourceKinds: resourceKinds(registerResourceKinds(kindParts, options)),
    webhookSender: sender,
    judgeStructure: structure.judge,
  });
  const gate = createGate(createHandler(service));
  const parts = jobPartsOf(options, service, sender);
  const jobs = createJobs(engine, parts);
  const relay = createLiveRelay({
    engine,
    findModel: (model) => findLiveModel(models, model),
    limits: options.live,
  });
  const close = async (drainMs: number): Promise<void> => {
    parts.workers.drain();
    const finished = Promise.all([gate.shut(), relay.drain(), engine.running.idle()]);
    const untilMs = engine.clock.monotonicMs() + drainMs;
    await waitAtMost(engine, drainMs, finished);
    await jobs.stop();
    await parts.workers.stop();
    await engine.backgroundTasks.stop();
    const idle = Promise.all([parts.deliveries?.idle(), parts.hostEvents?.idle()]);
    await waitAtMost(engine, Math.max(0, untilMs - engine.clock.monotonicMs()), idle);
    await structure.close();
    await sender?.close();
    const markedUncertain = await markRunningUncertain(engine);
    if (markedUncertain > 0)
      engine.logger.warn('operations were marked uncertain: they did not end within the drain', {
        code: 'drain_ended',
        markedUncertain,
      });
    await engine.host.limiter?.limiter.close?.();
    await engine.storage.close();
  };
  const health = createHealth(engine, { jobs, parts, isDraining: () => gate.isShut() });
  const handle = outerHandler(options, engine, gate, health);
  showGateway(options.observers ?? [], engine, { gate, jobs: parts, bodyTurns: service.bodyTurns, relay });
  let closing: Promise<void> | null = null;
  return {
    fetch: toFetch(handle),
    handle,
    admin: createAdministration(engine, parts),
    payments: createPayments(engine),
    jobs,
    health,
    live: { ...relay, path: `${service.basePath}/live`, wireOf: wireOf(service, relay) },
    close: ({ drainMs = defaultDrainMs } = {}) => (closing ??= close(drainMs)),
  };
};
