import type { CatalogModel, EnvironmentNetworkBody } from '@tollgate/contract';
import type {
  BatchKindOptions,
  EngineLimits,
  EngineOptions,
  InteractionLimits,
  LimiterFailurePolicy,
  Logger,
  Observer,
  Quotas,
  TariffInput,
  ToolRunners,
  UsageLimiter,
  WebhookSender,
} from '@tollgate/engine';
import type { LiveLimits } from '@tollgate/live';
import type { ImageFetcherOptions, WebhookSenderOptions } from '@tollgate/node';
import type { Provider } from '@tollgate/provider';
import type {
  AuthenticateCaller,
  Compatibility,
  CorsOptions,
  GenerationDialect,
  RateLimiter,
  SelectModel,
} from '@tollgate/routes';
import type { CreditLedger, IdempotencyStore, Storage } from '@tollgate/storage';
import type { HookOptions } from './hook-options.ts';
import type { IndexingOptions } from './indexing-options.ts';
import type { RequestLine } from './request-log.ts';

/** How events reach webhooks; by default by this process itself, to public addresses only. */
export interface WebhookOptions extends WebhookSenderOptions {
  /** Judges addresses and sends in place of our own; it is closed with the gateway. */
  readonly sender?: WebhookSender;
}

/** Everything a host may choose; each has a default, so that `createGateway()` is a whole gateway for test mode. */
export interface GatewayOptions {
  /** Where everything is kept; by default a SQLite file in `./tollgate-data`. */
  readonly storage?: Storage | undefined;
  /** Who runs the models: one provider for all of them, or a choice by row. By default the offline sandbox. */
  readonly provider?: (Provider | ((model: CatalogModel) => Provider | null)) | undefined;
  /** The models shown and sold; by default the contract's list. */
  readonly catalog?: readonly CatalogModel[] | undefined;
  /** The ids of the enabled models; by default every row. */
  readonly enabledModels?: readonly string[] | undefined;
  /** Chooses for keys that are bound to no model, among the rows that are available; any other choice is refused as none. */
  readonly selectModel?: SelectModel | undefined;
  /** The price list; by default one for test mode, which says so in its version. */
  readonly tariff?: TariffInput | undefined;
  /** Price lists that take over at their `validFrom`, while the gateway runs. Operations keep the list under which they were opened. */
  readonly laterTariffs?: readonly TariffInput[] | undefined;
  /** The word on the wire: response key, automatic model. */
  readonly brand?: string | undefined;
  /** What the texts of new keys begin with, before their `tg_`: `acme_` makes `acme_tg_…` (default: nothing). Older keys stay good. */
  readonly keyPrefix?: string | undefined;
  /** The path prefix of every route. */
  readonly basePath?: string | undefined;
  /** The other wires that the gateway speaks beside its own, each by itself; by default none. */
  readonly compatibility?: Compatibility | undefined;
  /** Wires of the host's own for one generation, each at a path below the base path: on the same engine as every other. */
  readonly dialects?: readonly GenerationDialect[] | undefined;
  /**
   * Values and field names that a JSON body may hold, counted before it is parsed: from 10,000 to 10,000,000, by default 50,000.
   * A body of more is refused with 413, and costs no more than reading it.
   */
  readonly bodyNodesMax?: number | undefined;
  /** Has `GET /openapi.json` demand a key like every other route; by default it needs none. */
  readonly openApiNeedsKey?: boolean | undefined;
  /**
   * With `compatibility.openai`: images that a chat names by http or https address are fetched, from public addresses only, after its
   * credits are reserved. `{}` takes the defaults. Without it such an address is refused (default).
   */
  readonly remoteImages?: ImageFetcherOptions | undefined;
  /** Lets pages of other origins call the gateway from a browser; off by default, as keys belong on a server. */
  readonly cors?: CorsOptions | undefined;
  /** Top-level chat fields that are tolerated and dropped. */
  readonly extraFields?: readonly string[] | undefined;
  /**
   * For which generations the provider is asked how many tokens the input has, before anything is reserved: those that carry media
   * (default), all, or none. Where it does not answer in time, a bound by media type is reserved.
   */
  readonly countInput?: 'media' | 'always' | 'never' | undefined;
  /** Puts `usage` on unary answers. */
  readonly exposeUsage?: boolean | undefined;
  /** Whether `GET /models` shows what each model costs the caller; by default it does not. */
  readonly showPrices?: boolean | undefined;
  /** What `finish_reason` of a chat says when tools are called: `stop`, or with `compatibility.openai` `tool_calls` (defaults). */
  readonly finishReasonWithTools?: 'stop' | 'tool_calls' | undefined;
  /**
   * Limits requests, tokens and what runs at once: that of `@tollgate/limits`, or one of the host's own. It is asked once for each
   * charged request and session, before anything is registered. A function is asked instead for every request of a known key.
   */
  readonly limiter?: UsageLimiter | RateLimiter | undefined;
  /** How long the limiter may take for one request (default 1,000); then it has failed. */
  readonly limiterMs?: number | undefined;
  /**
   * What becomes of a request whose limiter takes too long, throws, or returns what is no answer: `refuse` (default) returns 503,
   * `allow` lets it through. Either is logged with the code `limiter_failed`.
   */
  readonly onLimiterFailure?: LimiterFailurePolicy | undefined;
  /**
   * Recognises callers that bring no key and no token of this service: by a session, a JWT or a certificate. It returns the project
   * that pays, or null for 401. Where it throws, takes too long or returns what names no caller, the client gets 503, and the error
   * is logged with the code `authenticate_failed`. Without it, keys and tokens alone are accepted.
   */
  readonly authenticate?: AuthenticateCaller | undefined;
  /** How long `authenticate` may take for one request (default 2,000); then it has failed. */
  readonly authenticateMs?: number | undefined;
  /** Functions of the host that are asked about requests. */
  readonly hooks?: HookOptions | undefined;
  /** A wallet that the host keeps. */
  readonly ledger?: CreditLedger | undefined;
  /** Identities that the host keeps. */
  readonly identities?: IdempotencyStore | undefined;
  /**
   * What becomes of the part of a measure that the free balance does not cover: `pending` (default) waits for a deposit, and
   * `absorb` leaves it with the host.
   */
  readonly overrun?: EngineOptions['overrun'] | undefined;
  /** Decides operations that have been uncertain for `afterMs`: `fail` frees the hold, `charge_hold` charges it. Off by default. */
  readonly decideUncertain?: EngineOptions['decideUncertain'] | undefined;
  /** What one project may keep at once: bytes, files, environments and so on; null is without a limit. */
  readonly quotas?: Partial<Quotas> | undefined;
  /** Lengths of time and sizes of the engine. */
  readonly limits?: Partial<EngineLimits> | undefined;
  /** Where log lines go; by default warnings and errors as JSON lines to standard error. */
  readonly logger?: Logger | undefined;
  /** Are shown what happens, such as `telemetry()` and `prometheus()` of `@tollgate/telemetry`; without any, nothing is made to show. */
  readonly observers?: readonly Observer[] | undefined;
  /**
   * Writes one line for each request when its response has ended: `true` as JSON to standard output, a function where the host
   * wants it. Off by default.
   */
  readonly requestLog?: (true | ((line: RequestLine) => void)) | undefined;
  /** Responds to `GET /healthz` and `GET /readyz` at the root of the server, without a key. Off by default. */
  readonly probes?: boolean | undefined;
  /**
   * Where the provider takes no batches: how many items of one batch it is handed at once (default 8), how many batches this
   * process works on at once (default 16) and how many of one project (default 4).
   */
  readonly batches?: Pick<BatchKindOptions, 'itemsAtOnce' | 'batchesAtOnce' | 'batchesPerProject'> | undefined;
  /** How documents are indexed and searched. */
  readonly indexing?: IndexingOptions | undefined;
  /** The `network` of environments whose client says nothing of it; by default `disabled`. */
  readonly environmentNetwork?: EnvironmentNetworkBody | undefined;
  /** Where clients open the sockets of sessions, `wss://host/api/v1/ai/live`; by default at the host and scheme of their request. */
  readonly liveUrl?: string | undefined;
  /** What one session may take, of time and of memory. */
  readonly live?: Partial<LiveLimits> | undefined;
  /**
   * Seals `context` and other secrets at rest: a text of at least 32 characters, or a list whose first seals and all of which
   * open. By default a random one, which lies in the storage beside what it seals.
   */
  readonly contextSecret?: string | readonly string[] | undefined;
  /** The tools of interactions that the gateway runs where a model's provider does not; without any, only what providers run. */
  readonly tools?: ToolRunners | undefined;
  /**
   * How events are sent: `agents` of the host's own in place of our connections, another resolver, or a whole sender. `false` sends
   * none, and POST /webhooks answers 503.
   */
  readonly webhooks?: WebhookOptions | false | undefined;
  /** How far interactions may go. */
  readonly interactions?: Partial<InteractionLimits> | undefined;
  /** For tests: ids, clocks and waiting come in by argument. */
  readonly world?: Pick<
    EngineOptions,
    'newId' | 'owner' | 'sleep' | 'monotonicMs' | 'after' | 'randomBytes' | 'wallClockMs'
  >;
}
