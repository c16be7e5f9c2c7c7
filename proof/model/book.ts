/** What the checks remember of a history beside its records: sums made anew, and who did what first. */
export interface Book {
  readonly entrySums: Map<string, bigint>;
  readonly entryCounts: Map<string, number>;
  readonly debits: Map<string, { count: number; sum: bigint }>;
  /** By operation: the step whose command was allowed to execute it. */
  readonly executors: Map<string, number>;
  /** By project and identity: the operation that was started under it. */
  readonly identities: Map<string, string>;
  /** By step: what the command of that step had for an effect, once it had one. */
  readonly effects: Map<number, string>;
  /** By item: the step whose command was allowed to submit it. */
  readonly begun: Map<string, number>;
  /** Operations of which an event was written, deliveries and occurrences that were: once for good. */
  readonly written: Set<string>;
}

export const createBook = (): Book => ({
  entrySums: new Map(),
  entryCounts: new Map(),
  debits: new Map(),
  executors: new Map(),
  identities: new Map(),
  effects: new Map(),
  begun: new Map(),
  written: new Set(),
});
