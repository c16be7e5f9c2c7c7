import type { CommandBody } from './command.ts';
import { accountId, amount, nextSlot, pick, processes, someSlot, type Draft } from './draft.ts';
import type { Random } from './random.ts';
import { places, type Slot } from './slot.ts';

const fingerprints = ['f1', 'f1', 'f1', 'f2'] as const;
const keyStatuses = ['active', 'active', 'inactive', 'revoked'] as const;
const projectStatuses = ['active', 'active', 'paused', 'blocked'] as const;
const accountStatuses = ['active', 'active', 'inactive', 'blocked'] as const;

export const access = ({ random, prefix }: Draft): CommandBody => {
  const place = places[random.int(places.length)] ?? places[0];
  switch (random.int(3)) {
    case 0:
      return { kind: 'access', of: 'key', id: prefix + place.keyId, status: pick(random, keyStatuses) };
    case 1:
      return { kind: 'access', of: 'project', id: prefix + place.projectId, status: pick(random, projectStatuses) };
    default:
      return { kind: 'access', of: 'account', id: prefix + place.accountId, status: pick(random, accountStatuses) };
  }
};

export const open = (draft: Draft): CommandBody => {
  const { random } = draft;
  const next = nextSlot(draft);
  if (next === null) return deposit(draft);
  return {
    kind: 'open',
    ...next,
    fingerprint: pick(random, fingerprints),
    hold: amount(random, 25),
    refused: random.int(24) === 0,
  };
};

/** What a settlement amounts to beyond whole micro-credits: often nothing, and often close to one. */
export const fraction = (random: Random): number => {
  switch (random.int(4)) {
    case 0:
      return 0;
    case 1:
      return 999_999 - random.int(3);
    default:
      return random.int(1_000_000);
  }
};

export const settle = (draft: Draft): CommandBody => {
  const { random } = draft;
  return {
    kind: 'settle',
    slot: someSlot(draft),
    measured: random.int(45),
    fraction: fraction(random),
    answered: random.int(3) > 0,
    overrun: random.int(4) === 0 ? 'absorb' : 'pending',
    anomalyId: `${draft.prefix}x${draft.commands.length}`,
  };
};

export const doubt = (draft: Draft): CommandBody => {
  const slot = someSlot(draft);
  const owners = [
    null,
    null,
    null,
    `of ${slot.operationId}`,
    `of ${slot.operationId}`,
    pick(draft.random, processes),
  ] as const;
  return {
    kind: 'doubt',
    slot,
    answered: draft.random.int(2) === 0,
    expiredOwner: pick(draft.random, owners),
    ...(draft.random.int(4) > 0 ? { atLeast: draft.random.int(20) + 1 } : {}),
  };
};

export const resolve = (draft: Draft): CommandBody => ({
  kind: 'resolve',
  slot: someSlot(draft),
  verdict: pick(draft.random, ['failed', 'failed', 'executed', 'measured', 'measured', 'at_least']),
  measured: draft.random.int(2) === 0 ? null : draft.random.int(45),
  anomalyId: `${draft.prefix}x${draft.commands.length}`,
});

export const deposit = (draft: Draft): CommandBody => ({
  kind: 'deposit',
  accountId: accountId(draft),
  amount: amount(draft.random, 60) + 1,
  reference: `d${draft.random.int(8)}`,
});

export const compensate = (draft: Draft): CommandBody => ({
  kind: 'compensate',
  accountId: accountId(draft),
  amount: draft.random.int(60) - 40 || 1,
  reference: `d${draft.random.int(8)}`,
  ...pick(draft.random, [{}, {}, { shortfall: 'owe' }, { shortfall: 'forgive' }] as const),
});

