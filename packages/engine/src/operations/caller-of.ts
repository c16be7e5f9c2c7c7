import type { Caller } from '@tollgate/provider';

/** Whose a record is, with nothing else of it. */
export const callerOf = ({ accountId, projectId, keyId }: Caller): Caller => ({ accountId, projectId, keyId });
