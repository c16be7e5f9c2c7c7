import { NotExecuted, type CallField } from '@tollgate/provider';

/** Ends a call that the adapter or its model cannot carry, before anything is sent: `why` is for the log, the client gets the field. */
export const refuse = (why: string, field?: CallField): never => {
  throw new NotExecuted({ reason: 'unsupported', field, cause: why });
};
