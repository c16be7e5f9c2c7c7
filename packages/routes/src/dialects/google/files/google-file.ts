import { GatewayError } from '@tollgate/contract';
import { deleteFile, listFiles, type Access } from '@tollgate/engine';
import type { FileRecord } from '@tollgate/storage';
import { requireFile } from '../../../files/file-queries.ts';
import type { Service } from '../../../service.ts';

const states = { processing: 'PROCESSING', active: 'ACTIVE', failed: 'FAILED' } as const;

/** The states that this dialect has words for; a file that has ended is not found there. */
const stateOf = ({ status }: FileRecord) => (status === 'expired' || status === 'deleted' ? null : states[status]);

/** A file in this dialect. Its `uri` is what `fileData.fileUri` takes. */
export const toGoogleFile = (file: FileRecord) => ({
  name: `files/${file.id}`,
  displayName: file.displayName,
  mimeType: file.mimeType,
  sizeBytes: String(file.sizeBytes),
  createTime: new Date(file.createdAtMs).toISOString(),
  updateTime: new Date(file.updatedAtMs).toISOString(),
  expirationTime: new Date(file.expiresAtMs).toISOString(),
  sha256Hash: Buffer.from(file.sha256, 'hex').toString('base64'),
  uri: `files/${file.id}`,
  state: stateOf(file) ?? 'FAILED',
  source: 'UPLOADED',
  error: file.errorCode === null ? undefined : { code: 13, message: file.errorCode },
});

export const listGoogleFiles = async (service: Service, access: Access): Promise<string> => {
  const files = await listFiles(service.engine, access.projectId);
  return JSON.stringify({ files: files.filter((file) => stateOf(file) !== null).map(toGoogleFile) });
};

export const getGoogleFile = async (service: Service, access: Access, id: string): Promise<string> => {
  const file = await requireFile(service, access, id);
  if (stateOf(file) === null) throw new GatewayError('not_found');
  return JSON.stringify(toGoogleFile(file));
};

export const deleteGoogleFile = async (service: Service, access: Access, id: string): Promise<string> => {
  await requireFile(service, access, id);
  const { kind } = await deleteFile(service.engine, access.projectId, id);
  if (kind === 'missing') throw new GatewayError('not_found');
  if (kind === 'in_use') throw new GatewayError('request_in_progress', { detail: 'The file is in use.' });
  return '{}';
};
