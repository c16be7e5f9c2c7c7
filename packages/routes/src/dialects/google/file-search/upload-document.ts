import { deleteFile, shownFieldsOf, type Access } from '@tollgate/engine';
import type { FileRecord } from '@tollgate/storage';
import { fingerprint } from '../../../fingerprint.ts';
import type { GatewayRequest, GatewayResponse } from '../../../gateway-request.ts';
import { identityOf } from '../../../identity-of.ts';
import { parseJson } from '../../../parse-json.ts';
import { createdAnswer, type CreatedResource } from '../../../resources/create-resource-answer.ts';
import type { Service } from '../../../service.ts';
import { requireStore } from '../../../stores/store-contents.ts';
import { uploadTo } from '../files/upload-file.ts';
import type { UploadRequest, UploadTarget } from '../files/upload-target.ts';
import { addDocument } from './add-document.ts';
import { parseUploadToStore } from './file-search-body.ts';
import { storeName } from './file-search-store.ts';
import { documentOperation } from './store-document.ts';

const hasFile = ({ found }: CreatedResource, { id }: FileRecord): boolean =>
  shownFieldsOf(found.resource)['file'] === id;

/** The last request of an upload that is sent again finds the document of the first by the upload's own id. */
const openUploaded = async (
  { service, access, request }: UploadRequest,
  store: string,
  file: FileRecord,
  sessionId: string | null,
): Promise<CreatedResource> => {
  const identity = identityOf(request) ?? (sessionId === null ? null : `upload-${sessionId}`);
  const sent = Buffer.from(JSON.stringify([file.displayName, file.mimeType, file.sha256]));
  const print = fingerprint('POST', `/upload/${storeName(store)}`, sent);
  return addDocument(service, access, { store, file }, { identity, fingerprint: print });
};

/** One that cannot be deleted now ends in its time, as every file does. */
const dropFile = async ({ service, access, request }: UploadRequest, { id }: FileRecord): Promise<void> => {
  try {
    await deleteFile(service.engine, access.projectId, id);
  } catch (cause) {
    service.logger.warn('a file of an upload that was refused was left to its end', {
      requestId: request.id,
      cause,
    });
  }
};

/** The client gets no name of a file that no document was opened for, so the file is deleted. */
const finishUploaded = async (
  upload: UploadRequest,
  store: string,
  file: FileRecord,
  sessionId: string | null,
): Promise<GatewayResponse> => {
  let created: CreatedResource | null = null;
  try {
    created = await openUploaded(upload, store, file, sessionId);
    return createdAnswer(created, JSON.stringify(documentOperation(created.found, 'upload')));
  } finally {
    if (created === null || !hasFile(created, file)) await dropFile(upload, file);
  }
};

const storeTarget = (store: string): UploadTarget => ({
  path: `/upload/${storeName(store)}:uploadToFileSearchStore`,
  readTold: async ({ service, access }, bytes) => {
    await requireStore(service, access, store);
    return parseUploadToStore(bytes.length === 0 ? {} : parseJson(bytes, service.bodyBounds));
  },
  finish: (upload, file, sessionId) => finishUploaded(upload, store, file, sessionId),
});

/** `POST /upload/fileSearchStores/{id}:uploadToFileSearchStore`: a file of the project, and a document of it in the store. */
export const uploadDocument = (
  service: Service,
  access: Access,
  request: GatewayRequest,
  store: string,
): Promise<GatewayResponse> => uploadTo({ service, access, request }, storeTarget(store));
