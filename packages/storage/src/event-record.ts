/** Where a project receives the events of its requests. */
export interface WebhookRecord {
  readonly id: string;
  readonly projectId: string;
  readonly url: string;
  /** Event types, a list of texts. */
  readonly events: unknown;
  readonly status: 'enabled' | 'paused' | 'disabled';
  /** Signs deliveries; shown once, and kept sealed. */
  readonly secret: string;
  /** Signs beside it while receivers change over, sealed as well; null when none does. */
  readonly previousSecret: string | null;
  readonly previousUntilMs: number | null;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  readonly disabledAtMs: number | null;
}

/**
 * The enabled webhooks of a project (`id` is the project's), so that the step that ends an operation finds them in one read. It
 * changes in the steps that change a webhook, and nowhere else.
 */
export interface SubscriptionsRecord {
  readonly id: string;
  /** A list of `{ id, events }`. */
  readonly hooks: unknown;
}

/** An event of an ended operation (`id` is the operation's) that is not yet written out for its receivers. */
export interface OutboxRecord {
  readonly id: string;
  readonly eventId: string;
  readonly projectId: string;
  readonly eventType: string;
  /** The exact JSON text that is signed and sent. */
  readonly body: string;
  /** Ids of the webhooks that were enabled for it when it happened. */
  readonly hooks: unknown;
  readonly owner: string | null;
  readonly dueAtMs: number | null;
  readonly createdAtMs: number;
}

/** One event for one webhook (`id` is both ids). */
export interface DeliveryRecord {
  readonly id: string;
  readonly webhookId: string;
  readonly eventId: string;
  readonly operationId: string;
  readonly projectId: string;
  readonly eventType: string;
  readonly body: string;
  readonly status: 'pending' | 'delivered' | 'failed' | 'skipped';
  readonly attempts: number;
  readonly httpStatus: number | null;
  readonly owner: string | null;
  /** When it is tried next, and after its end when its record goes. */
  readonly dueAtMs: number | null;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

/** An event that a function of the host has yet to receive. It goes when the function has taken it. */
export interface HostEventRecord {
  readonly id: string;
  /** `settled`, `low_balance`, `threshold`, `uncertain` or `anomaly`. */
  readonly kind: string;
  readonly accountId: string;
  /** Null where no operation caused it. */
  readonly operationId: string | null;
  /** What happened, as JSON. */
  readonly facts: unknown;
  readonly attempts: number;
  readonly owner: string | null;
  /** When it is tried next. */
  readonly dueAtMs: number | null;
  readonly createdAtMs: number;
}

/** A schedule. */
export interface TriggerRecord {
  readonly id: string;
  readonly projectId: string;
  readonly accountId: string;
  readonly keyId: string;
  readonly displayName: string | null;
  readonly schedule: string;
  readonly timeZone: string;
  /** The interaction as it was sent. */
  readonly interaction: unknown;
  /** Of its interaction, as they count against the quotas of the project; null once they are cleared away. */
  readonly keptBytes: number | null;
  readonly status: 'enabled' | 'paused' | 'disabled';
  /** The instant of the next occurrence; null while paused and once disabled. */
  readonly nextRunAtMs: number | null;
  readonly lastRunAtMs: number | null;
  /** Occurrences in a row that were refused, up to the last one. */
  readonly refusals: number;
  /** Why the gateway has paused it; null unless it did. */
  readonly pausedCode: string | null;
  readonly owner: string | null;
  readonly dueAtMs: number | null;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  readonly disabledAtMs: number | null;
}

/** One occurrence of a schedule (`id` is the trigger's with the instant), claimed once by its insertion. */
export interface OccurrenceRecord {
  readonly id: string;
  readonly triggerId: string;
  readonly projectId: string;
  readonly scheduledForMs: number;
  readonly status: 'pending' | 'processing' | 'completed' | 'failed' | 'skipped';
  /** The interaction that it opened; its id is known before it is opened. */
  readonly operationId: string | null;
  readonly errorCode: string | null;
  readonly startedAtMs: number | null;
  readonly finishedAtMs: number | null;
  readonly owner: string | null;
  readonly dueAtMs: number | null;
  readonly createdAtMs: number;
}

/** A realtime session (`id` is that of the operation that carries its money). */
export interface LiveSessionRecord {
  readonly id: string;
  readonly projectId: string;
  readonly model: string;
  /** SHA-256 of the access key, lowercase hex. */
  readonly accessHash: string;
  /** Until when the access opens a socket. */
  readonly accessUntilMs: number;
  /** When a socket took it; it takes no other. */
  readonly openedAtMs: number | null;
  /** The origins of pages that may open the socket: those of the token that asked for it; null for all. */
  readonly origins: readonly string[] | null;
  readonly config: unknown;
}
