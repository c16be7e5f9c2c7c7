import { errorTable, isRecord, type ErrorCode, type GatewayError } from '@tollgate/contract';
import { withoutApiKeys } from '@tollgate/engine';
import type { GatewayResponse } from '../../gateway-request.ts';
import { present } from '../../present.ts';

/** The status and the type by which these clients know an error, for each status of the contract. */
const forms: ReadonlyMap<number, readonly [status: number, type: string]> = new Map([
  [401, [401, 'authentication_error']],
  [402, [402, 'billing_error']],
  [403, [403, 'permission_error']],
  [404, [404, 'not_found_error']],
  [405, [405, 'invalid_request_error']],
  [409, [409, 'conflict_error']],
  [413, [413, 'request_too_large']],
  [416, [416, 'invalid_request_error']],
  [429, [429, 'rate_limit_error']],
  [499, [499, 'api_error']],
  [502, [500, 'api_error']],
  [503, [529, 'overloaded_error']],
]);

/** Every other status says that the request itself is at fault. */
const formOf = (status: number): readonly [number, string] => forms.get(status) ?? [400, 'invalid_request_error'];

interface ToldError {
  readonly status: number;
  readonly message: string;
  /** Null where the route of the contract reports a message alone. */
  readonly code: string | null;
  readonly requestId: string | null;
}

/** The code of the contract stands beside the message: these clients do not read it, and people do. */
const objectOf = ({ status, message, code, requestId }: ToldError) => ({
  type: 'error',
  error: { type: formOf(status)[1], message, code: code ?? undefined },
  request_id: requestId === null ? null : `req_${requestId}`,
});

/** An error as a part of a response. */
export const anthropicErrorObject = ({ code, message, requestId }: GatewayError): object =>
  objectOf({
    status: errorTable[code].status,
    message: withoutApiKeys(message),
    code,
    requestId: requestId ?? null,
  });

/** An error as the last event of a stream. */
export const anthropicErrorBody = (error: GatewayError): string => JSON.stringify(anthropicErrorObject(error));

const readError = (status: number, body: string, requestId: string | null): ToldError => {
  const parsed: unknown = JSON.parse(body);
  const error = isRecord(parsed) ? parsed['error'] : undefined;
  if (!isRecord(error)) return { status, message: String(error), code: null, requestId };
  return { status, message: String(error['message']), code: String(error['code']), requestId };
};

/** Clients repeat these, and the same key is refused again: they are asked not to. */
const finalCodes: ReadonlySet<string> = new Set<ErrorCode>(['invalid_api_key', 'ai_key_inactive']);

/** A refusal of the contract in the form of this dialect. */
export const toAnthropicError = (answer: GatewayResponse, body: string): GatewayResponse => {
  const requestId = answer.headers['x-request-id'] ?? null;
  const error = readError(answer.status, body, requestId);
  return {
    ...answer,
    status: formOf(answer.status)[0],
    headers: {
      ...present('x-should-retry', error.code !== null && finalCodes.has(error.code) ? 'false' : null),
      ...answer.headers,
      ...present('request-id', requestId === null ? null : `req_${requestId}`),
    },
    body: JSON.stringify(objectOf(error)),
  };
};
