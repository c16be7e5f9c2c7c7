import { GatewayError } from '@tollgate/contract';
import { toProjectFile, type Access } from '@tollgate/engine';
import type { BlobPart } from '@tollgate/provider';
import type { FileRecord } from '@tollgate/storage';
import type { Service } from '../service.ts';

/** Files of the project that a call names. */
export interface ResolvedFiles {
  /** By id, as the model's provider takes them. */
  readonly parts: ReadonlyMap<string, BlobPart>;
  /** Each once, for the plan of the operation: the step that opens it checks that each is active. */
  readonly ids: readonly string[];
}

/** What a call names that names no file. */
const noFiles: ResolvedFiles = { parts: new Map(), ids: [] };

const toPart = (service: Service, file: FileRecord, provider: string): BlobPart => {
  const projectFile = toProjectFile(service.engine, file, provider);
  const { mimeType, sizeBytes, read } = projectFile;
  return { kind: 'blob', mimeType, sizeBytes, read, file: projectFile, filename: file.displayName };
};

// chat:part:file-state
/**
 * Looks up the files that a call names. One that this project never had is 404. Whether a file can be used
 * now is decided by the step that opens the operation, so that a replay outlives its files: 409 while it is processing, 422 where it
 * failed, 404 where it expired or was deleted. `provider` is the one that will read them, whose notes they carry.
 */
export const resolveFiles = (
  service: Service,
  access: Access,
  fileIds: readonly string[],
  provider: string,
): ResolvedFiles | Promise<ResolvedFiles> =>
  fileIds.length === 0 ? noFiles : readFiles(service, access, [...new Set(fileIds)], provider);

const readFiles = async (
  service: Service,
  access: Access,
  ids: readonly string[],
  provider: string,
): Promise<ResolvedFiles> => {
  const records = await service.engine.storage.read(ids.map((id) => ({ table: 'file', id }) as const));
  const parts = new Map<string, BlobPart>();
  for (const id of ids) {
    const file = records.get('file', id);
    if (file?.projectId !== access.projectId)
      throw new GatewayError('not_found', { detail: 'There is no such file in this project.' });
    parts.set(id, toPart(service, file, provider));
  }
  return { parts, ids };
};
