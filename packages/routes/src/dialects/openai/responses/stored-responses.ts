import { cameAs, GatewayError, isRecord, isUuid, type JsonRecord } from '@tollgate/contract';
import { cancelResource, findRequest, forgetAnswer, type Access, type FoundResource } from '@tollgate/engine';
import type { OperationRecord } from '@tollgate/storage';
import type { GatewayRequest, GatewayResponse } from '../../../gateway-request.ts';
import { jsonAnswer } from '../../../json-answer.ts';
import { deleteResourceOf } from '../../../resources/resource-queries.ts';
import type { Service } from '../../../service.ts';
import { streamHeaders } from '../../../stream-in-time.ts';
import { findCarried, type FoundCarried } from '../../generation/find-carried.ts';
import { followCarried } from '../../generation/follow-carried.ts';
import { writeFound } from '../../generation/write-carried.ts';
import { settledOf } from '../../generation/settled-answer.ts';
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

const findInBackground = (service: Service, { projectId }: Access, id: string): Promise<FoundCarried | null> =>
  findCarried(service, projectId, { id: operationIdOf(id), dialect: responses.name });

const requireWritten = async (service: Service, found: FoundResource): Promise<string> => {
  const written = await writeFound(service, responses, found);
  if (written === null) throw notFound();
  return written;
};

/** Images are made by operations of generateContent, where their model serves no chat. */
const isOfResponse = ({ kind }: OperationRecord): boolean => kind === 'chat' || kind === 'generate';

/** `GET /responses/{id}`: the response as it stands. Never a generation. */
export const getResponse = async (service: Service, access: Access, id: string): Promise<GatewayResponse> => {
  const stored = await findStored(service, access, id);
  if (stored !== null) {
    const settled = settledOf(service, stored.operation, stored.answer);
    return jsonAnswer(JSON.stringify(endedResponse(stored.head, settled)));
  }
  const carried = await findInBackground(service, access, id);
  if (carried !== null) return jsonAnswer(await requireWritten(service, carried.found));
  const operationId = operationIdOf(id);
  const found = isUuid(operationId) ? await findRequest(service.engine, access.projectId, operationId) : null;
  if (found === null || !isOfResponse(found.operation) || found.operation.state === 'completed') throw notFound();
  return jsonAnswer(JSON.stringify(withoutAnswer(found.operation)));
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
  const carried = await findInBackground(service, access, id);
  const { head } = carried === null ? await requireStored(service, access, id) : carried.carried;
  const inputs = head.echo['inputs'];
  if (!Array.isArray(inputs)) throw notFound();
  const items = inputs.filter(isRecord).map((item, index) => withId(item, head.id, index));
  return jsonAnswer(JSON.stringify(listPage<{ readonly id?: unknown }>(items.toReversed(), request.query)));
};

const notInBackground = (): GatewayError =>
  new GatewayError('invalid_request', {
    detail: 'The response was not created with background: true; accepted is the id of one that was.',
  });

/**
 * `GET /responses/{id}?stream=true`: the events of a response in the background from their beginning, or behind the one that
 * `starting_after` numbers.
 */
export const streamResponse = async (
  service: Service,
  access: Access,
  request: GatewayRequest,
  id: string,
): Promise<GatewayResponse> => {
  const carried = await findInBackground(service, access, id);
  if (carried === null) {
    await getResponse(service, access, id);
    throw notInBackground();
  }
  const after = new URLSearchParams(request.query).get('starting_after') ?? '-1';
  if (!/^(?:-1|\d{1,9})$/.test(after))
    throw new GatewayError('invalid_request', {
      detail: `The field starting_after ${cameAs(after, false)}; accepted is the sequence_number of an event.`,
    });
  const following = { service, access, dialect: responses, skipped: Number(after) + 1 };
  const headers = streamHeaders(carried.found.operation.id, false);
  return { status: 200, headers, body: await followCarried(following, carried.found) };
};

const deletedAnswer = ({ id }: OperationRecord): GatewayResponse =>
  jsonAnswer(JSON.stringify({ id: responseId(id), object: 'response', deleted: true }));

const deleteCarried = async (service: Service, access: Access, { found }: FoundCarried): Promise<GatewayResponse> => {
  await deleteResourceOf(service, access, { kind: 'interaction', id: found.resource.id });
  return deletedAnswer(found.operation);
};

/** `DELETE /responses/{id}`: the content goes, the record of what was paid stays. */
export const deleteResponse = async (service: Service, access: Access, id: string): Promise<GatewayResponse> => {
  const carried = await findInBackground(service, access, id);
  if (carried !== null) return deleteCarried(service, access, carried);
  const { operation } = await requireStored(service, access, id);
  await forgetAnswer(service.engine, operation);
  return deletedAnswer(operation);
};

/** `POST /responses/{id}/cancel`: asks for the end of a response in the background. What came until then is charged, and shown. */
export const cancelResponse = async (service: Service, access: Access, id: string): Promise<GatewayResponse> => {
  const carried = await findInBackground(service, access, id);
  if (carried?.carried.head.echo['background'] !== true) {
    await getResponse(service, access, id);
    throw notInBackground();
  }
  const { resource } = carried.found;
  const found = await cancelResource(service.engine, access.projectId, 'interaction', resource.id);
  if (found === null) throw notFound();
  return jsonAnswer(await requireWritten(service, found));
};

const counted = { ...responses, path: '/responses/input_tokens' };

/** `POST /responses/input_tokens`. Free of charge. */
export const countInputTokens = async (
  service: Service,
  access: Access,
  request: GatewayRequest,
): Promise<GatewayResponse> => {
  const tokens = await countGeneration({ service, access, request, dialect: counted });
  return jsonAnswer(JSON.stringify({ object: 'response.input_tokens', input_tokens: tokens }));
};
