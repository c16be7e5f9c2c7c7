import { GatewayError, type RouteId } from '@tollgate/contract';
import { callerOf, type Access, type AuthenticateAnswer } from '@tollgate/engine';
import { isOwnCredential } from '@tollgate/engine/access/callers';
import { checkRate } from './ask-limiter.ts';
import { askHost, type UnknownCaller } from './callers/ask-host.ts';
import { checkTokenUse } from './check-token-use.ts';
import type { GatewayRequest } from './gateway-request.ts';
import type { Service } from './service.ts';

const bearer = /^bearer +(\S+)$/i;

/**
 * Who calls, or the error of the contract. `opening` may trust what was read a moment ago, as opening the operation checks
 * access again in its own step.
 */
export const authenticate = (
  service: Service,
  request: GatewayRequest,
  route: RouteId,
  purpose: 'query' | 'opening',
): Access | Promise<Access> => {
  const key = bearer.exec(request.header('authorization') ?? '')?.[1] ?? null;
  const admitting = admit(service, request, { key, route, purpose });
  return admitting instanceof Promise
    ? admitting.then((access) => admitted(service, request, route, access))
    : admitted(service, request, route, admitting);
};

const admitted = (service: Service, { id: requestId }: GatewayRequest, route: RouteId, access: Access): Access => {
  if (requestId === undefined) return access;
  service.engine.host.observe?.({ kind: 'request_admitted', requestId, route, caller: callerOf(access) });
  return { ...access, requestId };
};

/** A request, or one that opens a socket, as far as it says who sends it. */
export type Credentials = Pick<GatewayRequest, 'id' | 'method' | 'path' | 'query' | 'origin' | 'raw' | 'header'> & {
  headers?(): Headers;
};

export interface Asked {
  /** A key, a token, or what only the host knows; null where the request brings none. */
  readonly key: string | null;
  readonly route: RouteId;
  readonly purpose: 'query' | 'opening';
}

/** Who sends a request with a credential that need not have come in a header. */
export const admit = (service: Service, request: Credentials, asked: Asked): Access | Promise<Access> => {
  const { key, purpose } = asked;
  const { callerHook } = service;
  if (callerHook !== null && (key === null || !isOwnCredential(key)))
    return askHost(service, callerHook, { ...questionOf(service, request), purpose }).then((access) =>
      rated(service, request, asked, access),
    );
  const answering = answerToKey(service, key, purpose);
  return answering instanceof Promise
    ? answering.then((answer) => rated(service, request, asked, accessIn(answer)))
    : rated(service, request, asked, accessIn(answering));
};

const rated = (service: Service, request: Credentials, { route }: Asked, access: Access): Access | Promise<Access> => {
  checkTokenUse(access, route, request.header('origin'));
  const rating = checkRate(service, { access, requestId: request.id, route });
  return rating === undefined ? access : rating.then(() => access);
};

const answerToKey = (
  { engine: { access } }: Service,
  key: string | null,
  purpose: Asked['purpose'],
): AuthenticateAnswer | Promise<AuthenticateAnswer> => {
  if (key === null) throw new GatewayError('invalid_api_key');
  return purpose === 'opening' ? access.authenticateForOpening(key) : access.authenticate(key);
};

const accessIn = (answer: AuthenticateAnswer): Access => {
  if (answer.kind === 'refused') throw new GatewayError(answer.code);
  return answer.access;
};

/** What is looked for where a server gives no other headers. */
const usualHeaders = ['authorization', 'cookie', 'host', 'origin', 'user-agent', 'x-forwarded-host'];

const headersOf = (request: Credentials): Headers => {
  const given = request.headers?.();
  if (given !== undefined) return given;
  const named = usualHeaders.flatMap((name) => {
    const value = request.header(name);
    return value === null ? [] : [[name, value] satisfies [string, string]];
  });
  return new Headers(named);
};

/** What the host is asked about a request without a credential of this service. */
const questionOf = (
  { newRequestId }: Pick<Service, 'newRequestId'>,
  request: Credentials,
): Omit<UnknownCaller, 'purpose'> => {
  const { id: requestId = newRequestId(), method, path, query, raw, origin: ownOrigin = null } = request;
  return { question: { requestId, method, path, query, headers: headersOf(request), raw }, ownOrigin };
};
