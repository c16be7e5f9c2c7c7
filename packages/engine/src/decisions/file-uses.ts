import type { ErrorCode } from '@tollgate/contract';
import type { FileRecord, FileUseRecord, Key, OperationRecord, Records, Write } from '@tollgate/storage';
import { useLookMs } from './forget-use.ts';

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

// files:use:must-be-active
/** Why one of the files cannot be used in this project now, or null. */
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
