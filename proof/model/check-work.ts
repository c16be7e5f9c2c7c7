import { isResourceKind, statesByKind, type ResourceKind } from '@tollgate/contract';
import type { OperationRecord, ResourceRecord } from '@tollgate/storage';
import type { CommandBody } from './command.ts';
import { outcomeOf, type ObservedStep } from './observed-step.ts';
import type { RecordMap } from './record-map.ts';
import type { Slot } from './slot.ts';
import { found, type Found } from './violation.ts';
import type { SlotUse } from './work-command.ts';

type Of<K extends CommandBody['kind']> = Extract<CommandBody, { readonly kind: K }>;

/** A row that must be claimed for a response to be given. */
interface Duty {
  readonly id: string;
  readonly owner: string | null | undefined;
  readonly may: readonly string[];
  /** The answer that says that one may go on. */
  readonly word: string;
}

const operationDuty = (map: RecordMap, { operationId }: Slot, may: readonly string[], word: string): Duty => ({
  id: operationId,
  owner: map.records.get('operation', operationId)?.owner,
  may,
  word,
});

const resourceDuty = (map: RecordMap, { operationId }: Slot, claim: string, word: string): Duty => ({
  id: operationId,
  owner: map.records.get('resource', operationId)?.owner,
  may: [claim],
  word,
});

/** What is uncertain already stays so, however often it is marked. */
const uncertainDuty = (map: RecordMap, { slot, expiredOwner }: Of<'doubt'>): Duty | null =>
  expiredOwner === null || map.records.get('operation', slot.operationId)?.state === 'uncertain'
    ? null
    : operationDuty(map, slot, [expiredOwner], 'uncertain');

const dutyOf = (body: CommandBody, map: RecordMap): Duty | null => {
  if (body.kind === 'start') return operationDuty(map, body.slot, [body.claimedBy, body.owner], 'begun');
  if (body.kind === 'keep') return operationDuty(map, body.slot, [body.owner], 'kept');
  if (body.kind === 'items') return operationDuty(map, body.slot, [body.owner], 'going');
  if (body.kind === 'fail')
    return body.owner === undefined ? null : operationDuty(map, body.slot, [body.owner], 'failed');
  if (body.kind === 'doubt') return uncertainDuty(map, body);
  if (body.kind === 'put_back') return operationDuty(map, body.slot, [body.claimedBy], 'put_back');
  if (body.kind === 'clear') return resourceDuty(map, body.slot, body.claim, 'cleared');
  if (body.kind === 'fade') return resourceDuty(map, body.slot, body.claim, 'faded');
  if (body.kind !== 'conclude_delivery') return null;
  const owner = map.records.get('delivery', body.deliveryId)?.owner;
  return { id: body.deliveryId, owner, may: [body.claim], word: 'told' };
};

/** Only the owner of a row may go on. */
const checkOwner = ({ command: { body }, told, map }: ObservedStep): Found => {
  const duty = dutyOf(body, map);
  if (duty === null || outcomeOf(told.text) !== duty.word || duty.may.includes(duty.owner ?? '')) return null;
  return found('works_on_its_own', `${duty.id} is in the hands of ${duty.owner ?? 'nobody'}`);
};

const isPast = ({ kind, expiresAtMs }: ResourceRecord, nowMs: number): boolean => {
  // Resources are of these kinds.
  const states: readonly string[] = statesByKind[kind as ResourceKind];
  return states.includes('expired') && expiresAtMs !== null && expiresAtMs <= nowMs;
};

const isUsable = (step: ObservedStep, use: SlotUse, projectId: string): boolean => {
  const resource = step.map.records.get('resource', use.id);
  if (resource === undefined || resource.projectId !== projectId || isPast(resource, step.nowMs)) return false;
  if (resource.availability === 'active' || resource.availability === 'requires_action') return true;
  const state = step.map.records.get('operation', use.id)?.state;
  return resource.availability === 'follows' && use.whenCompleted && state === 'completed';
};

/** Whatever an operation begins with can be used in that moment. */
const checkUses = (step: ObservedStep, { slot, uses = [] }: Of<'open'>): Found => {
  if (outcomeOf(step.told.text) !== 'started' || step.root !== step.at) return null;
  const wrong = uses.find((use) => !isUsable(step, use, slot.projectId));
  return wrong === undefined ? null : found('ended_is_not_used', `${slot.operationId} uses ${wrong.id}`);
};

const isUser = (step: ObservedStep, resourceId: string, { id, endedAtMs }: OperationRecord): boolean =>
  endedAtMs === null && step.map.records.get('resourceUse', `${resourceId}:${id}`) !== undefined;

/** A turn that has lost its lease learns it, whichever worker has the work by then, and if none has. */
const checkRenewal = ({ told, map }: ObservedStep, { leases }: Of<'renew'>): Found => {
  const lost = told.text.slice('lost '.length).split(',');
  for (const { slot, owner } of leases) {
    const operation = map.records.get('operation', slot.operationId);
    if (operation === undefined || lost.includes(operation.id)) continue;
    if (isResourceKind(operation.kind) && operation.owner !== owner)
      return found('works_on_its_own', `${owner} renews ${operation.id} of ${operation.owner ?? 'nobody'}`);
  }
  return null;
};

/** A resource in use is not deleted. */
const checkDeletion = (step: ObservedStep, resourceId: string): Found => {
  if (outcomeOf(step.told.text) !== 'deleted') return null;
  for (const record of step.map.tables.get('operation')?.values() ?? []) {
    // The table of operations holds nothing else.
    const operation = record as OperationRecord;
    if (isUser(step, resourceId, operation)) return found('used_is_kept', `${operation.id} uses ${resourceId}`);
  }
  return null;
};

/** An item is handed over by one step, however often that is sent. */
const checkItems = ({ told, book, root }: ObservedStep, { slot }: Of<'items'>): Found => {
  const [outcome, begun = ''] = told.text.split(' ');
  if (outcome !== 'going' || begun === '') return null;
  for (const place of begun.split(',')) {
    const id = `${slot.operationId}:${place}`;
    const first = book.begun.get(id) ?? root;
    if (first !== root) return found('items_begin_once', `${id} was begun by step ${first} and ${root}`);
    book.begun.set(id, root);
  }
  return null;
};

/** Looks at what was decided about work, before it is applied. */
export const checkWork = (step: ObservedStep): Found => {
  const { body } = step.command;
  const wrong = checkOwner(step);
  if (wrong !== null) return wrong;
  if (body.kind === 'open') return checkUses(step, body);
  if (body.kind === 'renew') return checkRenewal(step, body);
  if (body.kind === 'delete') return checkDeletion(step, body.slot.operationId);
  return body.kind === 'items' ? checkItems(step, body) : null;
};
