import type { ErrorCode } from '@tollgate/contract';
import type { Decide, FileRecord, FileUseRecord, Key, OperationRecord, Records, Write } from '@tollgate/storage';

/** How long after an operation opened it is looked whether its use of a file can be forgotten, and then again and again. */
const useLookMs = 600_000;

const fileUseId = (fileId: string, operationId: string): string => `${fileId}:${operationId}`;

export const fileUseKeys = (operationId: string, fileIds: readonly string[]): readonly Key[] =>
  fileIds.flatMap((id) => [
    { table: 'file', id } as const,
    { table: 'fileUse', id: fileUseId(id, operationId), fresh: true } as const,
  ]);

const refuseFile = (file: FileRecord | undefined, projectId: string, nowMs: number): ErrorCode | null => {
  if (file === undefined || file.projectId !== projectId) return 'not_found';
  switch (file.status) {
    case 'processing':
      return 'request_in_progress';
    case 'failed':
      return 'unsupported_content';
    case 'expired':
    case 'deleted':
      return 'not_found';
    case 'active':
      return file.expiresAtMs <= nowMs ? 'not_found' : null;
  }
};

/** Why one of the files cannot be used in this project now, or null (files:use:must-be-active). */
export const refuseFiles = (
  records: Records,
  projectId: string,
  fileIds: readonly string[],
  nowMs: number,
): ErrorCode | null => {
  for (const id of fileIds) {
    const refused = refuseFile(records.get('file', id), projectId, nowMs);
    if (refused !== null) return refused;
  }
  return null;
};

/** Notes each use beside the file and raises its count, so that a deletion under way is decided again. */
export const fileUseWrites = (
  records: Records,
  { id: operationId, createdAtMs }: OperationRecord,
  fileIds: readonly string[],
): readonly Write[] =>
  fileIds.flatMap((fileId): readonly Write[] => {
    const file = records.get('file', fileId);
    if (file === undefined) return [];
    const use: FileUseRecord = {
      id: fileUseId(fileId, operationId),
      fileId,
      operationId,
      owner: null,
      dueAtMs: createdAtMs + useLookMs,
      createdAtMs,
    };
    return [
      { kind: 'put', table: 'file', record: { ...file, uses: file.uses + 1 } },
      { kind: 'put', table: 'fileUse', record: use },
    ];
  });

export const forgetUseKeys = (use: FileUseRecord): readonly Key[] => [
  { table: 'fileUse', id: use.id },
  { table: 'operation', id: use.operationId },
];

/** Forgets a use whose operation has ended; of another one it is looked again later. */
export const decideForgetUse =
  (claimed: FileUseRecord): Decide<boolean> =>
  (records, nowMs) => {
    const use = records.get('fileUse', claimed.id);
    if (use === undefined || use.owner !== claimed.owner) return { writes: [], answer: false };
    if (records.get('operation', use.operationId)?.endedAtMs === null)
      return {
        writes: [{ kind: 'put', table: 'fileUse', record: { ...use, owner: null, dueAtMs: nowMs + useLookMs } }],
        answer: false,
      };
    return { writes: [{ kind: 'delete', table: 'fileUse', id: use.id }], answer: true };
  };
