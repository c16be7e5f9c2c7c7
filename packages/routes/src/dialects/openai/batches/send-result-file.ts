import { errorTable, GatewayError, isErrorCode } from '@tollgate/contract';
import type { Access, FoundResource } from '@tollgate/engine';
import type { GatewayRequest, GatewayResponse } from '../../../gateway-request.ts';
import { jsonAnswer } from '../../../json-answer.ts';
import { requireResource } from '../../../resources/resource-queries.ts';
import type { Service } from '../../../service.ts';
import { linesAnswer, linesBody, type Lines } from '../../batches/lines-body.ts';
import { resultItems, type ItemResult, type ReadBatch } from '../../batches/result-items.ts';
import { batchObject, isFileBatch } from './batch-object.ts';
import { resultFileId, type ResultFile } from './result-file.ts';

const partOf = ({ status }: ItemResult): ResultFile['part'] => (status === 'completed' ? 'output' : 'errors');

/** How a request ended, as its own route would have reported it. */
const outcomeOf = (requestId: string, result: ItemResult): object => {
  switch (result.status) {
    case 'completed':
      return { response: { status_code: 200, request_id: requestId, body: result.response }, error: null };
    case 'failed': {
      const { code, message } = result;
      const status_code = isErrorCode(code) ? errorTable[code].status : errorTable.request_failed.status;
      return { response: { status_code, request_id: requestId, body: { error: { code, message } } }, error: null };
    }
    case 'cancelled':
      return {
        response: null,
        error: { code: 'batch_cancelled', message: 'The batch was cancelled before this request began.' },
      };
  }
};

const lineOf = ({ operation }: FoundResource, result: ItemResult): object => ({
  id: `batch_req_${operation.id}_${result.key}`,
  custom_id: result.key,
  ...outcomeOf(operation.id, result),
});

const linesOf = (read: ReadBatch, { part }: ResultFile): Lines =>
  async function* () {
    for await (const result of resultItems(read)) if (partOf(result) === part) yield lineOf(read.found, result);
  };

const noFile = (): GatewayError =>
  new GatewayError('not_found', {
    detail: 'There is no such file of results; a batch names its files when it has ended.',
  });

/** The batch of a file of results, if it has that file. */
const requireResults = async (service: Service, access: Access, file: ResultFile): Promise<FoundResource> => {
  const found = await requireResource(service, access, { kind: 'batch', id: file.batchId });
  if (!isFileBatch(found) || found.resource.availability === 'deleted') throw noFile();
  const { output_file_id: output, error_file_id: errors } = batchObject(found);
  if (resultFileId(file) !== (file.part === 'output' ? output : errors)) throw noFile();
  return found;
};

const linesMimeType = 'application/jsonl';

/** GET /files/{id}/content of results: a line for each request, in the order sent. */
export const sendResultFile = async (
  service: Service,
  access: Access,
  { turn }: GatewayRequest,
  file: ResultFile,
): Promise<GatewayResponse> => {
  const found = await requireResults(service, access, file);
  return linesAnswer(await linesBody(linesOf({ service, found, turn }, file)), linesMimeType);
};

/** When it was made and that it can be read, as the client that asks reads it of every file. */
const readiness = ({ operation }: FoundResource, dialect: GatewayRequest['dialect']) => {
  const madeAtMs = operation.endedAtMs ?? operation.createdAtMs;
  return dialect === 'openai'
    ? { created_at: Math.floor(madeAtMs / 1_000), status: 'processed' }
    : { created_at: new Date(madeAtMs).toISOString(), status: 'active' };
};

/** GET /files/{id} of results. */
export const getResultFile = async (
  service: Service,
  access: Access,
  { dialect, turn }: GatewayRequest,
  file: ResultFile,
): Promise<GatewayResponse> => {
  const found = await requireResults(service, access, file);
  const { sizeBytes } = await linesBody(linesOf({ service, found, turn }, file));
  return jsonAnswer(
    JSON.stringify({
      id: resultFileId(file),
      object: 'file',
      bytes: sizeBytes,
      filename: `batch_${file.batchId}_${file.part}.jsonl`,
      mime_type: linesMimeType,
      purpose: 'batch_output',
      ...readiness(found, dialect),
    }),
  );
};

/** DELETE /files/{id} of results: they belong to their batch. */
export const keepResultFile = (): never => {
  throw new GatewayError('unsupported_parameter', {
    detail: 'A file of results is a part of its batch; accepted is DELETE of the batch, which deletes both.',
  });
};
