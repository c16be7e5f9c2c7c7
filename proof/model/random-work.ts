import type { CommandBody } from './command.ts';
import { handOf, nameOf, pick, processes, type Draft } from './draft.ts';
import type { ModelOperation } from './model.ts';
import { fraction, renewed, resolve } from './random-money.ts';
import { isFree, openWork } from './random-opening.ts';
import type { Slot, SlotKind } from './slot.ts';
import type { Closing } from './work-command.ts';

type Deed = (draft: Draft, slot: Slot) => CommandBody;

const operationOf = ({ model }: Draft, { operationId }: Slot): ModelOperation | undefined =>
  model.operations.get(operationId);

/** What is worked on in turns. */
const isDeferred = ({ kind }: Slot): boolean => kind !== undefined && kind !== 'live';

/** A worker that does not have the lease, or has lost it. */
const somebody = (draft: Draft, slot: Slot): string => {
  const owner = operationOf(draft, slot)?.owner;
  const others = handOf(draft, slot).turns.filter((turn) => turn !== owner);
  return others[draft.random.int(others.length || 1)] ?? pick(draft.random, processes);
};

/** Mostly the owner of the lease. */
const inHand = (draft: Draft, slot: Slot): string => {
  const owner = operationOf(draft, slot)?.owner ?? null;
  return owner === null || draft.random.int(8) === 0 ? somebody(draft, slot) : owner;
};

/** What a process takes for its own: turns that stalled think so still. */
export const renewTurns = (draft: Draft): CommandBody => ({
  kind: 'renew',
  leases: renewed(draft).map((slot) => ({
    slot,
    owner: draft.random.int(2) === 0 ? somebody(draft, slot) : inHand(draft, slot),
  })),
});

const claimOperation: Deed = (draft, slot) => ({
  kind: 'claim',
  of: 'operation',
  id: slot.operationId,
  slot,
  owner: nameOf(draft, 'sweep:'),
});

const claimResource: Deed = (draft, slot) => ({
  kind: 'claim',
  of: 'resource',
  id: slot.operationId,
  slot,
  owner: nameOf(draft, 'sweep:'),
});

const start: Deed = (draft, slot) => {
  const owner = operationOf(draft, slot)?.owner ?? 'sweep:none';
  const claimedBy = draft.random.int(6) === 0 ? 'sweep:another' : owner;
  const turn = nameOf(draft, `${pick(draft.random, processes)}/`);
  handOf(draft, slot).turns.push(turn);
  return { kind: 'start', slot, claimedBy, owner: turn };
};

const keep: Deed = (draft, slot) => {
  const { random } = draft;
  const hand = handOf(draft, slot);
  hand.mark += 1;
  const next = slot.kind === 'cache' && random.int(2) === 0 ? 'active' : random.int(3) === 0 ? 'later' : 'lease';
  const after = 1 + random.int(next === 'active' ? 14 : 3);
  return { kind: 'keep', slot, owner: inHand(draft, slot), mark: hand.mark, next, after };
};

const putBack: Deed = (draft, slot) => ({
  kind: 'put_back',
  slot,
  claimedBy: inHand(draft, slot),
  after: draft.random.int(3),
});

const standings: Readonly<Partial<Record<SlotKind, readonly [Closing['availability'], ...Closing['availability'][]]>>> =
  {
    cache: ['expired', 'deleted'],
    interaction: ['follows', 'requires_action'],
  };

const closingFor = ({ random, prefix }: Draft, kind: SlotKind): Closing => ({
  availability: pick<Closing['availability']>(random, standings[kind] ?? ['follows']),
  expiresAfter: kind === 'video' && random.int(2) === 0 ? random.int(8) : null,
  mark: random.int(2) === 0 ? null : random.int(5),
  blobs: random.int(3) === 0 ? [`${prefix}b1`] : [],
  dropped: random.int(6) === 0 ? [`${prefix}b2`] : [],
});

