import type { CatalogModel, EnvironmentNetwork, JsonBounds, RouteFamily } from '@tollgate/contract';
import type {
  Engine,
  LimiterFailurePolicy,
  InteractionLimits,
  Logger,
  ResourceKinds,
  TextSeal,
  ToolRunners,
  WebhookSender,
} from '@tollgate/engine';
import type { Provider } from '@tollgate/provider';
import type { CallerHook } from './callers/authenticate-caller.ts';
import type { BodyTurns } from './body-turns.ts';
import type { StructureJudge } from './chat/check-structure.ts';
import type { ContextSeal } from './chat/context-seal.ts';
import type { ImageSource } from './chat/remote-images.ts';
import type { GenerationDialect } from './dialects/generation/generation-dialect.ts';
import type { PendingUploads } from './dialects/google/files/pending-uploads.ts';
import type { RequestHook } from './hooks/on-request.ts';
import type { RateLimiter } from './rate-limiter.ts';

// G60
/** Per family of clients, what is honoured beyond the contract. Strict is the default. */
export interface Compatibility {
  /** The wire of OpenAI's clients. */
  readonly openai?: boolean;
  /** The wire of Google's clients. */
  readonly google?: boolean;
  /** The wire of Anthropic's clients. */
  readonly anthropic?: boolean;
  /** The wire of Ollama's clients. */
  readonly ollama?: boolean;
  /** Accepts the fields of generateContent in snake case as well. */
  readonly snakeCase?: boolean;
  /**
   * Whether a chat with `stream: true` is sent while the model writes it, instead of after settlement. The default is the value
   * of `openai`.
   */
  readonly streamInTime?: boolean;
  /** With `openai`: messages of one chat at the most, from 100 to 10,000 (default 2,000); the body's bytes bound them too. */
  readonly messagesMax?: number;
  /** With `openai` or `google`: texts of one embedding request at the most, from 100 (default) to 2,048. */
  readonly textsMax?: number;
}

/** For whom a model is chosen, and for what. */
export interface ModelQuestion {
  /** The key that asks, or the record under which the caller counts. */
  readonly keyId: string;
  /** The project of the key. */
  readonly projectId: string;
  /** The account that pays. */
  readonly accountId: string;
  readonly request: {
    /** What the lines of the request carry. */
    readonly id?: string | undefined;
    /** The family of routes that is asked, whichever dialect the client speaks. */
    readonly route: RouteFamily;
  };
}

/** Chooses among the rows that are available, in the order of the catalog; null where none of them will do. */
export type SelectModel = (available: readonly CatalogModel[], question: ModelQuestion) => CatalogModel | null;

/** The models of a gateway, looked up by public id. */
export interface Models {
  readonly rows: readonly CatalogModel[];
  find(id: string): CatalogModel | null;
  /** Who serves a model, or null where no provider does. */
  providerOf(model: CatalogModel): Provider | null;
  // auth:key:unbound-automatic
  /** The model for a key that is bound to none, among those that it may call; null for all. */
  selectAutomatically(question: ModelQuestion, allowed?: readonly string[] | null): CatalogModel | null;
  /** Whether there is a family of routes on which a call of it can be reserved for. */
  isPriced(model: CatalogModel): boolean;
  /** Whether the host has released it, beside being served and priced. */
  isEnabled(model: CatalogModel): boolean;
}

/** How documents are indexed. */
export interface IndexingChoice {
  /** The model that makes the vectors of new stores; by default the recommended embedding model that is available. */
  readonly model?: string;
  /** Length of the vectors of new stores; by default 768, or what the model offers. */
  readonly dimensions?: number;
}

/** Everything the handlers share; made once for a gateway. */
export interface Service {
  readonly engine: Engine;
  readonly models: Models;
  /** The resource types that this gateway works on. */
  readonly resourceKinds: ResourceKinds;
  /** Judges the addresses of webhooks; null where the host sends no events, and then no webhook can be registered. */
  readonly webhookSender: Pick<WebhookSender, 'check'> | null;
  readonly brand: string;
  readonly basePath: string;
  readonly compatibility: Compatibility;
  /** Wires that the host adds. */
  readonly dialects: readonly GenerationDialect[];
  /** What every JSON body may hold, counted before it is parsed. */
  readonly bodyBounds: JsonBounds;
  /** In which order large bodies are computed with. */
  readonly bodyTurns: BodyTurns;
  /** Whether `GET /openapi.json` demands a key like every other route. */
  readonly openApiNeedsKey: boolean;
  /** Top-level chat fields that are tolerated and dropped. */
  readonly extraFields: readonly string[];
  /** For which generations the provider is asked how many tokens the input has, before anything is reserved. */
  readonly countInput: 'media' | 'always' | 'never';
  /** Whether a unary answer carries `usage`. */
  readonly exposeUsage: boolean;
  /** Whether models show what they cost the caller. */
  readonly showPrices: boolean;
  readonly finishReasonWithTools: 'stop' | 'tool_calls';
  /** Asked for every request of a known key; `engine.host.limiter` limits what is charged. */
  readonly limiter: RateLimiter | null;
  /** How long a limiter is waited for. */
  readonly limiterMs: number;
  readonly onLimiterFailure: LimiterFailurePolicy;
  /** Recognises callers without a key of this service; null where the host has no such function. */
  readonly callerHook: CallerHook | null;
  /** Asks the host about each charged request; null where it has no hook for them. */
  readonly requestHook: RequestHook | null;
  readonly contextSeal: ContextSeal;
  /** Checks answers against schemas where that takes longer than the event loop may be held up. */
  readonly judgeStructure: StructureJudge;
  /** What the uploads in pieces that are not finished have put into the blob store. */
  readonly pendingUploads: PendingUploads;
  /** Fetches images that chats name by address; null where the host has none fetched. */
  readonly imageSource: ImageSource | null;
  readonly environments: {
    // environments:body:network-default
    /** Of environments whose client says nothing of it. */
    readonly defaultNetwork: EnvironmentNetwork;
  };
  readonly interactions: {
    /** The tools that the gateway runs itself. */
    readonly runners: ToolRunners;
    readonly limits: InteractionLimits;
    /** For the headers of MCP servers. */
    readonly seal: TextSeal;
    /** What a provider noted of a store or an environment, or null. */
    readonly findReference: (id: string, provider: string) => Promise<string | null>;
  };
  /** By what new stores are indexed. */
  readonly indexing: IndexingChoice;
  readonly live: {
    /** Where sockets are opened; null follows from how the client reached the server. */
    readonly url: string | null;
    /** From which access keys are made: new ones from the first. */
    readonly secrets: readonly [string, ...string[]];
  };
  readonly logger: Logger;
  /** A fresh uuid for answers to what was never registered. */
  readonly newRequestId: () => string;
}
