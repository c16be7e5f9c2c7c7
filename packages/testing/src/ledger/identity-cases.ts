import assert from 'node:assert/strict';
import type { IdempotencyStore, IdentityClaim } from '@tollgate/storage';
import type { NumberedCase } from '../numbered-suite.ts';
import type { identityPromises } from './ledger-promises.ts';

/** An idempotency store that was opened for one case, without a claim. */
export interface OpenedIdentities {
  readonly identities: IdempotencyStore;
  /** The same store through another instance, as another process has it. Without it the cases use the one instance twice. */
  readonly reopen?: () => IdempotencyStore | Promise<IdempotencyStore>;
  readonly close?: () => unknown;
}

/** What a case works on. */
export interface IdentityWorld {
  readonly identities: IdempotencyStore;
  readonly other: () => Promise<IdempotencyStore>;
}

export type IdentityCase = NumberedCase<IdentityWorld, keyof typeof identityPromises>;

export const identityWorld = ({ identities, reopen }: OpenedIdentities): IdentityWorld => ({
  identities,
  other: async () => (reopen === undefined ? identities : reopen()),
});

const claimOf = (more: Partial<IdentityClaim> = {}): IdentityClaim => ({
  projectId: 'project',
  identity: 'key',
  fingerprint: 'fingerprint',
  operationId: 'operation',
  ...more,
});

/** Fails unless the claim stands: another process that asks gets it, with nothing of the question. */
const assertStands = async (store: IdempotencyStore, claim: IdentityClaim): Promise<void> => {
  const asked = { ...claim, operationId: 'asks', fingerprint: 'of the one who asks' };
  assert.deepEqual(await store.claim(asked), { kind: 'known', claim });
};

const rounds = 10;

/** The longest key that a gateway accepts. */
const longest = (end: string): string => `${'x'.repeat(127)}${end}`;

const keysApart: readonly (readonly [projectId: string, identity: string])[] = [
  ['p', 'x/i'],
  ['p/x', 'i'],
  ['p:x', 'i'],
  ['p', 'x:i'],
  ['p', 'I'],
  ['p', 'i'],
  ['P', 'i'],
  ['p', '"i"'],
  ['p', "i'"],
  ['p', '%'],
  ['p', '_'],
  ['p', '\\'],
  ['p', longest('1')],
  ['p', longest('2')],
];

export const identityCases: readonly IdentityCase[] = [
  {
    promise: 'I1',
    name: 'has one winner of claims that come at once, whom all others get to know',
    run: async ({ identities, other }) => {
      const doors = [identities, await other()];
      for (let round = 0; round < rounds; round += 1) {
        const claims = Array.from({ length: 8 }, (_, at) =>
          claimOf({ identity: `key-${round}`, operationId: `operation-${at}`, fingerprint: `body-${at}` }),
        );
        const answers = await Promise.all(claims.map((claim, at) => (doors[at % 2] ?? identities).claim(claim)));
        const winner = claims[answers.findIndex(({ kind }) => kind === 'claimed')];
        assert.equal(answers.filter(({ kind }) => kind === 'claimed').length, 1, `round ${round}`);
        for (const answer of answers) if (answer.kind === 'known') assert.deepEqual(answer.claim, winner);
      }
    },
  },
  {
    promise: 'I1',
    name: 'lets no later claim win while one stands',
    run: async ({ identities, other }) => {
      assert.deepEqual(await identities.claim(claimOf()), { kind: 'claimed' });
      for (const store of [identities, await other(), identities]) await assertStands(store, claimOf());
    },
  },
  {
    promise: 'I2',
    name: 'returns a claim as it was made',
    run: async ({ identities, other }) => {
      const made = claimOf({ fingerprint: 'ab'.repeat(32), operationId: '01890a5d-ac96-774b-bcce-b302099a8057' });
      await identities.claim(made);
      for (const store of [identities, await other()]) {
        await assertStands(store, made);
        // The same body of another request, too: it is the operation that counts.
        assert.deepEqual(await store.claim({ ...made, operationId: 'another' }), { kind: 'known', claim: made });
      }
    },
  },
  {
    promise: 'I3',
    name: 'responds to a claim that is sent again, and keeps it',
    run: async ({ identities, other }) => {
      await identities.claim(claimOf());
      for (const store of [identities, await other(), identities]) {
        const answer = await store.claim(claimOf());
        if (answer.kind === 'known') assert.deepEqual(answer.claim, claimOf());
      }
      await assertStands(identities, claimOf());
    },
  },
  {
    promise: 'I4',
    name: 'keeps keys apart, however they look beside the names of projects',
    run: async ({ identities, other }) => {
      const claims = keysApart.map(([projectId, identity], at) =>
        claimOf({ projectId, identity, operationId: `operation-${at}` }),
      );
      for (const claim of claims)
        assert.deepEqual(await identities.claim(claim), { kind: 'claimed' }, `${claim.projectId} ${claim.identity}`);
      const door = await other();
      for (const claim of claims) await assertStands(door, claim);
      // One of them is released, and the others stay.
      const [first, ...rest] = claims;
      await identities.release(first ?? claimOf());
      for (const claim of rest) await assertStands(identities, claim);
    },
  },
  {
    promise: 'I5',
    name: 'takes back the claim of its own operation, and no other',
    run: async ({ identities, other }) => {
      const door = await other();
      const rival = claimOf({ operationId: 'rival', fingerprint: 'of the rival' });
      await identities.release(claimOf());
      await identities.claim(claimOf());
      await door.release(rival);
      await door.release({ ...rival, fingerprint: claimOf().fingerprint });
      await assertStands(identities, claimOf());
      await door.release(claimOf());
      await identities.release(claimOf());
      assert.deepEqual(await door.claim(rival), { kind: 'claimed' });
      // A release that arrives late is of a claim that is gone.
      await identities.release(claimOf());
      await assertStands(identities, rival);
    },
  },
  {
    promise: 'I6',
    name: 'has one winner of claims that come at once with a release',
    run: async ({ identities, other }) => {
      const doors = [identities, await other()];
      for (let round = 0; round < rounds; round += 1) {
        const identity = `key-${round}`;
        const first = claimOf({ identity });
        await identities.claim(first);
        const claims = Array.from({ length: 6 }, (_, at) => claimOf({ identity, operationId: `operation-${at}` }));
        const [, ...answers] = await Promise.all([
          identities.release(first),
          ...claims.map((claim, at) => (doors[at % 2] ?? identities).claim(claim)),
        ]);
        const won = claims.filter((_, at) => answers[at]?.kind === 'claimed');
        assert.ok(won.length <= 1, `${won.length} have won in round ${round}`);
        const later = claimOf({ identity, operationId: 'later' });
        const answer = await identities.claim(later);
        assert.deepEqual(answer, won[0] === undefined ? { kind: 'claimed' } : { kind: 'known', claim: won[0] });
      }
    },
  },
  {
    promise: 'I7',
    name: 'has a claim when it is opened again, and no claim that was released',
    needs: 'reopen',
    run: async ({ identities, other }) => {
      const gone = claimOf({ identity: 'gone' });
      await identities.claim(claimOf());
      await identities.claim(gone);
      await identities.release(gone);
      const later = await other();
      await assertStands(later, claimOf());
      assert.deepEqual(await later.claim(claimOf({ identity: 'gone', operationId: 'next' })), { kind: 'claimed' });
    },
  },
];
