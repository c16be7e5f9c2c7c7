import { GatewayError, isRecord, isUuid, type JsonRecord } from '@tollgate/contract';
import { findRequest, forgetAnswer, type Access } from '@tollgate/engine';
import type { OperationRecord } from '@tollgate/storage';
import type { GatewayRequest, GatewayResponse } from '../../../gateway-request.ts';
import { jsonAnswer } from '../../../json-answer.ts';
import type { Service } from '../../../service.ts';
import { settledOf } from '../../generation/create-generation.ts';
import { answerHead, findKept, type KeptOperation } from '../../generation/find-kept.ts';
import { countGeneration } from '../../generation/count-generation.ts';
import { listPage } from '../list-page.ts';
import { itemId } from './response-items.ts';
import { endedResponse, openResponse, operationIdOf, responseHead, responseId } from './response-object.ts';
import { responses } from './responses.ts';

const notFound = (): GatewayError =>
  new GatewayError('not_found', { detail: 'There is no such response in this project, or it is not stored any more.' });

const findStored = (service: Service, { projectId }: Access, id: string): Promise<KeptOperation | null> =>
  findKept(service, projectId, { id: operationIdOf(id), dialect: responses.name });

const requireStored = async (service: Service, access: Access, id: string): Promise<KeptOperation> => {
  const found = await findStored(service, access, id);
  if (found === null) throw notFound();
  return found;
};

/** An operation without an answer: it goes on, its outcome is not known yet, or it failed. */
const withoutAnswer = (operation: OperationRecord): object => {
  const head = answerHead(operation, {});
  if (operation.state !== 'failed') return openResponse(head);
  const error = { code: 'server_error', message: `The request failed: ${operation.errorCode ?? 'request_failed'}.` };
  return { ...responseHead(head), status: 'failed', error, incomplete_details: null, output: [], usage: null };
};

/** `GET /responses/{id}`: the response as it stands. Never a generation. */
export const getResponse = async (service: Service, access: Access, id: string): Promise<GatewayResponse> => {
  const stored = await findStored(service, access, id);
  if (stored !== null) {
    const settled = settledOf(service, stored.operation, stored.answer);
    return jsonAnswer(service, JSON.stringify(endedResponse(stored.head, settled)));
  }
  const operationId = operationIdOf(id);
  const found = isUuid(operationId) ? await findRequest(service.engine, access.projectId, operationId) : null;
  if (found === null || found.operation.kind !== 'chat' || found.operation.state === 'completed') throw notFound();
  return jsonAnswer(service, JSON.stringify(withoutAnswer(found.operation)));
};

/** Items of a request have ids of their own here, as their clients need not send any. */
const withId = (item: JsonRecord, operationId: string, index: number): object => ({
  id: `in_${itemId({ id: operationId }, 'message', index)}`,
  ...item,
});

/** `GET /responses/{id}/input_items`: what the request said, page by page; the last item first unless `order=asc`. */
export const listInputItems = async (
  service: Service,
  access: Access,
  request: GatewayRequest,
  id: string,
): Promise<GatewayResponse> => {
  const { operation, head } = await requireStored(service, access, id);
  const inputs = head.echo['inputs'];
  if (!Array.isArray(inputs)) throw notFound();
  const items = inputs.filter(isRecord).map((item, index) => withId(item, operation.id, index));
  return jsonAnswer(service, JSON.stringify(listPage<{ readonly id?: unknown }>(items.toReversed(), request.query)));
};

/** `DELETE /responses/{id}`: the content goes, the record of what was paid stays. */
export const deleteResponse = async (service: Service, access: Access, id: string): Promise<GatewayResponse> => {
  const { operation } = await requireStored(service, access, id);
  await forgetAnswer(service.engine, operation);
  return jsonAnswer(service, JSON.stringify({ id: responseId(operation.id), object: 'response', deleted: true }));
};

/** `POST /responses/{id}/cancel`: only a response in the background can be cancelled, and this gateway has none. */
export const cancelResponse = async (service: Service, access: Access, id: string): Promise<GatewayResponse> => {
  await getResponse(service, access, id);
  throw new GatewayError('invalid_request', {
    detail: 'The response was not created with background: true; accepted is the id of one that was.',
  });
};

const counted = { ...responses, path: '/responses/input_tokens' };

/** `POST /responses/input_tokens`. Free of charge. */
export const countInputTokens = async (
  service: Service,
  access: Access,
  request: GatewayRequest,
): Promise<GatewayResponse> => {
  const tokens = await countGeneration({ service, access, request, dialect: counted });
  return jsonAnswer(service, JSON.stringify({ object: 'response.input_tokens', input_tokens: tokens }));
};
