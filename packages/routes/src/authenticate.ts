import { GatewayError, type RouteId } from '@tollgate/contract';
import { callerOf, type Access } from '@tollgate/engine';
import { checkRate } from './ask-limiter.ts';
import { checkTokenUse } from './check-token-use.ts';
import type { GatewayRequest } from './gateway-request.ts';
import type { Service } from './service.ts';

const bearer = /^bearer +(\S+)$/i;

const callerKey = (request: GatewayRequest): string => {
  const match = bearer.exec(request.header('authorization') ?? '');
  const key = match?.[1];
  if (key === undefined) throw new GatewayError('invalid_api_key');
  return key;
};

/**
 * Who calls, or the error of the contract. `opening` may trust what was read a moment ago, as opening the operation checks
 * access again in its own step.
 */
export const authenticate = async (
  service: Service,
  request: GatewayRequest,
  route: RouteId,
  purpose: 'query' | 'opening',
): Promise<Access> => {
  const access = await authenticateKey(
    service,
    { key: callerKey(request), origin: request.header('origin'), requestId: request.id },
    route,
    purpose,
  );
  const { id: requestId } = request;
  if (requestId === undefined) return access;
  service.engine.host.observe?.({ kind: 'request_admitted', requestId, route, caller: callerOf(access) });
  return { ...access, requestId };
};

/** A key or a token, and where it came from. */
interface Credential {
  readonly key: string;
  /** The origin of the page that sends it; null where the request names none. */
  readonly origin: string | null;
  readonly requestId?: string | undefined;
}

/** The same of a key that did not come in a header. */
export const authenticateKey = async (
  service: Service,
  { key, origin, requestId }: Credential,
  route: RouteId,
  purpose: 'query' | 'opening',
): Promise<Access> => {
  const { access } = service.engine;
  const answer = await (purpose === 'opening' ? access.authenticateForOpening(key) : access.authenticate(key));
  if (answer.kind === 'refused') throw new GatewayError(answer.code);
  checkTokenUse(answer.access, route, origin);
  await checkRate(service, { ...answer.access, requestId }, route);
  return answer.access;
};
