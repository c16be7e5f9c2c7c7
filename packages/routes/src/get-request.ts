import { GatewayError, requestStatus } from '@tollgate/contract';
import { creditsFromMicros, findRequest, type Access } from '@tollgate/engine';
import { encodeUnary } from './chat/encode-completion.ts';
import { encodeContent } from './generate/encode-content.ts';
import { jsonAnswer } from './json-answer.ts';
import type { GatewayResponse } from './gateway-request.ts';
import type { Service } from './service.ts';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** GET /requests/{id}: the operation as it stands; never a generation (requests:get:*). */
export const getRequest = async (service: Service, access: Access, id: string): Promise<GatewayResponse> => {
  const found = uuid.test(id) ? await findRequest(service.engine, access.projectId, id) : null;
  if (found === null) throw new GatewayError('not_found');
  const { operation, body } = found;
  const record = JSON.stringify({
    id: operation.id,
    status: requestStatus(operation.state),
    charged_credits: creditsFromMicros(operation.chargedMicros),
    reserved_credits: creditsFromMicros(operation.holdMicros),
    error_code: operation.errorCode,
    created_at: new Date(operation.createdAtMs).toISOString(),
  });
  // The stored answer is JSON already: it is put in as it is, so that it cannot differ from the first answer.
  const encode = operation.kind === 'generate' ? encodeContent : encodeUnary;
  const response = body === null ? 'null' : encode(service.brand, operation, body);
  return jsonAnswer(service, `${record.slice(0, -1)},"response":${response}}`);
};
