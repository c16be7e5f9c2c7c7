import type { CatalogModel, EnvironmentNetworkBody } from '@tollgate/contract';
import type {
  Administration,
  EngineOptions,
  HostEventOptions,
  InteractionLimits,
  Payments,
  TariffInput,
  ToolRunners,
  Quotas,
  UsageLimiter,
} from '@tollgate/engine';
import type { Provider } from '@tollgate/provider';
import type { ScriptedStep } from '../fakes/scripted-step.ts';
import type { SuiteSocket } from './suite-socket.ts';
import type { ReceiverRoute } from './receiver.ts';

/** What a hook of a host is asked about a request. */
export interface HookQuestion {
  readonly requestId: string;
  readonly accountId: string;
  readonly projectId: string;
  readonly keyId: string;
  readonly route: string;
  readonly model: string;
  readonly body: unknown;
  readonly header: (name: string) => string | null;
  readonly signal: AbortSignal;
}

/** What a hook of a host decides of a request. */
export type HookDecision =
  | { readonly refuse: { readonly code?: 'rate_limited' | 'invalid_request'; readonly message?: string } }
  | { readonly model?: string; readonly tags?: Readonly<Record<string, string>> };

/** What a host is asked about a request without a key. */
export interface CallerQuestionOfHost {
  readonly requestId: string;
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly headers: Headers;
  readonly raw: unknown;
  readonly signal: AbortSignal;
}

/** Whom a host recognises. */
export interface CallerOfHost {
  readonly projectId: string;
  readonly accountId?: string;
  readonly keyId?: string;
  readonly reference?: string;
  readonly models?: readonly string[] | null;
}

/** A function that is asked for every request of a known key. */
export type SuiteRateLimiter = (question: {
  readonly keyId: string;
  readonly projectId: string;
  readonly route: string;
  readonly signal: AbortSignal;
}) => Promise<{ readonly kind: 'ok' } | { readonly kind: 'limited'; readonly retryAfterMs: number }>;

/** What a case asks of a gateway; each is an option of the same name. */
export interface GatewayCaseOptions {
  readonly catalog?: readonly CatalogModel[];
  readonly enabledModels?: readonly string[];
  readonly selectModel?: (
    available: readonly CatalogModel[],
    question: {
      readonly keyId: string;
      readonly projectId: string;
      readonly accountId: string;
      readonly request: { readonly id?: string | undefined; readonly route: string };
    },
  ) => CatalogModel | null;
  readonly tariff?: TariffInput;
  readonly brand?: string;
  readonly basePath?: string;
  readonly bodyNodesMax?: number;
  readonly compatibility?: {
    readonly openai?: boolean;
    readonly google?: boolean;
    readonly anthropic?: boolean;
    readonly ollama?: boolean;
    readonly snakeCase?: boolean;
    readonly streamInTime?: boolean;
  };
  readonly openApiNeedsKey?: boolean;
  readonly extraFields?: readonly string[];
  readonly exposeUsage?: boolean;
  readonly showPrices?: boolean;
  readonly finishReasonWithTools?: 'stop' | 'tool_calls';
  readonly limiter?: UsageLimiter | SuiteRateLimiter;
  readonly limiterMs?: number;
  readonly onLimiterFailure?: 'refuse' | 'allow';
  readonly authenticate?: (question: CallerQuestionOfHost) => CallerOfHost | null | Promise<CallerOfHost | null>;
  readonly authenticateMs?: number;
  readonly hooks?: {
    readonly onRequest?: (question: HookQuestion) => HookDecision | undefined | Promise<HookDecision | undefined>;
    readonly timeoutMs?: number;
    readonly onFailure?: 'refuse' | 'pass';
    readonly onSettled?: NonNullable<HostEventOptions['hooks']['settled']>;
    readonly onLowBalance?: NonNullable<HostEventOptions['hooks']['low_balance']>;
    readonly onThreshold?: NonNullable<HostEventOptions['hooks']['threshold']>;
    readonly onUncertain?: NonNullable<HostEventOptions['hooks']['uncertain']>;
    readonly onAnomaly?: NonNullable<HostEventOptions['hooks']['anomaly']>;
    readonly lowBalanceMicros?: bigint;
  };
  readonly overrun?: 'pending' | 'absorb';
  readonly quotas?: Partial<Quotas>;
  readonly tools?: ToolRunners;
  readonly interactions?: Partial<InteractionLimits>;
  readonly environmentNetwork?: EnvironmentNetworkBody;
  readonly contextSecret?: string | readonly string[];
}

/** What a case asks of the world around the gateway. */
export interface WorldSettings {
  /** The script by which the provider begins interactions as jobs, which it takes only where this is given. */
  readonly interactionSteps?: readonly ScriptedStep[];
  /** Which tools the provider runs beside its models; without it the catalog says so. */
  readonly runsTool?: Provider['runsTool'];
  /** Gives the case a receiver of webhooks: the options `webhooks` of the gateway then lead to it. */
  readonly receives?: true;
  /** The script of what the provider does with files, which it wants copies of only where this is given. */
  readonly fileSteps?: readonly ScriptedStep[];
  /** The script of the provider's caches, which it keeps itself only where this is given. */
  readonly cacheSteps?: readonly ScriptedStep[];
  /** The script by which the provider begins whole batches, which it takes only where this is given. */
  readonly batchSteps?: readonly ScriptedStep[];
}

/** All that a case asks for. */
export interface GatewaySettings extends GatewayCaseOptions, WorldSettings {}

/** A case's options and the world that the suite directs: pass all of it but `now` on to the gateway. */
export interface GatewayOpening extends GatewayCaseOptions {
  readonly provider: Provider;
  readonly tariff: TariffInput;
  readonly logger: NonNullable<EngineOptions['logger']>;
  readonly world: Required<Pick<EngineOptions, 'after' | 'monotonicMs' | 'sleep' | 'wallClockMs'>>;
  /** How events are sent, where the case receives any; by default the gateway's own way. */
  readonly webhooks?: ReceiverRoute;
  /** The clock that the storage must go by. */
  readonly now: () => number;
}

/** The wallet of an account, wherever it is kept. */
export interface WalletUnderTest {
  readonly deposit: (accountId: string, amountMicros: bigint) => Promise<void>;
  readonly read: (accountId: string) => Promise<{ readonly balanceMicros: bigint; readonly reservedMicros: bigint }>;
}

/** A gateway on data of its own, in the world that the suite directs. */
export interface GatewayUnderTest {
  /** Asks the gateway, in process or over a wire; only the path of the address counts. */
  readonly fetch: (request: Request) => Promise<Response>;
  /** Opens a socket at a path, in process or over a wire, as a page of the origin does; null is no page. */
  readonly socket: (path: string, origin: string | null) => Promise<SuiteSocket>;
  readonly admin: Administration;
  readonly payments: Payments;
  readonly wallet: WalletUnderTest;
  /** Does all background work that is due by the storage's clock. */
  readonly runJobs: () => Promise<unknown>;
  /** Closes the gateway and opens another on the same data, with the same settings but for those given. */
  readonly reopen: (change?: Pick<GatewayCaseOptions, 'contextSecret'>) => Promise<GatewayUnderTest>;
  /** Waits for nothing that still runs. */
  readonly close: () => Promise<void>;
}

/** Opens a gateway on empty data. */
export type OpenGateway = (opening: GatewayOpening) => Promise<GatewayUnderTest>;