/** A payment as it stands after some of its refunds: few payments, so that each comes again with other refunds. */
export const pay = (draft: Draft): CommandBody => {
  const { random, prefix } = draft;
  const place = random.int(4);
  const credited = 10 + place * 10 + (random.int(16) === 0 ? 1 : 0);
  return {
    kind: 'pay',
    accountId: random.int(16) === 0 ? accountId(draft) : `${prefix}a1`,
    reference: `${prefix}${random.int(16) === 0 ? 'd' : 'p'}${place}`,
    amount: credited,
    back: random.int(3) * random.int(credited),
    version: random.int(8),
    shortfall: random.int(2) === 0 ? 'forgive' : 'owe',
  };
};

/** The account of most payments has less than a refund of one takes back. */
export const spend = ({ random, prefix }: Draft): CommandBody => ({
  kind: 'compensate',
  accountId: `${prefix}a1`,
  amount: -20 - random.int(300),
  reference: `s${random.int(32)}`,
  shortfall: 'forgive',
});

export const collect = (draft: Draft): CommandBody => ({ kind: 'collect', accountId: accountId(draft) });

/** One lease or two, which a process renews in one step. */
export const renewed = (draft: Draft): readonly Slot[] => [...new Set([someSlot(draft), someSlot(draft)])];

export const renew = (draft: Draft): CommandBody => ({
  kind: 'renew',
  leases: renewed(draft).map((slot) => ({ slot, owner: pick(draft.random, processes) })),
});

/** Half of the quantities have a price without a remainder, where arithmetic that is not exact goes over the edge. */
export const price = ({ random }: Draft): CommandBody => ({
  kind: 'price',
  used:
    random.int(2) === 0
      ? { input: random.int(5_000) * 1_000_000, cached: random.int(200) * 1_000, output: random.int(2_000) * 5 }
      : { input: random.int(4_000_000), cached: random.int(3) * random.int(100_000), output: random.int(100_000) },
  rounding: random.int(2) === 0 ? 'up' : 'half_up',
});

/** Few units, so that most of the charge is below a micro-credit. */
export const charge = ({ random }: Draft): CommandBody => ({
  kind: 'charge',
  used: { input: random.int(12), cached: random.int(3) * random.int(100), output: random.int(4) },
  rounding: pick(random, ['carry', 'up', 'half_up'] as const),
  minimum: random.int(2) * random.int(5),
  fee: random.int(2) * random.int(4),
  tiered: random.int(2) === 0,
});

const plans = [null, 'cheap', 'agreed', 'unknown'] as const;

/** Every layer of a price list by itself and with others. */
export const sell = ({ random }: Draft): CommandBody => ({
  kind: 'sell',
  used: { input: random.int(24), cached: random.int(3) * random.int(12), output: random.int(6) },
  plan: pick(random, plans),
  isBuyer: random.int(3) === 0,
  isMarkedUp: random.int(2) === 0,
  isBatch: random.int(3) === 0,
  provider: pick(random, ['own', 'other', null] as const),
  asked: pick(random, [null, 'flex', 'priority'] as const),
  served: pick(random, ['flex', 'priority', 'standard', null] as const),
});

export const retry = (draft: Draft): CommandBody => ({
  kind: 'retry',
  slot: someSlot(draft),
  anomalyId: `${draft.prefix}x${draft.commands.length}`,
});

export const capture = (draft: Draft): CommandBody => ({
  kind: 'capture',
  slot: someSlot(draft),
  sequence: draft.random.int(3) + 1 - (draft.random.int(2) === 0 ? draft.random.int(2) : 0) || 1,
  amount: draft.random.int(12) + 1,
});

export const extend = (draft: Draft): CommandBody => ({
  kind: 'extend',
  slot: someSlot(draft),
  hold: draft.random.int(50),
});

export const purge = (draft: Draft): CommandBody => ({
  kind: 'purge',
  slot: someSlot(draft),
  owner: draft.random.int(6) === 0 ? pick(draft.random, processes) : null,
});

export const fail = (draft: Draft): CommandBody => ({
  kind: 'fail',
  slot: someSlot(draft),
  anomalyId: `${draft.prefix}x${draft.commands.length}`,
});
