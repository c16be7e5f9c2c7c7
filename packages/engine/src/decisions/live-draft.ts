import type { Key, LiveSessionRecord, OperationRecord, Write } from '@tollgate/storage';

/** A session as its operation is opened: reserved, until a socket takes the access or its time is over. */
export interface LiveDraft {
  /** SHA-256 of the access key, lowercase hex. */
  readonly accessHash: string;
  readonly accessValidMs: number;
  /** The origins of pages that may open the socket; null for all. */
  readonly origins: readonly string[] | null;
  /** As it is handed to the provider. */
  readonly config: unknown;
}

export const liveDraftKeys = (id: string, draft: LiveDraft | undefined): readonly Key[] =>
  draft === undefined ? [] : [{ table: 'liveSession', id, fresh: true }];

/** The record of a session, in the step that registers its operation. */
export const liveDraftWrites = (
  operation: OperationRecord,
  draft: LiveDraft | undefined,
  nowMs: number,
): readonly Write[] => {
  if (draft === undefined) return [];
  const record: LiveSessionRecord = {
    id: operation.id,
    projectId: operation.projectId,
    model: operation.model,
    accessHash: draft.accessHash,
    accessUntilMs: nowMs + draft.accessValidMs,
    openedAtMs: null,
    origins: draft.origins,
    config: draft.config,
  };
  return [{ kind: 'put', table: 'liveSession', record }];
};
