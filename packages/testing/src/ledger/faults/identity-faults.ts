import type { IdempotencyStore, IdentityClaim } from '@tollgate/storage';

/** Every decision that a plain idempotency store makes. */
export interface PlainIdentityParts {
  readonly placeOf: (claim: IdentityClaim) => string;
  readonly claims: Map<string, IdentityClaim>;
  readonly pause: (() => Promise<void>) | undefined;
  readonly keep: (place: string, claim: IdentityClaim) => void;
  /** What is returned of a claim that stands. */
  readonly known: (present: IdentityClaim, asked: IdentityClaim) => IdentityClaim;
  readonly isTakenBack: (present: IdentityClaim | undefined, claim: IdentityClaim) => boolean;
  readonly wins: (present: IdentityClaim | undefined) => boolean;
}

export type IdentityFaultParts = (parts: PlainIdentityParts) => Partial<PlainIdentityParts>;

/** The simplest right idempotency store there is, with a fault of one's choice built in. */
export const plainIdentities = (claims: Map<string, IdentityClaim>, fault: IdentityFaultParts): IdempotencyStore => {
  const right: PlainIdentityParts = {
    placeOf: ({ projectId, identity }) => JSON.stringify([projectId, identity]),
    claims,
    pause: undefined,
    keep: (place, claim) => void claims.set(place, claim),
    known: (present) => present,
    isTakenBack: (present, { operationId }) => present?.operationId === operationId,
    wins: (present) => present === undefined,
  };
  const parts = { ...right, ...fault(right) };
  return {
    claim: async (claim) => {
      const place = parts.placeOf(claim);
      const present = parts.claims.get(place);
      if (parts.pause !== undefined) await parts.pause();
      if (present === undefined) parts.keep(place, claim);
      if (parts.wins(present)) return { kind: 'claimed' };
      return { kind: 'known', claim: parts.known(present ?? claim, claim) };
    },
    release: async (claim) => {
      const place = parts.placeOf(claim);
      if (parts.isTakenBack(parts.claims.get(place), claim)) parts.claims.delete(place);
    },
  };
};

/** A way in which an idempotency store can be wrong. */
export interface IdentityFault {
  readonly name: string;
  /** What the names of the cases begin with that must fail on it. */
  readonly failing: readonly string[];
  readonly fault: IdentityFaultParts;
}

const apart = 'keeps keys apart';
const ownOnly = 'takes back the claim of its own operation';
const oneWinner = 'has one winner of claims that come at once, whom';

export const identityFaults: readonly IdentityFault[] = [
  {
    name: 'lets every claim win',
    failing: [oneWinner, 'lets no later claim win'],
    fault: () => ({ wins: () => true }),
  },
  {
    name: 'returns the fingerprint of the one who asks',
    failing: [oneWinner, 'returns a claim as it was made', 'lets no later claim win'],
    fault: () => ({ known: (present, { fingerprint }) => ({ ...present, fingerprint }) }),
  },
  {
    name: 'returns the operation of the one who asks',
    failing: [oneWinner, 'returns a claim as it was made'],
    fault: () => ({ known: (present, { operationId }) => ({ ...present, operationId }) }),
  },
  {
    name: 'lets a claim of the same body win again',
    failing: ['returns a claim as it was made'],
    fault: () => ({ known: (present, asked) => (present.fingerprint === asked.fingerprint ? asked : present) }),
  },
  {
    name: 'looks for a claim and makes one a while later',
    failing: [oneWinner, 'has one winner of claims that come at once with a release'],
    fault: () => ({ pause: () => new Promise((resolve) => void setImmediate(resolve)) }),
  },
  {
    name: 'forgets a claim that is sent again',
    failing: ['responds to a claim that is sent again'],
    fault: (parts) => ({
      known: (present, asked) => {
        if (present.operationId === asked.operationId) parts.claims.delete(parts.placeOf(asked));
        return present;
      },
    }),
  },
  {
    name: 'joins project and key by a stroke',
    failing: [apart],
    fault: () => ({ placeOf: ({ projectId, identity }) => `${projectId}/${identity}` }),
  },
  {
    name: 'does not tell keys apart by case',
    failing: [apart],
    fault: (parts) => ({ placeOf: (claim) => parts.placeOf(claim).toLowerCase() }),
  },
  {
    name: 'cuts keys at 64 characters',
    failing: [apart],
    fault: (parts) => ({
      placeOf: (claim) => parts.placeOf({ ...claim, identity: claim.identity.slice(0, 64) }),
    }),
  },
  {
    name: 'takes back whatever claim stands',
    failing: [ownOnly],
    fault: () => ({ isTakenBack: () => true }),
  },
  {
    name: 'takes back a claim of the same body',
    failing: [ownOnly],
    fault: () => ({ isTakenBack: (present, { fingerprint }) => present?.fingerprint === fingerprint }),
  },
  {
    name: 'takes no claim back',
    failing: [ownOnly, 'has a claim when it is opened again'],
    fault: () => ({ isTakenBack: () => false }),
  },
  {
    name: 'keeps claims where they die with it',
    failing: ['has a claim when it is opened again', oneWinner],
    fault: () => {
      const own = new Map<string, IdentityClaim>();
      return { claims: own, keep: (place, claim) => void own.set(place, claim) };
    },
  },
];
