import { GatewayError, isUuid } from '@tollgate/contract';
import { deleteFile, listFiles, refreshFile, type Access } from '@tollgate/engine';
import type { GatewayRequest, GatewayResponse } from '../gateway-request.ts';
import { jsonAnswer } from '../json-answer.ts';
import type { Service } from '../service.ts';
import { fileBody } from './encode-file.ts';

/** The file of a path, a deleted one too, its state freshly checked; an id that is no uuid is as good as unknown. */
export const requireFile = async (service: Service, access: Access, id: string) => {
  const file = isUuid(id) ? await refreshFile(service.engine, access, id) : null;
  if (file === null) throw new GatewayError('not_found');
  return file;
};

// files:list:*
/** GET /files: at most a hundred, the newest first, deleted ones left out. */
export const listFilesOf = async (
  service: Service,
  access: Access,
  { dialect }: GatewayRequest,
): Promise<GatewayResponse> => {
  const files = await listFiles(service.engine, access.projectId);
  const data = files.map((file) => fileBody(service, file, dialect));
  return jsonAnswer(JSON.stringify({ object: 'list', data }));
};

/** GET /files/{file_id}. */
export const getFile = async (
  service: Service,
  access: Access,
  { dialect }: GatewayRequest,
  id: string,
): Promise<GatewayResponse> =>
  jsonAnswer(JSON.stringify(fileBody(service, await requireFile(service, access, id), dialect)));

// files:delete:*
/** DELETE /files/{file_id}: 200 with the record as deleted; 409 while anything under way needs it. */
export const deleteFileOf = async (
  service: Service,
  access: Access,
  { dialect }: GatewayRequest,
  id: string,
): Promise<GatewayResponse> => {
  const outcome = isUuid(id) ? await deleteFile(service.engine, access.projectId, id) : ({ kind: 'missing' } as const);
  switch (outcome.kind) {
    case 'deleted':
      return jsonAnswer(JSON.stringify({ ...fileBody(service, outcome.file, dialect), deleted: true }));
    case 'in_use':
      throw new GatewayError('request_in_progress', {
        detail: 'The file is still being processed, or in use by an operation that has not ended.',
      });
    case 'missing':
      throw new GatewayError('not_found');
  }
};
