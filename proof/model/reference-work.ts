import { accountOf, freeOf, isOver, type Model, type ModelOperation, type ModelRow, type Moment } from './model.ts';
import { tellEvent } from './reference-events.ts';
import { endOperation } from './reference-money.ts';
import { accessRefusal } from './reference-open.ts';
import { uncount } from './reference-resources.ts';
import { leaseMs, recordKeptMs, type Slot } from './slot.ts';
import { keptRate, stagedMs, type ClaimedTable, type WorkBody } from './work-command.ts';

type Of<K extends WorkBody['kind']> = Extract<WorkBody, { readonly kind: K }>;

/** The row that a claim names. */
export const rowOf = (model: Model, of: ClaimedTable, id: string): ModelRow | undefined => {
  switch (of) {
    case 'operation':
      return model.operations.get(id);
    case 'resource':
      return model.resources.get(id);
    case 'pendingBlob':
      return model.blobs.get(id);
    case 'outbox':
      return model.outbox.get(id);
    case 'delivery':
      return model.deliveries.get(id);
    case 'trigger':
      return model.triggers.get(id);
    case 'occurrence':
      return model.occurrences.get(model.latest.get(id) ?? '');
  }
};

const claim = (model: Model, { of, id, owner }: Of<'claim'>, { ms }: Moment): string => {
  const row = rowOf(model, of, id);
  if (row === undefined || row.due === null || row.due > ms) return 'not_due';
  Object.assign(row, { owner, due: ms + leaseMs });
  model.claims.set(`${of} ${owner}`, { ...row, id: of === 'occurrence' ? model.latest.get(id) : id });
  return 'claimed';
};

const isRunning = ({ state }: ModelOperation): boolean => state === 'processing' || state === 'cancelling';

const start = (model: Model, { slot, claimedBy, owner }: Of<'start'>, { ms }: Moment): string => {
  const operation = model.operations.get(slot.operationId);
  if (operation === undefined || (operation.owner !== claimedBy && operation.owner !== owner)) return 'lost';
  if (operation.state === 'reserved') operation.state = 'processing';
  else if (!isRunning(operation)) return 'lost';
  Object.assign(operation, { owner, due: ms + leaseMs });
  return 'begun';
};

const keep = (model: Model, { slot, owner, mark, next, after }: Of<'keep'>, { ms }: Moment): string => {
  const operation = model.operations.get(slot.operationId);
  const resource = model.resources.get(slot.operationId);
  if (operation === undefined || resource === undefined || !isRunning(operation) || operation.owner !== owner)
    return 'lost';
  Object.assign(operation, next === 'lease' ? { due: ms + leaseMs } : { owner: null, due: ms + after });
  Object.assign(resource, { mark, waiting: null, endedAt: null });
  if (next === 'active') Object.assign(resource, { availability: 'active', expires: ms + after });
  return 'kept';
};

const putBack = (model: Model, { slot, claimedBy, after }: Of<'put_back'>, { ms }: Moment): string => {
  const operation = model.operations.get(slot.operationId);
  if (operation === undefined || isOver(operation) || operation.owner !== claimedBy) return 'lost';
  Object.assign(operation, { owner: null, due: ms + after });
  return 'put_back';
};

/** Frees what was never handed over, and asks the worker of the rest to stop. */
const cancel = (model: Model, { slot }: Of<'cancel'>, now: Moment): string => {
  const operation = model.operations.get(slot.operationId);
  if (operation === undefined) return 'missing';
  if (operation.state === 'reserved') {
    endOperation(operation, 'failed', operation.createdAtMs + recordKeptMs);
    accountOf(model, slot.accountId).seq += 1;
    tellEvent(model, operation, now);
    return 'dropped';
  }
  if (operation.state !== 'processing') return `unchanged ${operation.state}`;
  operation.state = 'cancelling';
  // No worker has it: it is processed now.
  if (operation.owner === null) operation.due = now.ms;
  return 'cancelling';
};

