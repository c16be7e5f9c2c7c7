import { NotExecuted } from '@tollgate/provider';

/** Ends a call that the adapter or its model cannot carry: 422 for the client, `why` for the log. */
export const refuse = (why: string): never => {
  throw new NotExecuted({ reason: 'invalid_request', cause: why });
};
