import type { Logger } from '@tollgate/engine';
import { isCorsOrigin, type CallerHook } from '@tollgate/routes';
import type { GatewayOptions } from './gateway-options.ts';

const authenticateMsDefault = 2_000;

/** What recognises callers without a key; null where the host has nothing that does. Pages that `cors` names may send cookies. */
export const callerHookOf = (
  { authenticate, authenticateMs, cors }: GatewayOptions,
  logger: Logger,
): CallerHook | null =>
  authenticate === undefined
    ? null
    : {
        authenticate,
        timeoutMs: authenticateMs ?? authenticateMsDefault,
        allowsOrigin: (origin, requestId) =>
          cors?.credentials === true && isCorsOrigin(cors, origin, { logger, requestId }),
      };
