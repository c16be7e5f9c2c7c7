import { GatewayError, limits } from '@tollgate/contract';
import { listResources, type Access, type FoundResource } from '@tollgate/engine';
import { prepareBatch } from '../../batches/plan-batch.ts';
import { openPreparedBatch } from '../../batches/create-batch.ts';
import type { GatewayRequest, GatewayResponse } from '../../gateway-request.ts';
import { identityOf } from '../../identity-of.ts';
import { jsonAnswer } from '../../json-answer.ts';
import { readMediaJson } from '../../media-json/read-media-json.ts';
import { createdAnswer } from '../../resources/create-resource-answer.ts';
import { cancelResourceOf, deleteResourceOf, requireResource } from '../../resources/resource-queries.ts';
import { checkFamily, resolveModel } from '../../resolve-model.ts';
import type { Service } from '../../service.ts';
import { batchBody, batchOperation, googleBatchWire, isShown } from './batch-operation.ts';
import { pageOf } from './page-of.ts';
import { fromBatch, type BatchMethod } from './to-batch-body.ts';

const request = 'batch.inputConfig.requests.requests.*.request';
const places = [`${request}.contents.*.parts.*.inlineData.data`, `${request}.content.parts.*.inlineData.data`];

const familyOf = { batchGenerateContent: 'generate', asyncBatchEmbedContent: 'embeddings' } as const;

/** `:batchGenerateContent` and `:asyncBatchEmbedContent`: POST /batches in another dialect. */
export const createGoogleBatch = async (
  service: Service,
  access: Access,
  asked: GatewayRequest,
  { model, method }: { readonly model: string; readonly method: BatchMethod },
): Promise<GatewayResponse> => {
  const identity = identityOf(asked);
  checkFamily(resolveModel(service, access, model, familyOf[method]), familyOf[method]);
  const path = `/models/${model}:${method}`;
  const bytesMax = limits.bodyBytesMax.batches;
  const { value, fingerprint, release } = await readMediaJson(service, asked, { path, bytesMax, places });
  const prepare = async () => {
    const { body, metadata } = fromBatch(value, model, method);
    const wire = { name: googleBatchWire, echo: { metadata } };
    return prepareBatch(service, access, body, { model, wire });
  };
  const created = await openPreparedBatch(service, { access, identity, fingerprint, prepare, release });
  return createdAnswer(created, JSON.stringify(batchOperation(created.found)));
};

const requireBatch = async (service: Service, access: Access, id: string): Promise<FoundResource> => {
  const found = await requireResource(service, access, { kind: 'batch', id });
  if (!isShown(found)) throw new GatewayError('not_found');
  return found;
};

export const getGoogleBatch = async (
  service: Service,
  access: Access,
  { turn }: GatewayRequest,
  id: string,
): Promise<GatewayResponse> =>
  jsonAnswer(service, await batchBody({ service, found: await requireBatch(service, access, id), turn }));

/** The batches of the project without their results, page by page. */
export const listGoogleBatches = async (service: Service, access: Access, asked: GatewayRequest): Promise<string> => {
  const found = await listResources(service.engine, access.projectId, 'batch');
  const { rows, nextPageToken } = pageOf(asked, found.filter(isShown));
  return JSON.stringify({ operations: rows.map(batchOperation), nextPageToken });
};

export const cancelGoogleBatch = async (service: Service, access: Access, id: string): Promise<string> => {
  await requireBatch(service, access, id);
  await cancelResourceOf(service, access, { kind: 'batch', id });
  return '{}';
};

export const deleteGoogleBatch = async (service: Service, access: Access, id: string): Promise<string> => {
  await requireBatch(service, access, id);
  await deleteResourceOf(service, access, { kind: 'batch', id });
  return '{}';
};
