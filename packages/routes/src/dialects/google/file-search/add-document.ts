import { limits } from '@tollgate/contract';
import type { Access, ResourcePlan } from '@tollgate/engine';
import type { FileRecord } from '@tollgate/storage';
import { requireFile } from '../../../files/file-queries.ts';
import { fingerprint } from '../../../fingerprint.ts';
import type { GatewayRequest, GatewayResponse } from '../../../gateway-request.ts';
import { identityOf } from '../../../identity-of.ts';
import { readJson } from '../../../read-json.ts';
import { createdAnswer, createPlanned, type CreatedResource } from '../../../resources/create-resource-answer.ts';
import type { Service } from '../../../service.ts';
import { planDocument } from '../../../stores/create-document.ts';
import { parseImportFile } from './file-search-body.ts';
import { documentOperation, storeDocumentWire } from './store-document.ts';

/** Indexes a file in a store, as `POST /documents` does. */
export const addDocument = async (
  service: Service,
  access: Access,
  { store, file }: { readonly store: string; readonly file: FileRecord },
  named: Pick<ResourcePlan, 'identity' | 'fingerprint'>,
): Promise<CreatedResource> => {
  const { id, sizeBytes: bytes, mimeType } = file;
  const wire = { name: storeDocumentWire, echo: { bytes, mimeType } };
  return createPlanned(service, await planDocument(service, access, { store, file: id }, { ...named, wire }));
};

/** `POST fileSearchStores/{id}:importFile`: a file of the project is indexed in the background. */
export const importFile = async (
  service: Service,
  access: Access,
  request: GatewayRequest,
  store: string,
): Promise<GatewayResponse> => {
  const identity = identityOf(request);
  const { value, bytes } = await readJson(service, request, limits.bodyBytesMax.other);
  const file = await requireFile(service, access, parseImportFile(value));
  const print = fingerprint(request.method, `/fileSearchStores/${store}:importFile`, bytes);
  const created = await addDocument(service, access, { store, file }, { identity, fingerprint: print });
  return createdAnswer(created, JSON.stringify(documentOperation(created.found, 'import')));
};
