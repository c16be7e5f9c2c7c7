/** A file of a project. Its bytes lie in the blob store under `files/<id>` while it is processing, active or failed. */
export interface FileRecord {
  readonly id: string;
  readonly projectId: string;
  readonly accountId: string;
  readonly keyId: string;
  readonly displayName: string;
  readonly mimeType: string;
  /** What its client said that it is for; null where it said nothing. */
  readonly purpose: string | null;
  readonly sizeBytes: number;
  /** As they count against the quotas of the project; null once they are cleared away. */
  readonly keptBytes: number | null;
  /** Of the bytes, lowercase hex. */
  readonly sha256: string;
  readonly status: 'processing' | 'active' | 'failed' | 'expired' | 'deleted';
  /** The providers that get a copy before the file is used, or null for none. */
  readonly provider: string | null;
  /** Public catalog id of the model that the uploading key is bound to. */
  readonly model: string | null;
  /** What each provider noted of its own copy, by its name. */
  readonly notes: Readonly<Record<string, string>>;
  /** Grows with every operation that opens with the file, so that a deletion notices one that it did not look at. */
  readonly uses: number;
  readonly errorCode: string | null;
  readonly owner: string | null;
  /** When it must be processed again: a copy that is processing, its expiry, what is to be removed. */
  readonly dueAtMs: number | null;
  readonly expiresAtMs: number;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  readonly deletedAtMs: number | null;
}

/** That an operation opened with a file (`id` is `<fileId>:<operationId>`); removed some time after the operation ended. */
export interface FileUseRecord {
  readonly id: string;
  readonly fileId: string;
  readonly operationId: string;
  readonly owner: string | null;
  readonly dueAtMs: number | null;
  readonly createdAtMs: number;
}

/**
 * A blob that no record owns yet (`id` is the blob's key): written before the blob, deleted in the step that takes it as its
 * own. When it comes due, the step that was to take it was never committed, and the blob is deleted.
 */
export interface PendingBlobRecord {
  readonly id: string;
  /** Null until a sweep takes it up: from then on no step may take ownership of the blob. */
  readonly owner: string | null;
  readonly dueAtMs: number | null;
}
