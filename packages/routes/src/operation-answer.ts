import type { OperationOutcome } from '@tollgate/engine';
import type { GatewayResponse } from './gateway-request.ts';

/** The JSON answer of a completed operation, with what every charged route says in its headers. */
export const operationAnswer = (
  { operation, replayed }: Extract<OperationOutcome, { kind: 'completed' }>,
  body: string,
): GatewayResponse => ({
  status: 200,
  headers: {
    'content-type': 'application/json',
    'cache-control': 'no-store',
    'x-request-id': operation.id,
    'idempotency-replayed': String(replayed),
  },
  body,
});
