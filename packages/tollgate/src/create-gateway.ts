import { basePath, defaultBrand, defaultCatalog, parseEnvironmentNetwork, type CatalogModel } from '@tollgate/contract';
import {
  createAdministration,
  createEngine,
  createJobs,
  createTextSeal,
  defaultEngineLimits,
  defaultInteractionLimits,
  fileSearch,
  findStoreNote,
  findModelTariff,
  parkRunning,
  parseTariff,
  publishTariff,
  sharedSetting,
  type Administration,
  type Engine,
  type EngineOptions,
  type Jobs,
  type ToolRunners,
} from '@tollgate/engine';
import { createLiveRelay, type LiveRelay } from '@tollgate/live';
import { webhookSender } from '@tollgate/node';
import type { Provider, ProviderFiles } from '@tollgate/provider';
import { sandboxProvider } from '@tollgate/provider-sandbox';
import {
  createContextSeal,
  createHandler,
  createModels,
  openOccurrenceOf,
  toFetch,
  type GatewayHandler,
  type Models,
  type Service,
} from '@tollgate/routes';
import { sqliteStorage } from '@tollgate/storage-sqlite';
import { checkOptions } from './check-options.ts';
import { consoleLogger } from './console-logger.ts';
import { defaultDatabase } from './default-database.ts';
import { createGate } from './gate.ts';
import type { GatewayOptions } from './gateway-options.ts';
import { findLiveModel } from './live-model.ts';
import { rehearsalTariff } from './rehearsal-tariff.ts';
import { findMaker } from './find-maker.ts';
import { teachKinds } from './teach-kinds.ts';

/** A whole gateway. */
export interface Gateway {
  /** Answers every route; mount it in any server that speaks `fetch`. */
  readonly fetch: (request: Request) => Promise<Response>;
  /** The same without the fetch objects; what `@tollgate/node` serves. */
  readonly handle: GatewayHandler;
  /** What a dashboard does: accounts, deposits, projects, keys, statements, operations, audit. */
  readonly admin: Administration;
  /**
   * Leases, settlements that wait, retention. Start them in every process that serves: only it can renew the leases of what
   * it is running. Where they are not started, operations longer than a lease become uncertain.
   */
  readonly jobs: Jobs;
  /** Realtime sessions: hand the sockets of `path` to `accept`, or `@tollgate/node` to your server (`attachLive`). */
  readonly live: LiveRelay & { readonly path: string };
  /** Refuses new requests, lets the running ones finish for so long, parks the rest as uncertain, closes the storage. */
  readonly close: (options?: { readonly drainMs?: number }) => Promise<void>;
}

const defaultDrainMs = 25_000;
const secretBytes = 32;

type ProviderOf = (model: CatalogModel) => Provider | null;

const providerChoice = (provider: NonNullable<GatewayOptions['provider']>): ProviderOf =>
  typeof provider === 'function' ? provider : () => provider;

/** What the provider of a name does with files; providers are known by the rows they serve. */
const fileCopiesOf =
  (catalog: readonly CatalogModel[], providerOf: ProviderOf) =>
  (name: string): ProviderFiles | null => {
    for (const model of catalog) {
      const provider = providerOf(model);
      if (provider?.name === name) return provider.files ?? null;
    }
    return null;
  };

/** Who sends events, if anybody. */
const senderOf = ({ webhooks = {}, limits = {} }: GatewayOptions): Pick<EngineOptions, 'webhookSender'> => {
  if (webhooks === false) return {};
  const { sender, ...rest } = webhooks;
  const { leaseMs = defaultEngineLimits.leaseMs } = limits;
  // Otherwise another process would send what is still being sent.
  if ((rest.attemptMs ?? 0) * 2 > leaseMs) throw new RangeError('attemptMs must be at most half of leaseMs');
  return { webhookSender: sender ?? webhookSender(rest) };
};

const engineOf = (options: GatewayOptions, providerOf: ProviderOf): Engine =>
  createEngine({
    storage: options.storage ?? sqliteStorage({ path: defaultDatabase }),
    tariff: parseTariff(options.tariff ?? rehearsalTariff),
    logger: options.logger ?? consoleLogger,
    fileCopies: fileCopiesOf(options.catalog ?? defaultCatalog, providerOf),
    ...(options.ledger === undefined ? {} : { ledger: options.ledger }),
    ...(options.identities === undefined ? {} : { identities: options.identities }),
    ...(options.overrun === undefined ? {} : { overrun: options.overrun }),
    ...(options.decideUncertain === undefined ? {} : { decideUncertain: options.decideUncertain }),
    ...(options.limits === undefined ? {} : { limits: options.limits }),
    brand: options.brand ?? defaultBrand,
    requestUrl: (requestId) => `${options.basePath ?? basePath}/requests/${requestId}`,
    ...senderOf(options),
    ...options.world,
  });

