// The pages of what a host and the author of an adapter call: which interfaces each has, and the words around them.
import { defaultDocumentLimits, defaultEngineLimits, defaultInteractionLimits, defaultQuotas } from '@tollgate/engine';
import { defaultLiveLimits } from '@tollgate/live';
import type { GatewayOptions } from 'tollgate';

export interface InterfaceSection {
  readonly heading: string;
  readonly text: readonly string[];
  /** Interfaces each of whose members has a place of its own. */
  readonly interfaces: readonly string[];
}

export interface InterfacePage {
  /** The name of the page below `docs/reference`. */
  readonly name: string;
  readonly title: string;
  readonly text: readonly string[];
  readonly sections: readonly InterfaceSection[];
  /** The packages whose types the page describes; of two types with one name, that of the package named later counts. */
  readonly packages: readonly string[];
  /** How far types of types are followed. */
  readonly depth: number;
  /** Types that are described elsewhere, with their page. */
  readonly elsewhere: Readonly<Record<string, string>>;
}

/** The default of each option; it does not compile without one. */
export const optionDefaults: Readonly<Record<keyof GatewayOptions, string>> = {
  storage: 'SQLite in `./tollgate-data`',
  provider: 'the sandbox',
  catalog: 'the models of the contract',
  enabledModels: 'every entry of the catalog',
  selectModel: 'the first recommended entry that is available',
  tariff: '`testModeTariff`',
  laterTariffs: 'none',
  brand: '`service`',
  keyPrefix: 'none',
  basePath: '`/api/v1/ai`',
  compatibility: 'none',
  dialects: 'none',
  bodyNodesMax: '50,000',
  openApiNeedsKey: '`false`',
  remoteImages: 'images are not fetched',
  cors: 'off',
  extraFields: 'none',
  countInput: '`media`',
  exposeUsage: '`false`',
  showPrices: '`false`',
  finishReasonWithTools: '`stop`; with `compatibility.openai` `tool_calls`',
  limiter: 'none',
  limiterMs: '1,000',
  onLimiterFailure: '`refuse`',
  authenticate: 'none',
  authenticateMs: '2,000',
  hooks: 'none',
  ledger: 'the wallet of the storage',
  identities: 'those of the storage',
  overrun: '`pending`',
  decideUncertain: 'off',
  quotas: 'see [Quotas](#type-quotas)',
  limits: 'see [EngineLimits](#type-enginelimits)',
  logger: 'warnings and errors as JSON lines to standard error',
  observers: 'none',
  requestLog: 'off',
  probes: '`false`',
  batches: '8 items, 16 batches, 4 of a project',
  indexing: 'see [IndexingOptions](#type-indexingoptions)',
  environmentNetwork: '`disabled`',
  liveUrl: 'the host of the request',
  live: 'see [LiveLimits](#type-livelimits)',
  contextSecret: 'a random one in the storage, with a warning',
  tools: 'none',
  webhooks: 'sent by this process, to public addresses',
  interactions: 'see [InteractionLimits](#type-interactionlimits)',
  world: 'those of the system',
};

/** The defaults of types all of whose members have one. */
export const defaultsOf: Readonly<Record<string, object>> = {
  EngineLimits: defaultEngineLimits,
  Quotas: defaultQuotas,
  InteractionLimits: defaultInteractionLimits,
  LiveLimits: defaultLiveLimits,
  DocumentLimits: defaultDocumentLimits,
};

const adapters = {
  Storage: './storage.md',
  BlobStore: './storage.md',
  VectorIndex: './storage.md',
  Provider: './provider.md',
  GenerationDialect: '../adapters/dialect.md',
  CreditLedger: '../adapters/ledger-and-identities.md',
  IdempotencyStore: '../adapters/ledger-and-identities.md',
  UsageLimiter: '../limits.md',
  Observer: '../observability.md',
  ToolRunners: '../tools.md',
  TariffInput: '../concepts/credits.md#the-price-list',
  Engine: '../hosting.md',
  EngineOptions: '../hosting.md#options',
} as const;

const without = (...names: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(adapters).filter(([name]) => !names.includes(name)));

const everyPackage = ['contract', 'storage', 'provider', 'engine', 'live', 'node', 'routes', 'tollgate'];

const options: InterfacePage = {
  name: 'options',
  title: 'Options of createGateway',
  packages: everyPackage,
  text: [
    '`createGateway(options)` opens the storage, publishes the price list and resolves to the gateway. Every option has a default.',
    '<<< ../snippets/options.ts#options',
    'An option that is unknown, or whose value cannot be meant, rejects with a `ConfigurationError` before anything is opened. Its message names the option, what came and what is accepted. [Hosting](../hosting.md) explains how the options work together.',
  ],
  sections: [
    { heading: 'Options', text: [], interfaces: ['GatewayOptions'] },
    { heading: 'What it returns', text: [], interfaces: ['Gateway'] },
  ],
  depth: 2,
  elsewhere: { ...adapters, Administration: './administration-functions.md', HookOptions: './events.md' },
};

