import { places, type Command, type CommandBody, type History, type Slot } from './command.ts';
import type { Random } from './random.ts';

const slotsPerHistory = 8;
/** Processes that renew leases. An opening is owned by a name of its own, so that its repetition is told from others'. */
const processes = ['w1', 'w2'] as const;
const fingerprints = ['f1', 'f1', 'f1', 'f2'] as const;
const keyStatuses = ['active', 'active', 'inactive', 'revoked'] as const;
const projectStatuses = ['active', 'active', 'paused', 'blocked'] as const;
const accountStatuses = ['active', 'active', 'inactive', 'blocked'] as const;
/** Amounts of this size meet the ceiling of 10^15. */
const hugeAmount = 999_999_999_999_990;

const pick = <T>(random: Random, from: readonly [T, ...T[]]): T => from[random.int(from.length)] ?? from[0];

const createSlots = (random: Random, prefix: string): readonly [Slot, ...Slot[]] => {
  const create = (at: number): Slot => {
    const place = places[Math.max(0, random.int(5) - 2)] ?? places[0];
    const named = random.int(5);
    return {
      operationId: `${prefix}o${at}`,
      projectId: prefix + place.projectId,
      keyId: prefix + place.keyId,
      accountId: prefix + place.accountId,
      identity: named < 2 ? null : `i${named}`,
    };
  };
  return [create(0), ...Array.from({ length: slotsPerHistory - 1 }, (_, at) => create(at + 1))];
};

/** What a history in the making knows of itself. */
interface Draft {
  random: Random;
  readonly prefix: string;
  readonly slots: readonly [Slot, ...Slot[]];
  readonly commands: Command[];
  opened: number;
}

/** The operation opened last, or one before it; now and then one that was not opened yet. */
const someSlot = ({ random, slots, opened }: Draft): Slot => {
  const place = random.int(24);
  if (place < 8) return slots[opened - 1] ?? slots[0];
  if (place < 23) return slots[random.int(opened || 1)] ?? slots[0];
  return slots[random.int(slots.length)] ?? slots[0];
};

/**
 * Mostly an id that is new. One that was handed out before comes from another request under the same identity, as with
 * identities that a host keeps, and has an owner of its own.
 */
const nextSlot = (draft: Draft): { readonly slot: Slot; readonly owner: string } | null => {
  const slot = draft.slots[draft.opened];
  const again = draft.slots[draft.random.int(draft.opened || 1)] ?? draft.slots[0];
  const handedOut = draft.opened > 0 && again.identity !== null && draft.random.int(6) === 0;
  if (handedOut) return { slot: again, owner: `r${draft.commands.length}` };
  if (slot === undefined) return null;
  draft.opened += 1;
  return { slot, owner: `of ${slot.operationId}` };
};

const amount = (random: Random, bound: number): number => (random.int(64) === 0 ? hugeAmount : random.int(bound));

const accountId = ({ random, prefix }: Draft): string => `${prefix}${random.int(5) === 0 ? 'a2' : 'a1'}`;