const modelsOf = (options: GatewayOptions, engine: Engine, providerOf: ProviderOf): Models =>
  createModels({
    catalog: options.catalog ?? defaultCatalog,
    providerOf,
    isPriced: (model) => findModelTariff(engine.tariff, model.id) !== null,
    ...(options.released === undefined ? {} : { released: options.released }),
    ...(options.selectModel === undefined ? {} : { select: options.selectModel }),
  });

const randomSecret = (engine: Engine): string => Buffer.from(engine.randomBytes(secretBytes)).toString('base64url');

const fileSearchOf = (
  options: GatewayOptions,
  engine: Engine,
  models: Models,
): NonNullable<ToolRunners['file_search']> => {
  const { passagesMax } = options.indexing ?? {};
  const findEmbedder = (model: string) => findMaker(models, model);
  return fileSearch({ engine, findEmbedder, ...(passagesMax === undefined ? {} : { passagesMax }) });
};

const serviceOf = (options: GatewayOptions, engine: Engine, models: Models, contextSecret: string): Service => ({
  engine,
  models,
  brand: options.brand ?? defaultBrand,
  basePath: options.basePath ?? basePath,
  compatibility: options.compatibility ?? {},
  extraFields: options.extraFields ?? [],
  countInput: options.countInput ?? 'media',
  exposeUsage: options.exposeUsage ?? false,
  finishReasonWithTools: options.finishReasonWithTools ?? 'stop',
  limiter: options.limiter ?? null,
  contextSeal: createContextSeal(contextSecret),
  interactions: {
    runners: { file_search: fileSearchOf(options, engine, models), ...options.tools },
    limits: { ...defaultInteractionLimits, ...options.interactions },
    seal: createTextSeal(contextSecret, 'interaction tools', engine.randomBytes),
    findNote: (id, provider) => findStoreNote(engine, id, provider),
  },
  indexing: { ...options.indexing },
  environments: { defaultNetwork: parseEnvironmentNetwork(options.environmentNetwork ?? 'disabled') },
  live: { url: options.liveUrl ?? null, secret: contextSecret },
  logger: engine.logger,
  newRequestId: engine.newId,
});

/** Assembles a gateway: opens its storage, publishes its tariff, and answers when it is ready to serve. */
export const createGateway = async (options: GatewayOptions = {}): Promise<Gateway> => {
  checkOptions(options);
  const providerOf = providerChoice(options.provider ?? sandboxProvider());
  const engine = engineOf(options, providerOf);
  await publishTariff(engine);
  const secret = options.contextSecret ?? (await sharedSetting(engine, 'context_secret', () => randomSecret(engine)));
  const models = modelsOf(options, engine, providerOf);
  const service = serviceOf(options, engine, models, secret);
  teachKinds(service, options);
  engine.openOccurrence.current = openOccurrenceOf(service);
  const gate = createGate(createHandler(service));
  const jobs = createJobs(engine);
  const relay = createLiveRelay({
    engine,
    findModel: (model) => findLiveModel(models, model),
    ...(options.live === undefined ? {} : { limits: options.live }),
  });
  const close = async (drainMs: number): Promise<void> => {
    engine.workshop.drain();
    const finished = Promise.all([gate.shut(), relay.drain(), engine.running.idle()]);
    const { promise: late, resolve } = Promise.withResolvers<void>();
    const callOff = engine.after(drainMs, resolve);
    await Promise.race([finished, late]);
    await jobs.stop();
    await engine.workshop.stop();
    await engine.errands.stop();
    await Promise.race([engine.dispatch.idle(), late]);
    callOff();
    await engine.webhookSender?.close();
    const parked = await parkRunning(engine);
    if (parked > 0) engine.logger.warn('operations were parked as uncertain', { parked });
    await engine.storage.close();
  };
  let closing: Promise<void> | null = null;
  return {
    fetch: toFetch(gate.handle),
    handle: gate.handle,
    admin: createAdministration(engine),
    jobs,
    live: { ...relay, path: `${service.basePath}/live` },
    close: ({ drainMs = defaultDrainMs } = {}) => (closing ??= close(drainMs)),
  };
};