const administration: InterfacePage = {
  name: 'administration-functions',
  title: 'Functions of the administration',
  packages: ['contract', 'provider', 'storage', 'engine'],
  text: [
    '`gateway.admin` holds these functions. They run in the process of the host, and none of them can be reached over HTTP: [Administration over HTTP](../administration.md) serves them.',
    '<<< ../snippets/administration.ts#deposit',
    'An argument that cannot be meant rejects with a `ConfigurationError` that names the function and the field. Expected outcomes are values: null where a record does not exist, and a `kind` where there are several. A storage that is too busy rejects with the code `storage_busy`. Amounts are micro-credits as `bigint`; `microsFromCredits` and `creditsFromMicros` convert them.',
  ],
  sections: [
    { heading: 'Accounts and credits', text: [], interfaces: ['AccountMethods'] },
    { heading: 'Projects, keys and tokens', text: [], interfaces: ['ProjectMethods'] },
    { heading: 'Operations', text: [], interfaces: ['OperationMethods'] },
    { heading: 'Webhooks and schedules', text: [], interfaces: ['EventMethods'] },
    { heading: 'Usage', text: [], interfaces: ['UsageMethods'] },
    { heading: 'Audit and background work', text: [], interfaces: ['Administration'] },
  ],
  depth: 4,
  elsewhere: adapters,
};

const storage: InterfacePage = {
  name: 'storage',
  title: 'The storage interface',
  packages: ['contract', 'storage'],
  text: [
    'A storage adapter returns this object. It knows no rule about credits: it loads records, calls `decide`, and makes the writes durable.',
    'The `Storage` of the adapters in this repository comes from `sqliteStorage`, `postgresStorage`, `mysqlStorage`, `memoryStorage` and `cellsStorage`. [Storage](../adapters/storage.md) explains how to write another one, and [What a storage promises](../adapters/storage-promises.md) lists what the suite of `@tollgate/testing` proves.',
    'A rejection means that the outcome of a step is unknown, unless its `code` says otherwise: `storage_busy` for too many waiting steps, `cells_crossed` for a step over two cells, `database_missing` where nothing may be created.',
  ],
  sections: [
    { heading: 'Storage', text: [], interfaces: ['Storage'] },
    { heading: 'Blobs', text: [], interfaces: ['BlobStore'] },
    { heading: 'Vectors', text: [], interfaces: ['VectorIndex'] },
    { heading: 'Cells', text: [], interfaces: ['StorageCells'] },
  ],
  depth: 4,
  elsewhere: without('Storage', 'BlobStore', 'VectorIndex'),
};

const provider: InterfacePage = {
  name: 'provider',
  title: 'The provider interface',
  packages: ['contract', 'provider'],
  text: [
    'A provider adapter returns this object. A capability that the upstream lacks is a method that the object does not have.',
    '<<< ../snippets/echo-provider.ts#provider',
    'A method that throws `NotExecuted` guarantees that nothing ran: the hold is released. Any other error means that the upstream may have run: the operation becomes uncertain and keeps its hold. [Writing a provider](../providers/writing-a-provider.md) shows the way, and [Promises of a provider](../adapters/provider-promises.md) lists what the suite of `@tollgate/testing` proves.',
  ],
  sections: [
    { heading: 'Provider', text: [], interfaces: ['Provider'] },
    { heading: 'What every call gets', text: [], interfaces: ['CallContext'] },
    { heading: 'Jobs', text: [], interfaces: ['ProviderJobs'] },
    {
      heading: 'Files, caches and stores',
      text: [],
      interfaces: ['ProviderFiles', 'ProviderCaches', 'ProviderStores'],
    },
    { heading: 'Realtime sessions', text: [], interfaces: ['ProviderLive'] },
  ],
  depth: 5,
  elsewhere: without('Provider'),
};

const events: InterfacePage = {
  name: 'events',
  title: 'Events',
  packages: everyPackage,
  text: [
    'Functions of the host take events in its own process: they are the option `hooks`. Webhooks carry events of requests to other servers.',
    '<<< ../snippets/hooks.ts#events',
    'An event is written in the same step as what it is about, so that none is lost. It comes at least once, in any order: a receiver stores its `id` and does nothing the second time. A function that throws, or takes longer than `eventTimeoutMs`, gets the event again later. [Hooks](../hooks.md) and [Webhooks](../webhooks.md) explain both.',
  ],
  sections: [
    { heading: 'Functions of the host', text: [], interfaces: ['HookOptions'] },
    {
      heading: 'Events of webhooks',
      text: [
        '| event | when | `data` |',
        '| --- | --- | --- |',
        '| `request.completed` | a request was settled | `request_id`, `project_id`, `status`, `credits`, `request_url` |',
        '| `request.failed` | a request failed, and cost nothing | the same, and `error_code` |',
        '',
        'The body is `{ "id", "type", "created_at", "data" }`. The headers `x-service-event-id`, `x-service-timestamp` and `x-service-signature` name the event and [sign it](../webhooks.md#what-is-sent). The [routes of webhooks](./routes/webhooks.md) create them and list their deliveries.',
      ],
      interfaces: [],
    },
  ],
  depth: 3,
  elsewhere: adapters,
};

export const interfacePages: readonly InterfacePage[] = [options, administration, storage, provider, events];
