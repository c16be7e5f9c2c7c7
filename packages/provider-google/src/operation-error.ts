import { asObject, NotExecuted, type NotExecutedReason } from '@tollgate/provider';
import { readUpstreamError, withoutKey } from './from-google-error.ts';

/** Finished work has codes of gRPC (an invalid argument, a failed precondition, out of range), or their names. */
const refusedCodes: ReadonlySet<unknown> = new Set([
  3,
  9,
  11,
  400,
  'invalid_request',
  'parameter_unknown',
  'failed_precondition',
  'out_of_range',
]);

/** Why finished work failed. What may pass elsewhere does not here: the work is over. */
export const failureReason = (error: unknown): NotExecutedReason =>
  refusedCodes.has(asObject(error)?.['code']) ? 'invalid_request' : 'failed';

/** Finished work that failed, by the upstream's own word; its text goes to the log only. */
export const failedWork = (error: unknown, apiKey: string): NotExecuted =>
  new NotExecuted({ reason: failureReason(error), cause: readUpstreamError(200, withoutKey({ error }, apiKey)) });
