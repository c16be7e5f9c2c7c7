import type { CommandBody } from './command.ts';
import { nameOf, pick, type Draft } from './draft.ts';
import { eventIdOf, type DeliveryOutcome } from './event-command.ts';
import { places, type Slot } from './slot.ts';
import type { ClaimedTable } from './work-command.ts';

/** Two webhooks of the first project, one of the second. */
const hooks = [
  { hookId: 'h1', projectId: 'p1' },
  { hookId: 'h2', projectId: 'p1' },
  { hookId: 'h3', projectId: 'p2' },
] as const;

const someHook = ({ random, prefix }: Draft) => {
  const { hookId, projectId } = hooks[Math.max(0, random.int(5) - 2)] ?? hooks[0];
  return { hookId: prefix + hookId, projectId: prefix + projectId };
};

const eventLists = [
  ['request.completed', 'request.failed'],
  ['request.completed', 'request.failed'],
  ['request.completed'],
  ['request.failed'],
] as const;

export const createHook = (draft: Draft): CommandBody => ({
  kind: 'create_webhook',
  ...someHook(draft),
  events: pick(draft.random, eventLists),
});

export const changeHook = (draft: Draft): CommandBody => ({
  kind: 'change_webhook',
  ...someHook(draft),
  change: pick(draft.random, ['pause', 'pause', 'resume', 'resume', 'delete', 'rotate', 'rotate'] as const),
  number: draft.commands.length,
});

const claim = (draft: Draft, of: ClaimedTable, id: string, slot: Slot | null = null): CommandBody => ({
  kind: 'claim',
  of,
  id,
  slot,
  owner: nameOf(draft, 'sweep:'),
});

/** The first claim of a row that the history has made: others may have followed. */
const firstClaim = ({ commands }: Draft, of: ClaimedTable, id: string): string => {
  for (const { body } of commands) if (body.kind === 'claim' && body.of === of && body.id === id) return body.owner;
  return 'sweep:none';
};

const isClaimed = (owner: string | null): boolean => owner?.startsWith('sweep:') === true;

/** What comes next for the event of an operation. */
export const processEvent = (draft: Draft, slot: Slot): CommandBody => {
  const owner = draft.model.outbox.get(slot.operationId)?.owner ?? null;
  const isNoise = draft.random.int(5) === 0;
  const first = firstClaim(draft, 'outbox', slot.operationId);
  return isClaimed(owner) !== isNoise
    ? { kind: 'fan_out', slot, claim: draft.random.int(2) === 0 ? first : (owner ?? first) }
    : claim(draft, 'outbox', slot.operationId, slot);
};

const outcomes: readonly [DeliveryOutcome, ...DeliveryOutcome[]] = [
  'acknowledged',
  'refused',
  'refused',
  'refused',
  'skipped',
  'postponed',
];

/** Some receivers never acknowledge. */
export const isStubborn = ({ slots: [first] }: Draft): boolean => first.identity === null;

/** One of the deliveries that there are; now and then one that there is not. */
const someDelivery = (draft: Draft, slot: Slot) => {
  const ids = [...draft.model.deliveries.keys()];
  const { hookId } = someHook(draft);
  const none = { hookId, deliveryId: `${eventIdOf(slot.operationId)}:${hookId}` };
  const id = ids[draft.random.int(ids.length || 1)];
  if (id === undefined || draft.random.int(8) === 0) return none;
  return { deliveryId: id, hookId: id.slice(id.lastIndexOf(':') + 1) };
};

/** What comes next for a delivery. */
export const processDelivery = (draft: Draft, slot: Slot): CommandBody => {
  const { random, model } = draft;
  if (model.deliveries.size === 0 && random.int(16) > 0) return processEvent(draft, slot);
  const { deliveryId, hookId } = someDelivery(draft, slot);
  const delivery = model.deliveries.get(deliveryId);
  const isNoise = random.int(8) === 0;
  if (delivery === undefined || isClaimed(delivery.owner) === isNoise) return claim(draft, 'delivery', deliveryId);
  const first = firstClaim(draft, 'delivery', deliveryId);
  const owner = delivery.owner ?? first;
  if (random.int(24) === 0) return { kind: 'purge_delivery', deliveryId, claim: first };
  if (random.int(24) === 0) return { kind: 'redeliver', deliveryId, hookId };
  if (delivery.status !== 'pending')
    return random.int(3) === 0
      ? { kind: 'redeliver', deliveryId, hookId }
      : { kind: 'purge_delivery', deliveryId, claim: owner };
  return {
    kind: 'conclude_delivery',
    deliveryId,
    claim: random.int(8) === 0 ? first : owner,
    outcome: isStubborn(draft) && random.int(16) > 0 ? 'refused' : pick(random, outcomes),
    retryAfter: random.int(4) === 0 ? random.int(40) * 1_000_000 : null,
    halves: random.int(2) === 0 ? 0 : 1,
  };
};

const triggers = ['t1', 't1', 't1', 't2'] as const;

const someTrigger = ({ random, prefix }: Draft) => {
  const name = pick(random, triggers);
  const place = places[name === 't1' ? 0 : 1];
  return { triggerId: prefix + name, projectId: prefix + place.projectId, place };
};

export const createTrigger = (draft: Draft): CommandBody => {
  const { triggerId, projectId, place } = someTrigger(draft);
  const { prefix } = draft;
  const access = { keyId: prefix + place.keyId, accountId: prefix + place.accountId };
  return { kind: 'create_trigger', triggerId, projectId, ...access };
};

export const changeTrigger = (draft: Draft): CommandBody => {
  const { triggerId, projectId } = someTrigger(draft);
  const change = pick(draft.random, ['pause', 'pause', 'resume', 'resume', 'resume', 'delete'] as const);
  return { kind: 'change_trigger', triggerId, projectId, change };
};

/** What comes next for a schedule. */
export const processTrigger = (draft: Draft): CommandBody => {
  const { random, model, slots } = draft;
  const { triggerId } = someTrigger(draft);
  const trigger = model.triggers.get(triggerId);
  if (trigger === undefined) return createTrigger(draft);
  if (!isClaimed(trigger.owner) || random.int(10) === 0) return claim(draft, 'trigger', triggerId);
  const { operationId } = slots[random.int(slots.length)] ?? slots[0];
  const previousPending = random.int(4) === 0;
  return { kind: 'occur', triggerId, claim: trigger.owner ?? '', previousPending, operationId };
};

const ends = [
  'opened',
  'opened',
  'not_opened',
  'not_opened',
  'prevented',
  'prevented',
  'prevented',
  'completed',
  'failed',
] as const;

/** What comes next for the latest occurrence of a schedule. */
export const processOccurrence = (draft: Draft): CommandBody => {
  const { random, model } = draft;
  const { triggerId } = someTrigger(draft);
  const occurrence = model.occurrences.get(model.latest.get(triggerId) ?? '');
  if (occurrence === undefined) return processTrigger(draft);
  if (!isClaimed(occurrence.owner) || random.int(10) === 0) return claim(draft, 'occurrence', triggerId);
  const owner = occurrence.owner ?? '';
  const isOver = occurrence.status !== 'pending' && occurrence.status !== 'processing';
  if (isOver && random.int(8) > 0) return { kind: 'purge_occurrence', claim: owner };
  return { kind: 'conclude_occurrence', triggerId, claim: owner, outcome: pick(random, ends) };
};
