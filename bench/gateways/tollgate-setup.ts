/** How a Tollgate under test is put together. */
export interface TollgateSetup {
  readonly storage:
    | { readonly kind: 'memory' }
    | { readonly kind: 'sqlite'; readonly path: string; readonly synchronous: 'full' | 'normal' }
    /** In the database that `BENCH_POSTGRES` names, in a schema of its own. */
    | { readonly kind: 'postgres' };
  /** Null runs the sandbox instead of an upstream. */
  readonly upstreamPort: number | null;
  /** What the upstream speaks: chat completions, or the Gemini wire. */
  readonly upstreamWire: 'chat' | 'gemini';
  /** Whether its event loop goes before the threads of V8. */
  readonly eventLoopFirst?: boolean;
  /** Where it counts requests, tokens and what runs at once, under limits that no load reaches; absent where nothing is limited. */
  readonly limits?: 'memory' | 'postgres';
  /** Whether it has spans and metrics of OpenTelemetry, whose exporter drops them. */
  readonly telemetry?: boolean;
  /** How many processes serve; one by default. */
  readonly processes?: number;
  /** Whether the key has a spend cap that no load reaches. */
  readonly cap?: boolean;
  /** Whether it speaks the wires of OpenAI's and Anthropic's clients. */
  readonly speaksWires?: boolean;
}

/** What it says when it listens. */
export interface TollgateReady {
  readonly key: string;
  readonly model: string;
}