const look = (model: Model, { slot, name, users }: Of<'look'>): string => {
  const resource = model.resources.get(slot.operationId);
  if (resource === undefined) return 'missing';
  const isOpen = ({ operationId }: Slot): boolean => {
    const operation = model.operations.get(operationId);
    return operation !== undefined && !isOver(operation);
  };
  const noted = users.filter(({ operationId }) => model.uses.has(`${slot.operationId}:${operationId}`));
  const found = { uses: resource.uses, inUse: noted.some(isOpen) };
  model.looks.set(name, found);
  return `looked ${found.uses} ${found.inUse}`;
};

interface End {
  readonly slot: Slot;
  readonly availability: 'deleted' | 'expired';
  /** As they were counted when it was read. */
  readonly uses: number;
}

const endWhat = (model: Model, { slot, availability, uses }: End, { ms }: Moment): string => {
  const operation = model.operations.get(slot.operationId);
  const resource = model.resources.get(slot.operationId);
  if (operation === undefined || resource === undefined || resource.availability === 'deleted') return 'missing';
  if (!isOver(operation)) return 'busy';
  if (resource.uses !== uses) return 'stale';
  Object.assign(resource, {
    availability,
    owner: null,
    due: ms,
    deleted: availability === 'deleted' || resource.deleted,
  });
  uncount(model, resource);
  // The record of what could be used ages from now on.
  if (operation.due === null) operation.due = Math.max(ms, operation.createdAtMs + recordKeptMs);
  return availability;
};

const remove = (model: Model, body: Of<'delete'>, now: Moment): string => {
  const seen = model.looks.get(body.look);
  if (seen === undefined) return 'not_looked';
  return seen.inUse ? 'in_use' : endWhat(model, { slot: body.slot, availability: 'deleted', uses: seen.uses }, now);
};

interface ClaimedResource {
  readonly uses: number;
  readonly availability: string;
}

const claimedAs = (model: Model, name: string): ClaimedResource | undefined =>
  // Claims of resources have names of their own.
  model.claims.get(`resource ${name}`) as ClaimedResource | undefined;

const isGone = (availability: string): boolean => availability === 'deleted' || availability === 'expired';

const expire = (model: Model, body: Of<'expire'>, now: Moment): string => {
  const claimed = claimedAs(model, body.claim);
  if (claimed === undefined || isGone(claimed.availability)) return 'not_due';
  if (model.resources.get(body.slot.operationId)?.owner !== body.claim) return 'missing';
  return endWhat(model, { slot: body.slot, availability: 'expired', uses: claimed.uses }, now);
};

const clear = (model: Model, { slot, claim: name }: Of<'clear'>): string => {
  const claimed = claimedAs(model, name);
  if (claimed === undefined || !isGone(claimed.availability)) return 'not_due';
  const resource = model.resources.get(slot.operationId);
  if (resource === undefined || resource.owner !== name) return 'lost';
  Object.assign(resource, { mark: null, waiting: null, endedAt: null, owner: null, due: null });
  return 'cleared';
};

const fade = (model: Model, { slot, claim: name, mark, dueAfter }: Of<'fade'>, { ms }: Moment): string => {
  const claimed = claimedAs(model, name);
  if (claimed === undefined || isGone(claimed.availability)) return 'not_due';
  const resource = model.resources.get(slot.operationId);
  if (resource === undefined || resource.owner !== name || resource.deleted) return 'lost';
  const due = dueAfter === null ? null : ms + dueAfter;
  Object.assign(resource, { mark, waiting: null, endedAt: null, owner: null, due });
  return 'faded';
};

/** The hold covers all the time from the beginning to the new end. */
const changeTtl = (model: Model, { slot, ttl, step }: Of<'changeTtl'>, { ms }: Moment): string => {
  const operation = model.operations.get(slot.operationId);
  const resource = model.resources.get(slot.operationId);
  if (operation?.state !== 'processing' || operation.owner !== null || resource?.availability !== 'active')
    return 'missing';
  if (resource.expires === null || resource.expires <= ms) return 'missing';
  const wanted = keptRate * (ms + ttl - operation.createdAtMs);
  const hold = step === 'apply' ? wanted : Math.max(wanted, operation.hold);
  if (hold - operation.hold > freeOf(model, slot.accountId)) return 'insufficient';
  if (hold !== operation.hold) accountOf(model, slot.accountId).seq += 1;
  operation.hold = hold;
  if (step === 'apply') {
    operation.due = ms + ttl;
    resource.expires = ms + ttl;
  }
  return 'ttl_changed';
};