const settle: Deed = (draft, slot) => {
  const { random } = draft;
  const { kind } = slot;
  return {
    kind: 'settle',
    slot,
    measured: random.int(random.int(3) === 0 ? 120 : 20),
    fraction: fraction(random),
    answered: random.int(3) > 0,
    overrun: random.int(4) === 0 ? 'absorb' : 'pending',
    anomalyId: nameOf(draft, 'x'),
    ...(kind === undefined || kind === 'live' ? {} : { closing: closingFor(draft, kind) }),
    ...(random.int(2) === 0 ? { used: handOf(draft, slot).used } : {}),
  };
};

const doubt: Deed = (draft, slot) => {
  const { kind } = slot;
  const knows = kind === 'cache' || draft.random.int(2) === 0;
  return {
    kind: 'doubt',
    slot,
    answered: draft.random.int(2) === 0,
    expiredOwner: isDeferred(slot) ? inHand(draft, slot) : null,
    ...(draft.random.int(2) === 0 ? { atLeast: draft.random.int(20) + 1 } : {}),
    ...(kind === undefined || kind === 'live' || !knows ? {} : { closing: closingFor(draft, kind) }),
  };
};

const fail: Deed = (draft, slot) => ({
  kind: 'fail',
  slot,
  anomalyId: nameOf(draft, 'x'),
  ...(isDeferred(slot) ? { owner: inHand(draft, slot) } : {}),
});

const itemStates = ['completed', 'completed', 'failed', 'cancelled', 'unknown', 'waiting'] as const;
const itemsPerBatch = 4;

/** Items are handed over once; any that was may end. */
const items: Deed = (draft, slot) => {
  const { random } = draft;
  const hand = handOf(draft, slot);
  const begins = hand.place < itemsPerBatch && random.int(3) > 0 ? [hand.place] : [];
  const ends = [random.int(hand.place || 1)].filter((place) => !begins.includes(place) && random.int(4) > 0);
  hand.place += begins.length;
  return {
    kind: 'items',
    slot,
    owner: inHand(draft, slot),
    ends: ends.map((place) => ({ place, state: pick(random, itemStates) })),
    start: begins,
  };
};

const cancel: Deed = (_, slot) => ({ kind: 'cancel', slot });

const look: Deed = (draft, slot) => {
  const name = nameOf(draft, 'look');
  handOf(draft, slot).look = name;
  return { kind: 'look', slot, name, users: draft.slots.filter((one) => one !== slot) };
};

const remove: Deed = (draft, slot) => {
  const { look: seen, parent } = handOf(draft, slot);
  if (seen === 'none' && draft.random.int(16) > 0) return look(draft, slot);
  return { kind: 'delete', slot, look: seen, parent };
};

const canExpire = ({ kind }: Slot): boolean => kind === 'cache' || kind === 'video' || kind === 'environment';

/** What a sweep does with a resource that it has claimed. */
const tend: Deed = (draft, slot) => {
  const resource = draft.model.resources.get(slot.operationId);
  const claim = resource?.owner ?? 'sweep:none';
  const isGone = resource?.availability === 'deleted' || resource?.availability === 'expired';
  if (isGone || draft.random.int(8) === 0) return { kind: 'clear', slot, claim };
  if (canExpire(slot)) return { kind: 'expire', slot, claim, parent: handOf(draft, slot).parent };
  const dueAfter = draft.random.int(2) === 0 ? null : draft.random.int(5);
  return { kind: 'fade', slot, claim, mark: draft.random.int(5), dueAfter };
};

const changeTtl: Deed = ({ random }, slot) => ({
  kind: 'changeTtl',
  slot,
  ttl: 1 + random.int(random.int(4) === 0 ? 60 : 12),
  step: random.int(2) === 0 ? 'reserve' : 'apply',
});

const endEarly: Deed = (draft, slot) => {
  const { look: seen } = handOf(draft, slot);
  if (seen === 'none') return look(draft, slot);
  return { kind: 'end_early', slot, look: seen, owner: pick(draft.random, processes) };
};

/** What a client does after a look: by then it may be in use. */
export const endIt: Deed = (draft, slot) =>
  operationOf(draft, slot)?.state === 'processing' ? endEarly(draft, slot) : remove(draft, slot);