const access = ({ random, prefix }: Draft): CommandBody => {
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

const open = (draft: Draft): CommandBody => {
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

const settle = (draft: Draft): CommandBody => {
  const { random } = draft;
  return {
    kind: 'settle',
    slot: someSlot(draft),
    measured: random.int(45),
    answered: random.int(3) > 0,
    overrun: random.int(4) === 0 ? 'absorb' : 'pending',
    anomalyId: `${draft.prefix}x${draft.commands.length}`,
  };
};

const doubt = (draft: Draft): CommandBody => {
  const slot = someSlot(draft);
  const owners = [
    null,
    null,
    null,
    `of ${slot.operationId}`,
    `of ${slot.operationId}`,
    pick(draft.random, processes),
  ] as const;
  return { kind: 'doubt', slot, answered: draft.random.int(2) === 0, expiredOwner: pick(draft.random, owners) };
};

const resolve = (draft: Draft): CommandBody => ({
  kind: 'resolve',
  slot: someSlot(draft),
  verdict: draft.random.int(3) === 0 ? 'failed' : 'executed',
  measured: draft.random.int(2) === 0 ? null : draft.random.int(45),
  anomalyId: `${draft.prefix}x${draft.commands.length}`,
});

const deposit = (draft: Draft): CommandBody => ({
  kind: 'deposit',
  accountId: accountId(draft),
  amount: amount(draft.random, 60) + 1,
  reference: `d${draft.random.int(8)}`,
});

const compensate = (draft: Draft): CommandBody => ({
  kind: 'compensate',
  accountId: accountId(draft),
  amount: draft.random.int(60) - 40 || 1,
  reference: `d${draft.random.int(8)}`,
});

const renew = (draft: Draft): CommandBody => ({
  kind: 'renew',
  slots: [...new Set([someSlot(draft), someSlot(draft)])],
  owner: pick(draft.random, processes),
});

/** Half of the quantities have a price without a remainder, where arithmetic that is not exact goes over the edge. */
const price = ({ random }: Draft): CommandBody => ({
  kind: 'price',
  used:
    random.int(2) === 0
      ? { input: random.int(5_000) * 1_000_000, cached: random.int(200) * 1_000, output: random.int(2_000) * 5 }
      : { input: random.int(4_000_000), cached: random.int(3) * random.int(100_000), output: random.int(100_000) },
  rounding: random.int(2) === 0 ? 'up' : 'half_up',
});

const capture = (draft: Draft): CommandBody => ({
  kind: 'capture',
  slot: someSlot(draft),
  sequence: draft.random.int(3) + 1 - (draft.random.int(2) === 0 ? draft.random.int(2) : 0) || 1,
  amount: draft.random.int(12) + 1,
});

const extend = (draft: Draft): CommandBody => ({
  kind: 'extend',
  slot: someSlot(draft),
  hold: draft.random.int(50),
});

const purge = (draft: Draft): CommandBody => ({
  kind: 'purge',
  slot: someSlot(draft),
  owner: draft.random.int(6) === 0 ? pick(draft.random, processes) : null,
});

const fail = (draft: Draft): CommandBody => ({
  kind: 'fail',
  slot: someSlot(draft),
  anomalyId: `${draft.prefix}x${draft.commands.length}`,
});

/** How often each kind comes up. */
const shares: readonly (readonly [(draft: Draft) => CommandBody, number])[] = [
  [open, 6],
  [settle, 5],
  [doubt, 3],
  [resolve, 3],
  [capture, 3],
  [extend, 2],
  [fail, 2],
  [deposit, 2],
  [purge, 2],
  [compensate, 1],
  [renew, 1],
  [price, 1],
];
const kinds = shares.flatMap(([kind, share]) => Array.from({ length: share }, () => kind));

const fresh = (draft: Draft): CommandBody => {
  if (draft.commands.length === 0)
    return { kind: 'deposit', accountId: `${draft.prefix}a1`, amount: 10 + draft.random.int(90), reference: 'd0' };
  if (draft.opened === 0 && draft.random.int(2) === 0) return open(draft);
  if (draft.random.int(50) === 0) return access(draft);
  return (kinds[draft.random.int(kinds.length)] ?? open)(draft);
};

/** Now and then a command that was sent before, exactly as it was. */
const drawCommand = (draft: Draft): Command => {
  const { random, commands } = draft;
  const moment = random.int(16);
  const waitMs = moment === 0 ? random.int(20) : moment < 4 ? 1 : 0;
  if (commands.length > 0 && random.int(5) === 0) {
    const at = random.int(2) === 0 ? commands.length - 1 : random.int(commands.length);
    const earlier = commands[at];
    if (earlier !== undefined) return { body: earlier.body, waitMs, repeatOf: earlier.repeatOf ?? at };
  }
  return { body: fresh(draft), waitMs, repeatOf: null };
};

const startDraft = (random: Random, prefix: string): Draft => ({
  random,
  prefix,
  slots: createSlots(random, prefix),
  commands: [],
  opened: 0,
});

/** A history of 4 to 27 commands. The prefix keeps its records apart from those of others in one store. */
export const randomHistory = (random: Random, prefix = ''): History => {
  const draft = startDraft(random, prefix);
  const length = 4 + random.int(24);
  while (draft.commands.length < length) draft.commands.push(drawCommand(draft));
  return { slots: draft.slots, commands: draft.commands };
};

/** A history from lists of draws, one for the slots and one a command, so that leaving a list out shortens the history. */
export const drawnHistory = (slots: Random, commands: readonly Random[]): History => {
  const draft = startDraft(slots, '');
  for (const random of commands) {
    draft.random = random;
    draft.commands.push(drawCommand(draft));
  }
  return { slots: draft.slots, commands: draft.commands };
};
