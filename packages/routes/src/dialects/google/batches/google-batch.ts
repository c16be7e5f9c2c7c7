import { GatewayError, limits } from '@tollgate/contract';
import { listResources, type Access, type FoundResource, type ResourcePlan } from '@tollgate/engine';
import { prepareBatch } from '../../../batches/plan-batch.ts';
import { openPreparedBatch } from '../../../batches/create-batch.ts';
import type { GatewayRequest, GatewayResponse } from '../../../gateway-request.ts';
import { identityOf } from '../../../identity-of.ts';
import { jsonAnswer } from '../../../json-answer.ts';
import { readMediaJson } from '../../../media-json/read-media-json.ts';
import { createdAnswer, type CreatedResource } from '../../../resources/create-resource-answer.ts';
import { cancelResourceOf, deleteResourceOf, requireResource } from '../../../resources/resource-queries.ts';
import { checkFamily, resolveModel } from '../../../resolve-model.ts';
import type { Service } from '../../../service.ts';
import { linesAnswer, linesBody } from '../../batches/lines-body.ts';
import { openFileBatch } from '../../batches/open-file-batch.ts';
import { present } from '../../../present.ts';
import { batchBody, batchOperation, googleBatchWire, isOfFile, isShown, responseLines } from './batch-operation.ts';
import { pageOf } from '../page-of.ts';
import { batchLineForm, fromBatch, type BatchMethod, type BatchOfFile } from './to-batch-body.ts';

const request = 'batch.inputConfig.requests.requests.*.request';
const places = [`${request}.contents.*.parts.*.inlineData.data`, `${request}.content.parts.*.inlineData.data`];

const familyOf = { batchGenerateContent: 'generate', asyncBatchEmbedContent: 'embeddings' } as const;

const readOrRelease = async <T>(read: () => T, release: () => Promise<void>): Promise<T> => {
  try {
    return read();
  } catch (cause) {
    await release();
    throw cause;
  }
};

interface AskedOfFile extends Pick<ResourcePlan, 'identity' | 'fingerprint'>, BatchOfFile {
  readonly access: Access;
  readonly model: string;
  readonly method: BatchMethod;
}

/** Opens the batch of a file: its responses are a file, too. */
const openOfFile = (
  service: Service,
  asked: GatewayRequest,
  { displayName, method, ...named }: AskedOfFile,
): Promise<CreatedResource> => {
  const { access, model, fileId } = named;
  return openFileBatch({ service, access }, asked, {
    ...named,
    form: batchLineForm(model, method),
    prepare: (sent) =>
      prepareBatch(
        service,
        access,
        { ...present('display_name', displayName), requests: sent.map(({ key, body }) => ({ key, request: body })) },
        {
          model,
          wire: { name: googleBatchWire, echo: { file: `files/${fileId}` } },
          whereOf: (place) => sent[place]?.where ?? '',
          snakeCase: true,
        },
      ),
  });
};

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
  const named = { access, identity, fingerprint };
  const read = await readOrRelease(() => fromBatch(value, model, method), release);
  if ('fileId' in read) await release();
  const created = await ('fileId' in read
    ? openOfFile(service, asked, { ...named, ...read, model, method })
    : openPreparedBatch(service, {
        ...named,
        prepare: () => {
          const wire = { name: googleBatchWire, echo: { metadata: read.metadata } };
          return prepareBatch(service, access, read.body, { model, wire });
        },
        release,
      }));
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
  jsonAnswer(await batchBody({ service, found: await requireBatch(service, access, id), turn }));

/** The batches of the project without their results, page by page. */
export const listGoogleBatches = async (service: Service, access: Access, asked: GatewayRequest): Promise<string> => {
  const found = await listResources(service.engine, access.projectId, 'batch');
  const { rows, nextPageToken } = pageOf(asked, found.filter(isShown));
  return JSON.stringify({ operations: rows.map(batchOperation), nextPageToken });
};

/** The file of the responses of a batch, which is written when it is read. */
export const sendBatchResponses = async (
  service: Service,
  access: Access,
  { turn }: GatewayRequest,
  id: string,
): Promise<GatewayResponse> => {
  const found = await requireBatch(service, access, id);
  if (!isOfFile(found) || found.operation.state !== 'completed')
    throw new GatewayError('not_found', {
      detail: 'There is no such file of responses; a batch of a file names its own when it has ended.',
    });
  return linesAnswer(await linesBody(responseLines({ service, found, turn })), 'application/jsonl');
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
