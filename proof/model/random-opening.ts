import type { CommandBody } from './command.ts';
import { handOf, nameOf, pick, type Draft } from './draft.ts';
import type { Slot, SlotKind } from './slot.ts';
import type { Deferral, SlotUse } from './work-command.ts';

const blobs = ['b1', 'b2', 'b3'] as const;

const someBlob = ({ random, prefix }: Draft): string => prefix + pick(random, blobs);

/** Kinds without work. */
export const isFree = (kind: SlotKind | undefined): boolean => kind === 'store' || kind === 'environment';

/** Which kinds an operation of a kind would use. */
const wantedBy = (kind: SlotKind | undefined): readonly (SlotKind | undefined)[] =>
  kind === 'document' ? ['store'] : ['cache', 'interaction', 'store', 'environment'];

/** Mostly one of the project that can be used now; now and then any that there is. */
const drawUse = (draft: Draft, slot: Slot, preferred: Slot | null): SlotUse | null => {
  const { random, slots, model } = draft;
  const wanted = wantedBy(slot.kind);
  const known = slots.filter(({ operationId, kind }) => wanted.includes(kind) && model.resources.has(operationId));
  const near = known.filter(({ projectId }) => projectId === slot.projectId);
  const from = random.int(8) > 0 && near.length > 0 ? near : known;
  const drawn = from[random.int(from.length || 1)];
  const chosen = preferred !== null && wanted.includes(preferred.kind) ? preferred : drawn;
  if (chosen?.kind === undefined || chosen.kind === 'live' || chosen === slot) return null;
  const kept = chosen.kind === 'environment' ? 8 : null;
  return { id: chosen.operationId, kind: chosen.kind, whenCompleted: chosen.kind === 'interaction', kept };
};

const deferralOf = ({ random }: Draft, kind: SlotKind, parent: string | null): Deferral => {
  const expires = kind === 'environment' || (kind !== 'store' && random.int(4) === 0);
  return {
    execution: isFree(kind) ? 'nothing' : 'queued',
    expiresAfter: expires ? 3 + random.int(12) : null,
    items: kind === 'batch' ? 4 : 0,
    parent,
  };
};

const drawGuard = (draft: Draft): readonly string[] | null => {
  const blob = someBlob(draft);
  return draft.random.int(3) === 0 && (draft.model.blobs.has(blob) || draft.random.int(12) === 0) ? [blob] : null;
};

/** Opens the next slot, or one that was handed out before; where it can, with the preferred one in use. */
export const openWork = (draft: Draft, preferred: Slot | null = null): CommandBody => {
  const { random, slots } = draft;
  const earlier = slots[random.int(draft.opened || 1)] ?? slots[0];
  // Only under an identity does an id come again.
  const isAgain = draft.opened > 0 && earlier.identity !== null && random.int(10) === 0;
  const slot = isAgain ? earlier : slots[draft.opened];
  if (slot === undefined) return stage(draft);
  if (!isAgain) draft.opened += 1;
  // Ids are not handed out anew.
  if (draft.model.removed.has(slot.operationId)) return stage(draft);
  const { kind, operationId } = slot;
  const needs = kind === 'document' || preferred !== null || random.int(2) === 0;
  const use = needs ? drawUse(draft, slot, preferred) : null;
  const hand = handOf(draft, slot);
  if (!draft.model.operations.has(operationId)) {
    hand.used = use === null ? [] : [use.id];
    hand.parent = kind === 'document' ? (use?.id ?? null) : null;
  }
  const guard = drawGuard(draft);
  return {
    kind: 'open',
    slot,
    owner: isAgain ? nameOf(draft, 'r') : `of ${operationId}`,
    fingerprint: random.int(6) === 0 ? 'f2' : 'f1',
    hold: random.int(14),
    refused: random.int(32) === 0,
    uses: use === null ? [] : [use],
    ...(guard === null ? {} : { guard }),
    ...(kind === 'live' ? { accessMs: 3 + random.int(8) } : {}),
    ...(kind === undefined || kind === 'live' ? {} : { deferral: deferralOf(draft, kind, hand.parent) }),
  };
};

export const stage = (draft: Draft): CommandBody => ({ kind: 'stage', blob: someBlob(draft) });

export const claimBlob = (draft: Draft): CommandBody => ({
  kind: 'claim',
  of: 'pendingBlob',
  id: someBlob(draft),
  slot: null,
  owner: nameOf(draft, 'sweep:'),
});
