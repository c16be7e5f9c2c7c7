import { GatewayError, limits } from '@tollgate/contract';
import { listDocuments, listResources, type Access } from '@tollgate/engine';
import { fingerprint } from '../../../fingerprint.ts';
import type { GatewayRequest, GatewayResponse } from '../../../gateway-request.ts';
import { identityOf } from '../../../identity-of.ts';
import { jsonAnswer } from '../../../json-answer.ts';
import { readJson } from '../../../read-json.ts';
import { createdAnswer, createPlanned } from '../../../resources/create-resource-answer.ts';
import { deleteResourceOf } from '../../../resources/resource-queries.ts';
import type { Service } from '../../../service.ts';
import { planStore } from '../../../stores/create-store.ts';
import { listedDocumentsMax, storeDocumentsMax } from '../../../stores/listed-documents.ts';
import { requireStore } from '../../../stores/store-contents.ts';
import { pageOf } from '../page-of.ts';
import { checkEmbeddingModel, parseFileSearchStore } from './file-search-body.ts';
import { fileSearchStore } from './file-search-store.ts';

/** `POST fileSearchStores`: a store that can be used at once; it costs nothing. */
export const createFileSearchStore = async (
  service: Service,
  access: Access,
  request: GatewayRequest,
): Promise<GatewayResponse> => {
  const identity = identityOf(request);
  const { value, bytes } = await readJson(service, request, limits.bodyBytesMax.other);
  const { displayName, embeddingModel } = parseFileSearchStore(value);
  const named = { access, identity, fingerprint: fingerprint(request.method, '/fileSearchStores', bytes) };
  const plan = planStore(service, { displayName }, named);
  checkEmbeddingModel(embeddingModel, plan.model);
  const created = await createPlanned(service, plan);
  return createdAnswer(created, JSON.stringify(await fileSearchStore(service, created.found, storeDocumentsMax)));
};

export const listFileSearchStores = async (
  service: Service,
  access: Access,
  request: GatewayRequest,
): Promise<GatewayResponse> => {
  const { rows, nextPageToken } = pageOf(request, await listResources(service.engine, access.projectId, 'store'));
  const fileSearchStores = [];
  for (const row of rows) fileSearchStores.push(await fileSearchStore(service, row, listedDocumentsMax));
  return jsonAnswer(JSON.stringify({ fileSearchStores, nextPageToken }));
};

export const getFileSearchStore = async (service: Service, access: Access, id: string): Promise<GatewayResponse> => {
  const store = await fileSearchStore(service, await requireStore(service, access, id), storeDocumentsMax);
  return jsonAnswer(JSON.stringify(store));
};

/** These clients lose the documents of a store only where they say so. */
export const deleteFileSearchStore = async (
  service: Service,
  access: Access,
  { query }: GatewayRequest,
  id: string,
): Promise<GatewayResponse> => {
  const { resource } = await requireStore(service, access, id);
  const isForced = new URLSearchParams(query).get('force') === 'true';
  if (!isForced && (await listDocuments(service.engine, resource.id, 1)).length > 0)
    throw new GatewayError('invalid_request', {
      detail: 'The store has documents; accepted are a store without any, and the parameter force=true.',
    });
  await deleteResourceOf(service, access, { kind: 'store', id });
  return jsonAnswer('{}');
};
