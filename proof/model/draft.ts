import type { Command } from './command.ts';
import type { Model } from './model.ts';
import type { Random } from './random.ts';
import { places, type Slot, type SlotKind } from './slot.ts';
import type { Theme } from './theme.ts';

/** Processes that renew leases and work, each turn of work under a name of its own. An opening is owned by a name of its own, so that its repetition is distinguished from others'. */
export const processes = ['w1', 'w2'] as const;

/** Amounts of this size meet the ceiling of 10^15. */
const hugeAmount = 999_999_999_999_990;

export const pick = <T>(random: Random, from: readonly [T, ...T[]]): T => from[random.int(from.length)] ?? from[0];

/** What a history remembers of an operation that it has sent commands about. */
export interface Hand {
  /** The latest mark, and the latest look. */
  mark: number;
  look: string;
  /** The next place of a batch that was never handed over. */
  place: number;
  used: readonly string[];
  /** The turns that were begun on it. */
  readonly turns: string[];
  parent: string | null;
}

/** What a history in the making knows of itself. */
export interface Draft {
  random: Random;
  readonly prefix: string;
  readonly slots: readonly [Slot, ...Slot[]];
  readonly commands: Command[];
  readonly hands: Map<string, Hand>;
  /** Takes every command as it is drawn, so that the next one can follow from what became of those before. */
  readonly model: Model;
  nowMs: number;
  opened: number;
}

export const handOf = ({ hands }: Draft, { operationId }: Slot): Hand => {
  const known = hands.get(operationId);
  if (known !== undefined) return known;
  const fresh: Hand = { mark: 0, look: 'none', place: 0, used: [], turns: [], parent: null };
  hands.set(operationId, fresh);
  return fresh;
};

/** Of every two operations of a key, one comes by its token. */
const tokenOf = (
  random: Random,
  prefix: string,
  place: (typeof places)[number],
  budgets: readonly number[],
): Pick<Slot, 'token'> =>
  random.int(2) === 0 ? {} : { token: { id: `${prefix}${place.keyId}t`, budget: budgets[places.indexOf(place)] ?? 0 } };

/** The operations that a history may open, of the kinds given, one after the other. */
export const createSlots = (
  random: Random,
  prefix: string,
  theme: Pick<Theme, 'kinds' | 'isCapped'>,
): readonly [Slot, ...Slot[]] => {
  const kinds: readonly (SlotKind | undefined)[] = theme.kinds(random);
  const budgets = theme.isCapped === true ? places.map(() => 10 + random.int(60)) : [];
  const create = (at: number): Slot => {
    const place = places[Math.max(0, random.int(5) - 2)] ?? places[0];
    const kind = kinds[at];
    const named = random.int(5);
    return {
      operationId: `${prefix}o${at}`,
      projectId: prefix + place.projectId,
      keyId: prefix + place.keyId,
      accountId: prefix + place.accountId,
      identity: named < 2 ? null : `i${named}`,
      ...(kind === undefined ? {} : { kind }),
      ...(theme.isCapped === true && { capped: true, ...tokenOf(random, prefix, place, budgets) }),
    };
  };
  return [create(0), ...Array.from({ length: kinds.length - 1 }, (_, at) => create(at + 1))];
};

/** The operation opened last, or one before it; now and then one that was not opened yet. */
export const someSlot = ({ random, slots, opened }: Draft): Slot => {
  const place = random.int(24);
  if (place < 8) return slots[opened - 1] ?? slots[0];
  if (place < 23) return slots[random.int(opened || 1)] ?? slots[0];
  return slots[random.int(slots.length)] ?? slots[0];
};

/**
 * Mostly an id that is new. One that was handed out before comes from another request under the same identity, as with
 * identities that a host keeps, and has an owner of its own.
 */
export const nextSlot = (draft: Draft): { readonly slot: Slot; readonly owner: string } | null => {
  const slot = draft.slots[draft.opened];
  const again = draft.slots[draft.random.int(draft.opened || 1)] ?? draft.slots[0];
  const handedOut = draft.opened > 0 && again.identity !== null && draft.random.int(6) === 0;
  if (handedOut) return { slot: again, owner: `r${draft.commands.length}` };
  if (slot === undefined) return null;
  draft.opened += 1;
  return { slot, owner: `of ${slot.operationId}` };
};

export const amount = (random: Random, bound: number): number =>
  random.int(64) === 0 ? hugeAmount : random.int(bound);

export const accountId = ({ random, prefix }: Draft): string => `${prefix}${random.int(5) === 0 ? 'a2' : 'a1'}`;

/** A name that no other command of the history has. */
export const nameOf = ({ prefix, commands }: Draft, what: string): string => `${what}${prefix}${commands.length}`;
