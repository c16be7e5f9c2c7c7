/**
 * An asynchronous resource. Its id is that of the operation that carries its money, its execution and its lease; what is
 * written here is what the operation does not know.
 */
export interface ResourceRecord {
  readonly id: string;
  readonly kind: string;
  readonly projectId: string;
  readonly accountId: string;
  readonly keyId: string;
  /** Public catalog id of the model. */
  readonly model: string;
  readonly displayName: string | null;
  /** Project and kind, by which resources are listed. */
  readonly listing: string;
  /** The resource this one belongs to, such as the store of a document, or null. */
  readonly parent: string | null;
  /** Where it stands beside its operation; `follows` shows the operation's state. */
  readonly availability: 'follows' | 'active' | 'requires_action' | 'expired' | 'deleted';
  /** The members of the public record that its kind adds; never content. */
  readonly publicFields: unknown;
  /** How far the work is, for whichever worker takes it up next; null once there is nothing left to do. */
  readonly work: unknown;
  /** As it counts against the quotas of the project; null for kinds that do not, and once it is cleared away. */
  readonly keptBytes: number | null;
  /** Raised by every operation that opens with this resource, so that a deletion that looked before it is decided again. */
  readonly uses: number;
  readonly expiresAtMs: number | null;
  readonly owner: string | null;
  /** When the resource itself must be processed: it expires. Its execution is due by its operation. */
  readonly dueAtMs: number | null;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  readonly deletedAtMs: number | null;
}

/** An operation that uses a resource (`id` is both ids). It counts while the operation has not ended. */
export interface ResourceUseRecord {
  readonly id: string;
  readonly resourceId: string;
  readonly operationId: string;
  readonly createdAtMs: number;
  readonly owner: string | null;
  readonly dueAtMs: number | null;
}

/** One request of a batch (`id` is the batch's with the item's place). */
export interface BatchItemRecord {
  readonly id: string;
  readonly batchId: string;
  /** Counts from 0, in the order sent. */
  readonly place: number;
  /** The client's name for it. */
  readonly key: string;
  readonly state: 'waiting' | 'running' | 'completed' | 'failed' | 'cancelled' | 'unknown';
  /** Measured, once it is completed. */
  readonly usage: unknown;
  readonly attempts: unknown;
  readonly errorCode: string | null;
  /** The public answer as JSON text, or null where a blob holds it or there is none. */
  readonly answer: string | null;
  readonly answerBytes: number;
  readonly updatedAtMs: number;
}
