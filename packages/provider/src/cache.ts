import type { CallContext } from './call-context.ts';
import type { Content } from './content.ts';
import type { Usage } from './usage.ts';

export interface CacheCall {
  readonly operationId: string;
  readonly upstreamModel: string;
  readonly displayName: string | null;
  readonly ttlSeconds: number;
  /** Kept with the contents, and before them; null where there is none. A call that names the cache has none of its own. */
  readonly systemInstruction: string | null;
  readonly contents: readonly Content[];
}

export interface CreatedCache {
  /** By which the upstream knows it. */
  readonly reference: string;
  /** What it holds. */
  readonly tokens: number;
  /** What its creation used, storage apart. An empty list means that nothing was measured, and makes the operation uncertain at its end. */
  readonly usage: readonly Usage[];
}

/** Context that an upstream keeps. A cache below the model's minimum is refused as an invalid request. */
export interface ProviderCaches {
  /** Has the upstream keep the contents. */
  readonly create: (call: CacheCall, context: CallContext) => Promise<CreatedCache>;
  /** Counted from now. */
  readonly extend: (reference: string, ttlSeconds: number, context: CallContext) => Promise<void>;
  /** One that is gone is no error. */
  readonly remove: (reference: string, context: CallContext) => Promise<void>;
}
