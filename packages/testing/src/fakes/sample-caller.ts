import type { Caller } from '@tollgate/provider';

/** Whose calls are that a test makes of a provider by itself. */
export const sampleCaller: Caller = {
  accountId: 'account-of-the-caller',
  projectId: 'project-of-the-caller',
  keyId: 'key-of-the-caller',
};