const endEarly = (model: Model, { slot, look: name, owner }: Of<'end_early'>, { ms }: Moment): string => {
  const seen = model.looks.get(name);
  if (seen === undefined) return 'not_looked';
  if (seen.inUse) return 'in_use';
  const operation = model.operations.get(slot.operationId);
  const resource = model.resources.get(slot.operationId);
  if (operation?.state !== 'processing' || resource?.availability !== 'active' || operation.owner !== null)
    return 'busy';
  if (resource.uses !== seen.uses) return 'stale';
  Object.assign(operation, { owner, due: ms + leaseMs });
  resource.availability = 'follows';
  if (resource.mark !== null || resource.waiting !== null) resource.endedAt = ms;
  return 'ending';
};

const endItem = (was: string, state: string, isOurs: boolean): boolean => {
  const isTruth = state === 'completed' || state === 'failed';
  if (was === 'waiting') return isOurs && state !== 'waiting';
  if (was === 'running') return isOurs || isTruth;
  return was === 'unknown' && isTruth;
};

const items = (model: Model, { slot, owner, ends, start: begun }: Of<'items'>, { ms }: Moment): string => {
  const id = slot.operationId;
  const operation = model.operations.get(id);
  const resource = model.resources.get(id);
  if (operation === undefined || resource === undefined || isOver(operation)) return 'off';
  const isOurs = isRunning(operation) && operation.owner === owner;
  for (const { place, state } of ends) {
    const was = model.items.get(`${id}:${place}`);
    if (was === undefined || !endItem(was, state, isOurs)) continue;
    model.items.set(`${id}:${place}`, state);
    if (state === 'completed') resource.completedItems += 1;
    if (state === 'failed') resource.failedItems += 1;
  }
  if (!isOurs) return 'off';
  operation.due = ms + leaseMs;
  const open = begun.filter((place) => ['waiting', 'running'].includes(model.items.get(`${id}:${place}`) ?? ''));
  const stops = operation.state === 'cancelling';
  for (const place of open) model.items.set(`${id}:${place}`, stops ? 'cancelled' : 'running');
  return `going ${stops ? '' : open.join()} ${stops}`;
};

const takeAccess = (model: Model, { slot, right, owner }: Of<'take_access'>, { ms }: Moment): string => {
  const operation = model.operations.get(slot.operationId);
  const session = model.sessions.get(slot.operationId);
  if (operation === undefined || session === undefined || !right) return 'refused';
  if (session.opened && operation.state === 'processing' && operation.owner === owner) return 'taken';
  const isSwept = operation.owner?.startsWith('sweep:') ?? false;
  if (operation.state !== 'reserved' || session.opened || ms >= session.until || isSwept) return 'refused';
  if (accessRefusal(model, slot) !== null) return 'refused';
  session.opened = true;
  Object.assign(operation, { state: 'processing', owner, due: ms + leaseMs });
  return 'taken';
};

const stage = (model: Model, { blob }: Of<'stage'>, { ms }: Moment): string => {
  if (model.blobs.has(blob)) return 'staged already';
  model.blobs.set(blob, { owner: null, due: ms + stagedMs });
  return 'staged';
};

/** Does what a command about work says and returns it. */
export const answerWork = (model: Model, body: WorkBody, now: Moment): string => {
  switch (body.kind) {
    case 'claim':
      return claim(model, body, now);
    case 'start':
      return start(model, body, now);
    case 'keep':
      return keep(model, body, now);
    case 'put_back':
      return putBack(model, body, now);
    case 'cancel':
      return cancel(model, body, now);
    case 'look':
      return look(model, body);
    case 'delete':
      return remove(model, body, now);
    case 'expire':
      return expire(model, body, now);
    case 'clear':
      return clear(model, body);
    case 'fade':
      return fade(model, body, now);
    case 'changeTtl':
      return changeTtl(model, body, now);
    case 'end_early':
      return endEarly(model, body, now);
    case 'items':
      return items(model, body, now);
    case 'take_access':
      return takeAccess(model, body, now);
    case 'stage':
      return stage(model, body, now);
  }
};
