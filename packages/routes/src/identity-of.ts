import { parseIdempotencyKey } from '@tollgate/contract';
import type { GatewayRequest } from './gateway-request.ts';

// idempotency:header:*
/** The request's Idempotency-Key, or null where it brings none. */
export const identityOf = (request: GatewayRequest): string | null => {
  const header = request.header('idempotency-key');
  return header === null ? null : parseIdempotencyKey(header);
};
