/** How the gateway under attack is put together. */
export interface HostileSetup {
  readonly databasePath: string;
}

/** What the gateway's process has used so far. */
export interface ProcessUse {
  readonly cpuMicros: number;
  readonly residentBytes: number;
  /** How long the event loop stood still at the longest, since it was measured before. */
  readonly longestStopMs: number;
}

/** What the harness asks of the process, beside the road that requests take. */
export type HostileOrder =
  | { readonly kind: 'measure' }
  /** A key of a new account and project, bound to a model, with so many credits. */
  | { readonly kind: 'key'; readonly model: string | null; readonly amountMicros: string };

export type HostileWord =
  | { readonly kind: 'listening'; readonly origin: string }
  | { readonly kind: 'measured'; readonly use: ProcessUse }
  | { readonly kind: 'key'; readonly key: string };
