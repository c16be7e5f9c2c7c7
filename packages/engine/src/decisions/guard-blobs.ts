import type { Key, Records, Write } from '@tollgate/storage';

/**
 * Blobs that work needs until it has ended. Their ownerless rows stay, so that the sweep deletes them should no operation have by
 * then; until that time it does not.
 */
export interface BlobGuard {
  readonly blobKeys: readonly string[];
  readonly keptMs: number;
}

const nothing: BlobGuard = { blobKeys: [], keptMs: 0 };

export const guardKeys = ({ blobKeys } = nothing): readonly Key[] =>
  blobKeys.map((id) => ({ table: 'pendingBlob', id }) as const);

/** Whether each of them is still stored: the owner of a row is deleting its blob. */
export const areGuarded = (records: Records, { blobKeys } = nothing): boolean =>
  blobKeys.every((id) => records.get('pendingBlob', id)?.owner === null);

export const guardWrites = ({ blobKeys, keptMs } = nothing, nowMs: number): readonly Write[] =>
  blobKeys.map((id) => ({
    kind: 'put',
    table: 'pendingBlob',
    record: { id, owner: null, dueAtMs: nowMs + keptMs },
  }));

/** Takes blobs as a record's own: from now on the sweep knows nothing of them. */
export const takeBlobWrites = (records: Records, blobKeys: readonly string[]): readonly Write[] =>
  blobKeys.flatMap((id) =>
    records.get('pendingBlob', id) === undefined ? [] : [{ kind: 'delete', table: 'pendingBlob', id } as const],
  );

/** Leaves blobs to the next sweep. */
export const dropBlobWrites = (records: Records, blobKeys: readonly string[], nowMs: number): readonly Write[] =>
  blobKeys.flatMap((id) =>
    records.get('pendingBlob', id)?.owner === null
      ? [{ kind: 'put', table: 'pendingBlob', record: { id, owner: null, dueAtMs: nowMs } } as const]
      : [],
  );
