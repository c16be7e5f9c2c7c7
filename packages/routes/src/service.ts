import type { CatalogModel, EnvironmentNetwork } from '@tollgate/contract';
import type { Engine, InteractionLimits, Logger, TextSeal, ToolRunners } from '@tollgate/engine';
import type { Provider } from '@tollgate/provider';
import type { ContextSeal } from './chat/context-seal.ts';
import type { RateLimiter } from './rate-limiter.ts';
import type { IndexingChoice } from './stores/index-model.ts';

/** Per family of clients, what is honoured beyond the contract (G60). Strict is the default. */
export interface Compatibility {
  readonly openai?: boolean;
  readonly google?: boolean;
  /** Accepts the fields of generateContent in snake case as well. */
  readonly snakeCase?: boolean;
}

/** The models of a gateway, looked up by public id. */
export interface Models {
  readonly rows: readonly CatalogModel[];
  find(id: string): CatalogModel | null;
  /** Who serves a model, or null where no provider does. */
  providerOf(model: CatalogModel): Provider | null;
  /** The model for a key that is bound to none (auth:key:unbound-automatic). */
  selectAutomatically(): CatalogModel | null;
  /** Whether the host has released it, beside being served and priced. */
  isReleased(model: CatalogModel): boolean;
}

/** Everything the handlers share; made once for a gateway. */
export interface Service {
  readonly engine: Engine;
  readonly models: Models;
  readonly brand: string;
  readonly basePath: string;
  readonly compatibility: Compatibility;
  /** Top-level chat fields that are tolerated and dropped. */
  readonly extraFields: readonly string[];
  /** For which generations the provider is asked how many tokens the input has, before anything is reserved. */
  readonly countInput: 'media' | 'always' | 'never';
  /** Whether a unary answer carries `usage`. */
  readonly exposeUsage: boolean;
  readonly finishReasonWithTools: 'stop' | 'tool_calls';
  readonly limiter: RateLimiter | null;
  readonly contextSeal: ContextSeal;
  readonly environments: {
    /** Of environments whose client says nothing of it (environments:body:network-default). */
    readonly defaultNetwork: EnvironmentNetwork;
  };
  readonly interactions: {
    /** The tools that the gateway runs itself. */
    readonly runners: ToolRunners;
    readonly limits: InteractionLimits;
    /** For the headers of MCP servers. */
    readonly seal: TextSeal;
    /** What a provider noted of a store or an environment, or null. */
    readonly findNote: (id: string, provider: string) => Promise<string | null>;
  };
  /** By what new stores are indexed. */
  readonly indexing: IndexingChoice;
  readonly live: {
    /** Where sockets are opened; null follows from how the client reached the server. */
    readonly url: string | null;
    /** From which access keys are made. */
    readonly secret: string;
  };
  readonly logger: Logger;
  /** A fresh uuid for answers to what was never registered. */
  readonly newRequestId: () => string;
}
