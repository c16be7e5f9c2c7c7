import { GatewayError, type RouteId } from '@tollgate/contract';
import type { Access } from '@tollgate/engine';
import type { GatewayRequest } from './gateway-request.ts';
import type { Service } from './service.ts';

const bearer = /^bearer +(\S+)$/i;

const callerKey = (request: GatewayRequest): string => {
  const match = bearer.exec(request.header('authorization') ?? '');
  const key = match?.[1];
  if (key === undefined) throw new GatewayError('invalid_api_key');
  return key;
};

const checkRate = async (service: Service, access: Access, route: RouteId): Promise<void> => {
  if (service.limiter === null) return;
  const { keyId, projectId, accountId } = access;
  const answer = await service.limiter({ keyId, projectId, accountId, route });
  if (answer.kind === 'limited') throw new GatewayError('rate_limited', { retryAfterMs: answer.retryAfterMs });
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
  const key = callerKey(request);
  const { directory } = service.engine;
  const answer = await (purpose === 'opening' ? directory.authenticateForOpening(key) : directory.authenticate(key));
  if (answer.kind === 'refused') throw new GatewayError(answer.code);
  await checkRate(service, answer.access, route);
  return answer.access;
};
