import { errorTable, isGatewayError, type GatewayError, type Route } from '@tollgate/contract';
import { GatewayError as GatewayErrorClass } from '@tollgate/contract';
import { isStorageBusy } from '@tollgate/engine';
import type { GatewayResponse } from './gateway-request.ts';
import type { Service } from './service.ts';

/** Statuses on which client libraries try again by themselves, without an identity and so with a second charge. */
const retriedByClients = new Set([409, 502, 503]);

const errorBody = (error: GatewayError, form: Route['errorForm']): string => {
  if (form === 'text') return JSON.stringify({ error: error.message });
  const { code, message, requestId } = error;
  return JSON.stringify({ error: { code, message, ...(requestId === undefined ? {} : { request_id: requestId }) } });
};

/** What is known is told; what is not is 503 without a word of it, and logged with its cause. */
const toGatewayError = (service: Service, cause: unknown): GatewayError => {
  if (isGatewayError(cause)) return cause;
  if (isStorageBusy(cause)) return new GatewayErrorClass('service_unavailable', { retryAfterMs: 1_000 });
  service.logger.error('a request failed unexpectedly', { cause });
  return new GatewayErrorClass('service_unavailable');
};

/** The one place where an error becomes an answer. */
export const renderError = (
  service: Service,
  thrown: unknown,
  form: Route['errorForm'],
  more: Readonly<Record<string, string>> = {},
): GatewayResponse => {
  const error = toGatewayError(service, thrown);
  const { status } = errorTable[error.code];
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    'cache-control': 'no-store',
    'x-request-id': error.requestId ?? service.newRequestId(),
    ...more,
  };
  if (error.retryAfterMs !== undefined)
    headers['retry-after'] = String(Math.max(1, Math.ceil(error.retryAfterMs / 1_000)));
  if (error.requestId !== undefined && retriedByClients.has(status)) headers['x-should-retry'] = 'false';
  return { status, headers, body: errorBody(error, form) };
};
