import type { CatalogModel, EnvironmentNetworkBody } from '@tollgate/contract';
import type {
  BatchKindOptions,
  EngineLimits,
  EngineOptions,
  InteractionLimits,
  Logger,
  TariffInput,
  ToolRunners,
  WebhookSender,
} from '@tollgate/engine';
import type { LiveLimits } from '@tollgate/live';
import type { WebhookSenderOptions } from '@tollgate/node';
import type { Provider } from '@tollgate/provider';
import type { Compatibility, RateLimiter } from '@tollgate/routes';
import type { CreditLedger, IdempotencyStore, Storage } from '@tollgate/storage';
import type { IndexingOptions } from './indexing-options.ts';

/** How events reach webhooks; by default by this process itself, to public addresses only. */
export interface WebhookOptions extends WebhookSenderOptions {
  /** Judges addresses and sends in place of our own; it is closed with the gateway. */
  readonly sender?: WebhookSender;
}

/** Everything a host may choose; each has a default, so that `createGateway()` is a whole gateway for rehearsal. */
export interface GatewayOptions {
  /** Where everything is kept; by default a SQLite file in `./tollgate-data`. */
  readonly storage?: Storage;
  /** Who runs the models: one provider for all of them, or a choice by row. By default the offline sandbox. */
  readonly provider?: Provider | ((model: CatalogModel) => Provider | null);
  /** The models shown and sold; by default the contract's list. */
  readonly catalog?: readonly CatalogModel[];
  /** The ids released for operation; by default every row. */
  readonly released?: readonly string[];
  /** Chooses for keys that are bound to no model. */
  readonly selectModel?: (available: readonly CatalogModel[]) => CatalogModel | null;
  /** The price list; by default one for rehearsal, which says so in its version. */
  readonly tariff?: TariffInput;
  /** The word on the wire: response key, automatic model. */
  readonly brand?: string;
  /** The path prefix of every route. */
  readonly basePath?: string;
  readonly compatibility?: Compatibility;
  /** Top-level chat fields that are tolerated and dropped. */
  readonly extraFields?: readonly string[];
  /**
   * For which generations the provider is asked how many tokens the input has, before anything is reserved: those that carry media
   * (default), all, or none. Where it does not answer in time, a bound by media type is reserved.
   */
  readonly countInput?: 'media' | 'always' | 'never';
  /** Puts `usage` on unary answers. */
  readonly exposeUsage?: boolean;
  /** What `finish_reason` says when tools are called. */
  readonly finishReasonWithTools?: 'stop' | 'tool_calls';
  readonly limiter?: RateLimiter;
  /** A wallet that the host keeps. */
  readonly ledger?: CreditLedger;
  /** Identities that the host keeps. */
  readonly identities?: IdempotencyStore;
  readonly overrun?: EngineOptions['overrun'];
  readonly decideUncertain?: EngineOptions['decideUncertain'];
  readonly limits?: Partial<EngineLimits>;
  readonly logger?: Logger;
  /**
   * Where the provider takes no batches: how many items of one batch it is handed at once (default 8), how many batches this
   * process works on at once (default 16) and how many of one project (default 4).
   */
  readonly batches?: Pick<BatchKindOptions, 'itemsAtOnce' | 'batchesAtOnce' | 'batchesPerProject'>;
  /** How documents are indexed and searched. */
  readonly indexing?: IndexingOptions;
  /** The `network` of environments whose client says nothing of it; by default `disabled`. */
  readonly environmentNetwork?: EnvironmentNetworkBody;
  /** Where clients open the sockets of sessions, `wss://host/api/v1/ai/live`; by default at the host and scheme of their request. */
  readonly liveUrl?: string;
  /** What one session may take, of time and of memory. */
  readonly live?: Partial<LiveLimits>;
  /** Seals `context` and other secrets at rest; by default a random one that all processes on the storage share. */
  readonly contextSecret?: string;
  /** The tools of interactions that the gateway runs where a model's provider does not; without any, only what providers run. */
  readonly tools?: ToolRunners;
  /**
   * How events are sent: `agents` of the host's own in place of our connections, another resolver, or a whole sender. `false` sends
   * none, and POST /webhooks answers 503.
   */
  readonly webhooks?: WebhookOptions | false;
  /** How far interactions may go. */
  readonly interactions?: Partial<InteractionLimits>;
  /** For tests: ids, clocks and waiting come in by argument. */
  readonly world?: Pick<
    EngineOptions,
    'newId' | 'owner' | 'sleep' | 'monotonicMs' | 'after' | 'randomBytes' | 'wallClockMs'
  >;
}
