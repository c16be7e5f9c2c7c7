import type { IdempotencyStore, IdentityClaim } from '@tollgate/storage';

export interface MemoryIdentities extends IdempotencyStore {
  readonly find: (projectId: string, identity: string) => IdentityClaim | undefined;
}

const textOf = (projectId: string, identity: string): string => JSON.stringify([projectId, identity]);

/** A host's identities in memory: one winner a project and identity, and only the claim that stands is taken back. */
export const createMemoryIdentities = (): MemoryIdentities => {
  const claims = new Map<string, IdentityClaim>();
  return {
    claim: async (claim) => {
      const text = textOf(claim.projectId, claim.identity);
      const known = claims.get(text);
      if (known === undefined) claims.set(text, { ...claim });
      // The same claim again is the same claim: its first answer may have been lost.
      return known === undefined || known.operationId === claim.operationId
        ? { kind: 'claimed' }
        : { kind: 'known', claim: known };
    },
    release: async ({ projectId, identity, operationId }) => {
      const text = textOf(projectId, identity);
      if (claims.get(text)?.operationId === operationId) claims.delete(text);
    },
    find: (projectId, identity) => claims.get(textOf(projectId, identity)),
  };
};
