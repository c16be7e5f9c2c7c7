import type { IdempotencyStore, IdentityClaim } from '@tollgate/storage';

// #region identities
const keyOf = ({ projectId, identity }: IdentityClaim): string => JSON.stringify([projectId, identity]);

/** An idempotency store of the host, here in memory. A real one relies on a unique key over project and idempotency key. */
export const hostIdentities = (): IdempotencyStore => {
  const claims = new Map<string, IdentityClaim>();
  return {
    claim: async (claim) => {
      const existing = claims.get(keyOf(claim));
      if (existing !== undefined) return { kind: 'known', claim: existing };
      claims.set(keyOf(claim), claim);
      return { kind: 'claimed' };
    },
    release: async (claim) => {
      if (claims.get(keyOf(claim))?.operationId === claim.operationId) claims.delete(keyOf(claim));
    },
  };
};
// #endregion identities
