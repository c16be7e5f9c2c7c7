import type { OperationRecord, ResourceRecord, Write } from '@tollgate/storage';
import { isEffect, outcomeOf, slotsOf, type ObservedStep } from './observed-step.ts';
import type { Command } from './command.ts';
import type { Slot } from './slot.ts';
import { found, type Found } from './violation.ts';

const identityOf = ({ projectId, identity }: Slot): string | null =>
  identity === null ? null : `${projectId}:${identity}`;

/** Retention has taken the record: what was known by it may begin anew. */
const forget = ({ book }: ObservedStep, slot: Slot): void => {
  const identity = identityOf(slot);
  if (identity !== null) book.identities.delete(identity);
  book.executors.delete(slot.operationId);
  book.debits.delete(slot.operationId);
  book.effects.clear();
};

const checkStarted = ({ book, root }: ObservedStep, slot: Slot): Found => {
  const executor = book.executors.get(slot.operationId);
  if (executor !== undefined && executor !== root)
    return found('one_execution_an_operation', `${slot.operationId} was started by step ${executor} and ${root}`);
  book.executors.set(slot.operationId, root);
  const identity = identityOf(slot);
  if (identity === null) return null;
  const known = book.identities.get(identity);
  if (known !== undefined && known !== slot.operationId)
    return found('one_operation_an_identity', `${identity} started ${known} and ${slot.operationId}`);
  book.identities.set(identity, slot.operationId);
  return null;
};

const checkClaim = ({ map }: ObservedStep, slot: Slot): Found => {
  const identity = identityOf(slot);
  if (identity === null) return null;
  const claim = map.records.get('identity', identity);
  if (claim !== undefined && map.records.get('operation', claim.operationId) === undefined)
    return found('identity_lives_with_its_operation', `${identity} stands for ${claim.operationId}, which is gone`);
  const operation = map.records.get('operation', slot.operationId);
  return operation !== undefined && claim === undefined
    ? found('identity_lives_with_its_operation', `${identity} is free while ${slot.operationId} is kept`)
    : null;
};

/** Looks at identities and executions after a step was applied. */
export const checkIdentity = (step: ObservedStep): Found => {
  const outcome = outcomeOf(step.told.text);
  for (const slot of slotsOf(step.command.body)) {
    if (outcome === 'record_removed') forget(step, slot);
    const wrong = (outcome === 'started' ? checkStarted(step, slot) : null) ?? checkClaim(step, slot);
    if (wrong !== null) return wrong;
  }
  return null;
};

const sameMoney = (before: OperationRecord | undefined, after: OperationRecord): boolean =>
  before !== undefined &&
  before.state === after.state &&
  before.holdMicros === after.holdMicros &&
  before.chargedMicros === after.chargedMicros &&
  before.captures === after.captures &&
  before.pendingMicros === after.pendingMicros;

/** A mark that is kept again is the same mark. */
const sameResource = (before: ResourceRecord | undefined, after: ResourceRecord): boolean =>
  before !== undefined &&
  before.availability === after.availability &&
  before.uses === after.uses &&
  JSON.stringify(before.work) === JSON.stringify(after.work);

/** What may be noted beside a command that has done its work. */
const aside: ReadonlySet<string> = new Set(['anomaly', 'answer', 'toolContext', 'pendingBlob']);

const changesSomething = (step: ObservedStep, write: Write): boolean => {
  if (aside.has(write.table)) return false;
  if (write.kind === 'put' && write.table === 'resource')
    return !sameResource(step.map.records.get('resource', write.record.id), write.record);
  if (write.kind === 'put' && write.table === 'operation')
    return !sameMoney(step.map.records.get('operation', write.record.id), write.record);
  return true;
};

/** What a command that has done its work may say when it is sent again at once. */
const again: Readonly<Record<string, readonly string[]>> = {
  settled: ['ended completed', 'repeated', 'not_pending'],
  failed: ['ended failed', 'repeated'],
  done: ['repeated'],
  answer_purged: ['answer_purged', 'record_removed', 'kept'],
  record_removed: ['kept'],
  kept: ['kept', 'lost'],
  put_back: ['lost'],
  dropped: ['unchanged failed'],
  cancelling: ['unchanged cancelling'],
  deleted: ['missing'],
  expired: ['missing'],
  cleared: ['lost'],
  faded: ['lost'],
  ending: ['busy'],
  staged: ['staged already'],
  gone: ['lost'],
  told: ['lost'],
  noted: ['lost'],
  occurred: ['lost'],
  skipped: ['lost'],
  missed: ['lost'],
  fanned: ['fanned 0'],
  changed: ['changed', 'none'],
  collected: ['none'],
};

const tellsTheSame = (first: string, second: string): boolean => {
  const allowed = again[outcomeOf(first)];
  return allowed === undefined ? first === second : allowed.some((text) => second.startsWith(text));
};

/** What could be used, or was usable, may have ended meanwhile. */
const goesByTime = ({ body, waitMs }: Command): boolean =>
  waitMs > 0 && (body.kind === 'changeTtl' || body.kind === 'take_access' || (body.kind === 'open' && 'uses' in body));

/** Looks at a command that was sent before, before its step is applied. `last` is what the step before it returned. */
export const checkRepetition = (step: ObservedStep, last: string | null): Found => {
  const { book, command, told, root, writes } = step;
  const outcome = outcomeOf(told.text);
  const effect = book.effects.get(root);
  if (effect !== undefined) {
    const write = writes.find((one) => changesSomething(step, one));
    if (write !== undefined)
      return found('repeating_changes_nothing', `it was ${effect}, and now writes ${write.table}`);
  } else if (isEffect(command.body, outcome)) book.effects.set(root, outcome);
  if (last === null || goesByTime(command) || tellsTheSame(last, told.text)) return null;
  return found('repeating_tells_the_same', `first ${last}, then ${told.text}`);
};
