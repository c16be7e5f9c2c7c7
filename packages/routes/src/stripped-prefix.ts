import type { GatewayRequest } from './gateway-request.ts';
import type { Router } from './router.ts';
import type { Service } from './service.ts';

/**
 * Tells the operator once that requests come without the base path, as where a server or a proxy removes the prefix that the gateway
 * is mounted at. The client's own message names the whole path, which the client did send.
 */
export const createPrefixWarning = (
  { basePath, logger }: Pick<Service, 'basePath' | 'logger'>,
  router: Router,
): ((request: Pick<GatewayRequest, 'method' | 'path'>) => void) => {
  let isTold = false;
  return ({ method, path }) => {
    if (isTold || path.startsWith(`${basePath}/`) || router(method, path).kind !== 'found') return;
    isTold = true;
    logger.warn(
      `a request came without the base path ${basePath}: have the server or proxy pass on the whole path, or give createGateway the basePath that arrives`,
      { code: 'base_path_missing', method, path },
    );
  };
};
