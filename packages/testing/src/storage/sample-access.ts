import type { Tables } from '@tollgate/storage';

/** A plain valid record of a key, and of what one has spent. */
export const sampleAccess: { readonly [T in 'apiKey' | 'spend']: (id: string) => Tables[T] } = {
  apiKey: (id) => ({
    id,
    projectId: 'project',
    accountId: 'account',
    name: 'key',
    model: null,
    secretHash: 'hash',
    status: 'active',
    createdAtMs: 1,
    revokedAtMs: null,
    expiresAtMs: null,
    models: null,
    cap: null,
    limits: null,
    metadata: null,
    reference: null,
    lastUsedAtMs: null,
  }),
  spend: (id) => ({
    id,
    limitMicros: 100n,
    spentMicros: 10n,
    heldMicros: 5n,
    endsAtMs: null,
    owner: null,
    dueAtMs: null,
    seq: 1,
  }),
};
