import { GatewayError, limits, parseDocumentRequest, type DocumentRequest, type ErrorCode } from '@tollgate/contract';
import {
  estimateDocument,
  pricesNow,
  findResource,
  storeWork,
  type Access,
  type DocumentOrder,
  openDocument,
  type ResourcePlan,
  type ResourceWire,
} from '@tollgate/engine';
import type { BlobPart } from '@tollgate/provider';
import type { ResourceRecord } from '@tollgate/storage';
import { resolveFiles } from '../files/resolve-files.ts';
import { fingerprint } from '../fingerprint.ts';
import type { GatewayRequest, GatewayResponse } from '../gateway-request.ts';
import { admitCall } from '../hooks/admit-call.ts';
import { identityOf } from '../identity-of.ts';
import { readJson } from '../read-json.ts';
import { refusalOf } from '../resolve-model.ts';
import { answerCreated } from '../resources/create-resource-answer.ts';
import type { Service } from '../service.ts';

/** What has text that can be read. */
const indexedTypes: ReadonlySet<string> = new Set(['application/pdf', 'text/plain']);

/** Whether the store can be used is decided by the step that opens the document, so that a repeat outlives its store. */
const requireStore = async (service: Service, { projectId }: Access, id: string): Promise<ResourceRecord> => {
  const found = await findResource(service.engine, projectId, 'store', id);
  if (found === null) throw new GatewayError('not_found', { detail: 'There is no such store in this project.' });
  return found.resource;
};

const requireFile = async (service: Service, access: Access, id: string): Promise<BlobPart> => {
  const { parts } = await resolveFiles(service, access, [id], '');
  const file = parts.get(id);
  if (file === undefined) throw new GatewayError('not_found', { detail: 'There is no such file in this project.' });
  if (!indexedTypes.has(file.mimeType))
    throw new GatewayError('unsupported_content', {
      detail: 'The field file names a file of another type; accepted are application/pdf and text/plain.',
    });
  return file;
};

/** Documents are indexed by the model of their store; while that is away, nothing new is begun. */
const refusalOfStore = (service: Service, id: string): ErrorCode | null => {
  const model = service.models.find(id);
  return model === null ? 'service_unavailable' : refusalOf(service, model);
};

/** What opens a document beside its store and its file. */
export interface DocumentNames extends Pick<ResourcePlan, 'identity' | 'fingerprint'> {
  readonly wire?: ResourceWire | undefined;
}

/** The plan of a document. */
export const planDocument = async (
  service: Service,
  caller: Access,
  { store: storeId, file: fileId }: DocumentRequest,
  { wire, ...named }: DocumentNames,
): Promise<ResourcePlan> => {
  const store = await requireStore(service, caller, storeId);
  const { mimeType, sizeBytes, filename } = await requireFile(service, caller, fileId);
  const model = caller.asked === undefined ? null : service.models.find(store.model);
  const { identity } = named;
  const access = model === null ? caller : await admitCall(service, { access: caller, model, identity, isPart: true });
  const { dimensions = null, upstream } = storeWork(store.work) ?? {};
  const kept = upstream === undefined ? {} : { upstream: upstream.provider };
  const order: DocumentOrder = { storeId, fileId, mimeType, dimensions, ...kept };
  return {
    access,
    kind: 'document',
    model: store.model,
    ...named,
    estimate: estimateDocument(sizeBytes, pricesNow(service.engine, { access, model: store.model, kind: 'document' })),
    refusal: refusalOfStore(service, store.model),
    draft: openDocument(order, filename ?? null, wire),
    uses: [{ id: storeId, kind: 'store', model: null }],
    files: [fileId],
  };
};

// documents:*
/** POST /documents: 200 with the record, while a worker reads and indexes the file. */
export const createDocument = async (
  service: Service,
  access: Access,
  request: GatewayRequest,
): Promise<GatewayResponse> => {
  const identity = identityOf(request);
  const body = await readJson(service, request, limits.bodyBytesMax.other);
  const asked = parseDocumentRequest(body.value);
  const named = { identity, fingerprint: fingerprint(request.method, '/documents', body.bytes) };
  return answerCreated(service, await planDocument(service, access, asked, named));
};
