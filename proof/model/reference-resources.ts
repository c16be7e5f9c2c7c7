import type { CommandBody } from './command.ts';
import type { Model, ModelOperation, ModelResource, Moment } from './model.ts';
import type { Closing, SlotUse } from './work-command.ts';

type Opening = Extract<CommandBody, { readonly kind: 'open' }>;

/** The kinds that show `expired`. */
const canExpire: ReadonlySet<string> = new Set(['cache', 'video', 'environment']);

const refuseUse = (model: Model, projectId: string, use: SlotUse, { ms }: Moment): string | null => {
  const resource = model.resources.get(use.id);
  if (resource === undefined || resource.projectId !== projectId || resource.kind !== use.kind) return 'not_found';
  const isPast = canExpire.has(use.kind) && resource.expires !== null && resource.expires <= ms;
  if (isPast || resource.availability === 'deleted' || resource.availability === 'expired') return 'not_found';
  if (resource.availability !== 'follows') return null;
  if (!use.whenCompleted) return 'request_in_progress';
  const state = model.operations.get(use.id)?.state;
  if (state === 'completed') return null;
  if (state === 'failed') return 'previous_request_failed';
  return state === 'uncertain' ? 'settlement_pending' : 'request_in_progress';
};

/** Why an opening lacks what it needs, or null. */
export const refuseNeeds = (model: Model, { slot, uses = [], guard = [] }: Opening, now: Moment): string | null => {
  for (const use of uses) {
    const refused = refuseUse(model, slot.projectId, use, now);
    if (refused !== null) return refused;
  }
  return guard.every((id) => model.blobs.get(id)?.owner === null) ? null : 'service_unavailable';
};

const guardedMs = 20;

/** What comes into being beside an operation, and what it begins to use. */
export const registerWork = (model: Model, body: Opening, { ms }: Moment): void => {
  const { slot, deferral, accessMs, uses = [], guard = [] } = body;
  const id = slot.operationId;
  if (accessMs !== undefined) model.sessions.set(id, { until: ms + accessMs, opened: false });
  if (deferral !== undefined && slot.kind !== undefined) {
    const expires = deferral.expiresAfter === null ? null : ms + deferral.expiresAfter;
    model.resources.set(id, {
      kind: slot.kind,
      projectId: slot.projectId,
      parent: deferral.parent,
      availability: deferral.execution === 'nothing' ? 'active' : 'follows',
      mark: 0,
      waiting: null,
      endedAt: null,
      uses: 0,
      expires,
      owner: null,
      due: expires,
      deleted: false,
      completedItems: 0,
      failedItems: 0,
      documents: 0,
    });
    for (let place = 0; place < deferral.items; place += 1) model.items.set(`${id}:${place}`, 'waiting');
  }
  for (const use of uses) noteUse(model, use, id, ms);
  const parent = slot.kind === 'document' ? model.resources.get(deferral?.parent ?? '') : undefined;
  if (parent !== undefined && uses.some((use) => use.id === deferral?.parent)) parent.documents += 1;
  for (const blob of guard) model.blobs.set(blob, { owner: null, due: ms + guardedMs });
};

const noteUse = (model: Model, use: SlotUse, operationId: string, ms: number): void => {
  const resource = model.resources.get(use.id);
  if (resource === undefined) return;
  resource.uses += 1;
  model.uses.add(`${use.id}:${operationId}`);
  if (use.kept === null) return;
  Object.assign(resource, { owner: null, expires: ms + use.kept, due: ms + use.kept });
};

const close = (resource: ModelResource, closing: Closing, ms: number): void => {
  const isGone = closing.availability === 'expired' || closing.availability === 'deleted';
  const kept = isGone ? resource.expires : null;
  resource.expires = closing.expiresAfter === null ? kept : ms + closing.expiresAfter;
  Object.assign(resource, {
    availability: closing.availability,
    mark: closing.mark,
    waiting: null,
    endedAt: null,
    owner: null,
    due: isGone ? ms : resource.expires,
    deleted: closing.availability === 'deleted',
  });
};

/** Closes a resource with its settlement; where that has to wait, it is kept what is to become of it. */
export const closeResource = (
  model: Model,
  { slot, state }: Pick<ModelOperation, 'slot' | 'state'>,
  given: Closing | null,
  { ms }: Moment,
): void => {
  const resource = model.resources.get(slot.operationId);
  const closing = given ?? resource?.waiting ?? null;
  if (resource === undefined || closing === null) return;
  if (state === 'completed') close(resource, closing, ms);
  else Object.assign(resource, { mark: null, waiting: closing, endedAt: null });
  for (const id of given?.blobs ?? []) model.blobs.delete(id);
  for (const id of given?.dropped ?? []) {
    const blob = model.blobs.get(id);
    if (blob?.owner === null) blob.due = ms;
  }
};

/** Takes a document out of the count of its store. */
export const uncount = (model: Model, { kind, parent: id }: ModelResource): void => {
  const parent = kind === 'document' && id !== null ? model.resources.get(id) : undefined;
  if (parent !== undefined && parent.availability !== 'deleted') parent.documents = Math.max(0, parent.documents - 1);
};

/** The settings of a session and the answers of a batch's items go with the first look of retention. */
export const purgeWork = (model: Model, id: string): void => {
  model.sessions.delete(id);
  for (const item of model.items.keys()) if (item.startsWith(`${id}:`)) model.items.delete(item);
};

/** Retention takes a resource with its operation. */
export const removeWork = (model: Model, id: string): void => {
  const resource = model.resources.get(id);
  if (resource === undefined) return;
  model.resources.delete(id);
  if (resource.availability !== 'deleted') uncount(model, resource);
};
