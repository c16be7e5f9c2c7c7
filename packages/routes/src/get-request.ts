import { GatewayError, isResourceKind, isUuid, requestStatus } from '@tollgate/contract';
import { creditsFromMicros, findRequest, findResource, type Access, type FoundRequest } from '@tollgate/engine';
import type { OperationRecord } from '@tollgate/storage';
import type { ByteBody } from './byte-body.ts';
import { encodeUnary } from './chat/encode-completion.ts';
import { writeKeptAnswer } from './dialects/generation/settled-answer.ts';
import { isKept, readKept } from './dialects/generation/kept-answer.ts';
import { dialectOf } from './dialects/generation-dialects.ts';
import { encodeContent } from './generate/encode-content.ts';
import { jsonAnswer } from './json-answer.ts';
import type { GatewayResponse } from './gateway-request.ts';
import { resourceBody } from './resources/encode-resource.ts';
import type { Service } from './service.ts';

/** What surrounds what the original route answered. */
interface Frame {
  readonly before: string;
  readonly after: string;
}

/** What the original route returned, in its own form. */
const responseOf = (service: Service, operation: OperationRecord, body: string): string => {
  if (isKept(body)) {
    const { dialect, answer } = readKept(body);
    return writeKeptAnswer(service, dialectOf(service.dialects, dialect), operation, answer);
  }
  const encode = operation.kind === 'generate' ? encodeContent : encodeUnary;
  return encode(service.brand, operation, body);
};

// G34
/**
 * The record with what the original route answered, null until there is such an answer; of a resource that is its record. A
 * stored answer is JSON already: it is put in as it is, so that it cannot differ from the first answer.
 */
const withResponse = async (
  service: Service,
  { operation, body }: FoundRequest,
  frame: Frame,
): Promise<string | ByteBody> => {
  const { id, kind, projectId, state } = operation;
  if (isResourceKind(kind)) {
    const found = state === 'completed' ? await findResource(service.engine, projectId, kind, id) : null;
    return found === null ? `${frame.before}null${frame.after}` : resourceBody(service, found, frame);
  }
  if (body === null) return `${frame.before}null${frame.after}`;
  return `${frame.before}${responseOf(service, operation, body)}${frame.after}`;
};

// requests:get:*
/** GET /requests/{id}: the operation as it stands; never a generation. */
export const getRequest = async (service: Service, access: Access, id: string): Promise<GatewayResponse> => {
  const found = isUuid(id) ? await findRequest(service.engine, access.projectId, id) : null;
  if (found === null) throw new GatewayError('not_found');
  const { operation } = found;
  const record = JSON.stringify({
    id: operation.id,
    status: requestStatus(operation.state),
    charged_credits: creditsFromMicros(operation.chargedMicros),
    reserved_credits: creditsFromMicros(operation.holdMicros),
    error_code: operation.errorCode,
    created_at: new Date(operation.createdAtMs).toISOString(),
  });
  const frame: Frame = { before: `${record.slice(0, -1)},"response":`, after: '}' };
  return jsonAnswer(await withResponse(service, found, frame));
};
