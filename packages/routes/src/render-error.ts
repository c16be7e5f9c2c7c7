import { errorTable, isGatewayError, type GatewayError, type Route } from '@tollgate/contract';
import { GatewayError as GatewayErrorClass } from '@tollgate/contract';
import { isStorageBusy, withoutApiKeys } from '@tollgate/engine';
import type { GatewayRequest, GatewayResponse } from './gateway-request.ts';
import { repeatHeaders } from './repeat-advice.ts';
import type { Service } from './service.ts';

/** The error object of the contract as JSON text, which leaves out what is undefined. */
export const errorText = ({ code, message, requestId, param }: GatewayError): string =>
  JSON.stringify({
    error: { code, message: withoutApiKeys(message), request_id: requestId, param: param && withoutApiKeys(param) },
  });

const errorBody = (error: GatewayError, form: Route['errorForm']): string => {
  if (form === 'text') return JSON.stringify({ error: withoutApiKeys(error.message) });
  return errorText(error);
};

interface KnownError {
  readonly error: GatewayError;
  /** False for an unexpected failure: what ran before it is not known, and nothing is said of a repeat. */
  readonly isForeseen: boolean;
}

/** What is known is reported; what is not is 503 without a word of it, and logged with its cause. */
const toKnownError = (service: Service, requestId: string, cause: unknown): KnownError => {
  if (isGatewayError(cause)) return { error: cause, isForeseen: true };
  if (isStorageBusy(cause)) return { error: new GatewayErrorClass('service_unavailable'), isForeseen: true };
  service.logger.error('a request failed unexpectedly', { requestId, cause });
  return { error: new GatewayErrorClass('service_unavailable'), isForeseen: false };
};

export interface ErrorForm {
  readonly form: Route['errorForm'];
  readonly headers?: Readonly<Record<string, string>>;
}

const advise = (request: GatewayRequest, { code, requestId, retryAfterMs }: GatewayError) =>
  repeatHeaders({
    code,
    isRegistered: requestId !== undefined,
    isIdentified: request.header('idempotency-key') !== null,
    retryAfterMs,
  });

/** The one place where an error becomes an answer. */
export const renderError = (
  service: Service,
  request: GatewayRequest,
  thrown: unknown,
  { form, headers }: ErrorForm,
): GatewayResponse => {
  const requestId = request.id ?? service.newRequestId();
  const { error, isForeseen } = toKnownError(service, requestId, thrown);
  service.engine.host.observe?.({ kind: 'request_refused', requestId, code: error.code });
  return {
    status: errorTable[error.code].status,
    headers: {
      'content-type': 'application/json',
      'cache-control': 'no-store',
      'x-request-id': error.requestId ?? requestId,
      ...headers,
      ...(isForeseen ? advise(request, error) : {}),
    },
    body: errorBody(error, form),
  };
};
