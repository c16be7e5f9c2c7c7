import { limits } from '@tollgate/contract';
import type { Access } from '@tollgate/engine';
import { fingerprint } from '../../../fingerprint.ts';
import type { GatewayRequest, GatewayResponse } from '../../../gateway-request.ts';
import { identityOf } from '../../../identity-of.ts';
import { readJson } from '../../../read-json.ts';
import { createdAnswer, createPlanned } from '../../../resources/create-resource-answer.ts';
import type { Service } from '../../../service.ts';
import { planStore } from '../../../stores/create-store.ts';
import { storeDocumentsMax } from '../../../stores/listed-documents.ts';
import { requireStore } from '../../../stores/store-contents.ts';
import { addFiles, requireFiles } from './add-files.ts';
import { parseVectorStore } from './vector-store-body.ts';
import { vectorStore, vectorStoreWire } from './vector-store.ts';

const path = '/vector_stores';

/** `POST /vector_stores`: a store, and a document for each file that the body names. */
export const createVectorStore = async (
  service: Service,
  access: Access,
  request: GatewayRequest,
): Promise<GatewayResponse> => {
  const identity = identityOf(request);
  const { value, bytes } = await readJson(service, request, limits.bodyBytesMax.other);
  const { name, description, metadata, files } = parseVectorStore(value);
  await requireFiles(service, access, files);
  const named = { access, identity, fingerprint: fingerprint(request.method, path, bytes) };
  const wire = { name: vectorStoreWire, echo: { description, metadata: metadata ?? null } };
  const created = await createPlanned(service, planStore(service, { displayName: name, wire }, named));
  const { id } = created.found.resource;
  await addFiles(service, { ...named, storeId: id }, files);
  const store = await vectorStore(service, await requireStore(service, access, id), storeDocumentsMax);
  return createdAnswer(created, JSON.stringify(store));
};
