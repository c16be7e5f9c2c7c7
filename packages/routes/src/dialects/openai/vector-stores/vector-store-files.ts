import { limits } from '@tollgate/contract';
import { listDocuments, type Access } from '@tollgate/engine';
import { fingerprint } from '../../../fingerprint.ts';
import type { GatewayRequest, GatewayResponse } from '../../../gateway-request.ts';
import { identityOf } from '../../../identity-of.ts';
import { jsonAnswer } from '../../../json-answer.ts';
import { readJson } from '../../../read-json.ts';
import { createdAnswer, createPlanned } from '../../../resources/create-resource-answer.ts';
import { deleteResourceOf } from '../../../resources/resource-queries.ts';
import type { Service } from '../../../service.ts';
import { storeDocumentsMax } from '../../../stores/listed-documents.ts';
import { requireStore } from '../../../stores/store-contents.ts';
import { planFile } from './add-files.ts';
import { filePage } from './store-file-batch.ts';
import { fileIdOf, requireStoreFile, storeFile } from './store-files.ts';
import { parseStoreFile } from './vector-store-body.ts';

/** `POST /vector_stores/{id}/files`: the file is indexed in the background. */
export const addStoreFile = async (
  service: Service,
  access: Access,
  request: GatewayRequest,
  storeId: string,
): Promise<GatewayResponse> => {
  const identity = identityOf(request);
  const { value, bytes } = await readJson(service, request, limits.bodyBytesMax.other);
  const file = parseStoreFile(value);
  const print = fingerprint(request.method, `/vector_stores/${storeId}/files`, bytes);
  const plan = await planFile(service, { access, identity, fingerprint: print, storeId }, file);
  const created = await createPlanned(service, plan);
  return createdAnswer(created, JSON.stringify(storeFile(created.found)));
};

/** `GET /vector_stores/{id}/files`. */
export const listStoreFiles = async (
  service: Service,
  access: Access,
  { query }: GatewayRequest,
  storeId: string,
): Promise<GatewayResponse> => {
  const { resource } = await requireStore(service, access, storeId);
  return jsonAnswer(filePage(await listDocuments(service.engine, resource.id, storeDocumentsMax), query));
};

/** `GET /vector_stores/{id}/files/{file_id}`. */
export const getStoreFile = async (
  service: Service,
  access: Access,
  storeId: string,
  fileId: string,
): Promise<GatewayResponse> => {
  const { resource } = await requireStore(service, access, storeId);
  return jsonAnswer(JSON.stringify(storeFile(await requireStoreFile(service, resource.id, fileId))));
};

/** `DELETE /vector_stores/{id}/files/{file_id}`: the file itself stays. */
export const deleteStoreFile = async (
  service: Service,
  access: Access,
  storeId: string,
  fileId: string,
): Promise<GatewayResponse> => {
  const { resource } = await requireStore(service, access, storeId);
  const document = await requireStoreFile(service, resource.id, fileId);
  await deleteResourceOf(service, access, { kind: 'document', id: document.resource.id });
  const deleted = { id: fileIdOf(document), object: 'vector_store.file.deleted', deleted: true };
  return jsonAnswer(JSON.stringify(deleted));
};
