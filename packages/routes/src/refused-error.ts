import { GatewayError } from '@tollgate/contract';
import type { OperationOutcome } from '@tollgate/engine';

/** What became of an operation that gave no answer, as the error its caller gets. */
export const refusedError = (outcome: Extract<OperationOutcome, { kind: 'refused' }>): GatewayError =>
  new GatewayError(outcome.code, {
    ...(outcome.requestId === null ? {} : { requestId: outcome.requestId }),
    ...(outcome.retryAfterMs === null ? {} : { retryAfterMs: outcome.retryAfterMs }),
  });
