import type { ErrorCode, OperationState } from '@tollgate/contract';

/**
 * Why what needs a completed operation cannot go on from one in this state, a repeat of its request included; null where it can.
 * Only what is in progress is worth waiting for. An absent operation may be about to be registered.
 */
export const refuseUnfinished = (state: OperationState | undefined): ErrorCode | null => {
  switch (state) {
    case 'completed':
      return null;
    case 'failed':
      return 'previous_request_failed';
    case 'uncertain':
      return 'settlement_pending';
    case undefined:
    case 'preparing':
    case 'reserved':
    case 'processing':
    case 'cancelling':
    case 'settling':
      return 'request_in_progress';
  }
};
