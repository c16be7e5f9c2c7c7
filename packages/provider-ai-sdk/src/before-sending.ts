import { isNotExecuted, NotExecuted } from '@tollgate/provider';
import { fromCallError } from './from-sdk-error.ts';

/** Runs what comes before a call is sent. Whatever goes wrong there, nothing was executed. */
export const beforeSending = async <Prepared>(prepare: () => Promise<Prepared>): Promise<Prepared> => {
  try {
    return await prepare();
  } catch (cause) {
    const { failure } = fromCallError(cause, 0);
    throw isNotExecuted(failure) ? failure : new NotExecuted({ reason: 'unavailable', cause });
  }
};
