/** A charged request before it is opened, as a hook of the host receives it. */
export interface AskedCall {
  /** The id of the route of the contract that it asks, or stands for. */
  readonly route: string;
  /** The Idempotency-Key that it brings; null where it brings none. */
  readonly identity: string | null;
  /** A header by its lowercase name. */
  readonly header: (name: string) => string | null;
  /** Notes the parsed body, once it was read. */
  readonly noteBody: (value: unknown) => void;
  /** The body that was noted. */
  readonly readBody: () => unknown;
  /** Lets go of the body: an operation may run for minutes, and does not need it. */
  readonly dropBody: () => void;
}

/** What the host's hook decided of a call before it is opened. */
export interface OperationMarks {
  /** The id that the operation gets where it is opened: the hook received it. */
  readonly operationId: string;
  /** The catalog id that runs in place of the one that was asked; null where none does. */
  readonly model: string | null;
  /** The catalog id that was asked, where another one runs. */
  readonly askedModel: string | null;
  /** What the host wants to find on the operation again; null where it said nothing. */
  readonly tags: Readonly<Record<string, string>> | null;
}
