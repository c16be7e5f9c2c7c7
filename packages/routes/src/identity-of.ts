import { parseIdempotencyKey } from '@tollgate/contract';
import type { GatewayRequest } from './gateway-request.ts';

/** The request's Idempotency-Key, or null where it brings none (idempotency:header:*). */
export const identityOf = (request: GatewayRequest): string | null => {
  const header = request.header('idempotency-key');
  return header === null ? null : parseIdempotencyKey(header);
};