const purge: Deed = (draft, slot) => {
  const { parent } = handOf(draft, slot);
  const owner = draft.random.int(8) === 0 ? null : (operationOf(draft, slot)?.owner ?? null);
  return { kind: 'purge', slot, owner, ...(parent === null ? {} : { parent }) };
};

const takeAccess: Deed = (draft, slot) => {
  const owner = draft.random.int(2) === 0 ? nameOf(draft, 'socket') : 'socket';
  return { kind: 'take_access', slot, right: draft.random.int(6) > 0, owner };
};

const resolveIt: Deed = (draft) => resolve(draft);
const reopen: Deed = (draft) => openWork(draft);

const working = ({ kind }: Slot): readonly Deed[] => {
  if (kind === undefined) return [settle, settle, settle, fail, doubt];
  if (kind === 'live') return [settle, settle, fail, doubt, takeAccess];
  const goesOn = Array.from({ length: 8 }, () => (kind === 'batch' ? items : keep));
  const common = [...goesOn, keep, settle, settle, settle, putBack, doubt, fail];
  return [...common, cancel];
};

const ended = [look, look, remove, remove, claimResource, claimResource, tend, claimOperation, purge, settle] as const;

/** What would come next for an operation that stands so. */
const deedsOf = (draft: Draft, slot: Slot): readonly Deed[] => {
  const operation = operationOf(draft, slot);
  const resource = draft.model.resources.get(slot.operationId);
  const isUsable = resource?.availability === 'active';
  const isClaimed = operation?.owner?.startsWith('sweep:') === true;
  switch (operation?.state) {
    case undefined:
      return [reopen];
    case 'reserved':
      if (slot.kind === 'live') return [takeAccess, takeAccess, takeAccess, claimOperation, fail];
      return isClaimed ? [start, start, start, start, putBack, cancel, fail] : [claimOperation, claimOperation, cancel];
    case 'processing':
    case 'cancelling':
      if (isClaimed) return [start, start, start, start, settle, putBack, ...(isUsable ? [changeTtl, changeTtl] : [])];
      if (operation.owner !== null) return working(slot);
      if (isUsable)
        return [look, look, look, reopen, endEarly, endEarly, changeTtl, changeTtl, changeTtl, claimOperation];
      return [claimOperation, claimOperation, claimOperation, cancel, settle];
    case 'uncertain':
      return [resolveIt, resolveIt, settle, items, cancel, keep];
    case 'completed':
    case 'failed':
      if (resource === undefined) return [claimOperation, purge];
      if (resource.owner !== null) return [tend, tend, tend, remove];
      return [...ended, ...(isUsable ? [reopen, reopen] : [])];
  }
};

/** Kinds that a client can cancel: others are not asked. */
const isCancellable = ({ kind }: Slot): boolean => kind === 'batch' || kind === 'interaction';

const anything: readonly Deed[] = [
  start,
  keep,
  putBack,
  settle,
  fail,
  doubt,
  cancel,
  look,
  remove,
  tend,
  changeTtl,
  purge,
];
const forResources: ReadonlySet<Deed> = new Set([
  keep,
  look,
  remove,
  tend,
  changeTtl,
  endEarly,
  claimResource,
  start,
  putBack,
]);
const forWork: ReadonlySet<Deed> = new Set([settle, fail, doubt, start, keep, putBack, changeTtl, endEarly]);

const fits = (deed: Deed, slot: Slot): boolean => {
  if (deed === cancel) return isCancellable(slot);
  if (deed === items) return slot.kind === 'batch';
  const hasResource = slot.kind !== undefined && slot.kind !== 'live';
  return (hasResource || !forResources.has(deed)) && !(isFree(slot.kind) && forWork.has(deed));
};

/** What comes next for a slot, and now and then anything that can be done with its kind. */
export const workOn: Deed = (draft, slot) => {
  const { random } = draft;
  const deeds = random.int(16) === 0 ? anything : deedsOf(draft, slot);
  const fit = deeds.filter((deed) => fits(deed, slot));
  const deed = fit[random.int(fit.length || 1)] ?? claimOperation;
  return deed(draft, slot);
};
