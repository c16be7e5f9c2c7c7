import type { RecordItemsCommand, ItemEnd } from '../../packages/engine/src/decisions/record-items.ts';
import type { CancelCommand } from '../../packages/engine/src/decisions/cancel.ts';
import { countedUnderWay } from '../../packages/engine/src/decisions/under-way.ts';
import type { ResourceClosing } from '../../packages/engine/src/decisions/close-resource.ts';
import type { EndResourceCommand } from '../../packages/engine/src/decisions/end-resource.ts';
import type { CheckpointWorkCommand } from '../../packages/engine/src/decisions/checkpoint-work.ts';
import { batchItemId } from '../../packages/engine/src/decisions/resource-draft.ts';
import type { ChangeTtlCommand } from '../../packages/engine/src/decisions/change-ttl.ts';
import { claimStep, lookStep, stageStep } from './claim-step.ts';
import type { Decisions } from './decisions.ts';
import type { Memo } from './memo.ts';
import { notTaken, tell, type ModelStep } from './model-step.ts';
import { outboxEventOf } from './outbox-event-of.ts';
import { leaseMs, recordKeptMs, type Slot } from './slot.ts';
import {
  tellCancel,
  tellEndEarly,
  tellEndResource,
  tellItems,
  tellKeep,
  tellChangeTtl,
  tellStart,
} from './tell-work.ts';
import type { Told } from './told.ts';
import { keptRate, stagedMs, type Closing, type WorkBody } from './work-command.ts';

type Of<K extends WorkBody['kind']> = Extract<WorkBody, { readonly kind: K }>;

/** How far work is, as its kind would keep it. */
const workOf = (mark: number | null): unknown => (mark === null ? null : { mark });

export const closingOf = ({ availability, expiresAfter, mark, blobs, dropped }: Closing): ResourceClosing => ({
  availability,
  publicFields: {},
  work: workOf(mark),
  expiresAfterMs: expiresAfter,
  blobs,
  dropped,
});

const startStep = (decisions: Decisions, { slot, claimedBy, owner }: Of<'start'>): ModelStep => {
  const command = { operationId: slot.operationId, claimedBy, owner, leaseMs };
  return tell(decisions.start(command), tellStart);
};

const nextOf = ({ next, after }: Of<'keep'>, nowMs: number): CheckpointWorkCommand['next'] => {
  switch (next) {
    case 'lease':
      return { kind: 'lease', leaseMs };
    case 'later':
      return { kind: 'later', afterMs: after };
    case 'active':
      return { kind: 'active', untilMs: nowMs + after };
  }
};

const keepStep = (decisions: Decisions, body: Of<'keep'>): ModelStep => {
  const commandAt = (nowMs: number): CheckpointWorkCommand => ({
    operationId: body.slot.operationId,
    owner: body.owner,
    work: workOf(body.mark),
    publicFields: {},
    attempts: null,
    next: nextOf(body, nowMs),
  });
  const stepAt = (nowMs: number): ModelStep => tell(decisions.keep(commandAt(nowMs)), tellKeep);
  return { keys: stepAt(0).keys, decide: (records, nowMs) => stepAt(nowMs).decide(records, nowMs) };
};

const orLost =
  (word: string) =>
  (done: boolean): Told => ({ text: done ? word : 'lost' });

const putBackStep = (decisions: Decisions, { slot, claimedBy, after }: Of<'put_back'>): ModelStep => {
  const command = { operationId: slot.operationId, claimedBy, afterMs: after };
  return tell(decisions.putBack(command), orLost('put_back'));
};

const cancelStep = (decisions: Decisions, { slot }: Of<'cancel'>): ModelStep => {
  const { operationId, accountId, projectId, kind = '' } = slot;
  const command: CancelCommand = {
    operationId,
    accountId,
    recordKeptMs,
    hostLedger: false,
    outboxEvent: outboxEventOf(slot),
    ...countedUnderWay({ kind, projectId }),
  };
  return tell(decisions.cancel(command), tellCancel);
};

interface EndInput {
  readonly slot: Slot;
  readonly parent: string | null;
  readonly uses: number;
  readonly availability: 'deleted' | 'expired';
  readonly claimedBy: string | null;
}

const endStep = (decisions: Decisions, { slot, parent, ...input }: EndInput): ModelStep => {
  const uncounted = { kind: slot.kind ?? '', parent };
  const command: EndResourceCommand = { resourceId: slot.operationId, recordKeptMs, uncounted, ...input };
  return tell(decisions.endResource(command), tellEndResource);
};

const deleteStep = (decisions: Decisions, memo: Memo, { slot, parent, look }: Of<'delete'>): ModelStep => {
  const seen = memo.looks.get(look);
  if (seen === undefined) return notTaken('not_looked');
  if (seen.inUse) return notTaken('in_use');
  return endStep(decisions, { slot, parent, uses: seen.uses, availability: 'deleted', claimedBy: null });
};

/** The row as a sweep claimed it, where it stands as the deed needs it. */
const claimedOne = (memo: Memo, claim: string, isGone: boolean) => {
  const claimed = memo.resources.get(claim);
  const gone = claimed?.availability === 'deleted' || claimed?.availability === 'expired';
  return claimed === undefined || gone !== isGone ? null : claimed;
};

const expireStep = (decisions: Decisions, memo: Memo, { slot, parent, claim }: Of<'expire'>): ModelStep => {
  const claimed = claimedOne(memo, claim, false);
  if (claimed === null) return notTaken('not_due');
  return endStep(decisions, { slot, parent, uses: claimed.uses, availability: 'expired', claimedBy: claim });
};

const clearStep = (decisions: Decisions, memo: Memo, { slot, claim }: Of<'clear'>): ModelStep => {
  if (claimedOne(memo, claim, true) === null) return notTaken('not_due');
  const command = { resourceId: slot.operationId, projectId: slot.projectId, claimedBy: claim };
  return tell(decisions.clear(command), orLost('cleared'));
};

const fadeStep = (decisions: Decisions, memo: Memo, { slot, claim, mark, dueAfter }: Of<'fade'>): ModelStep => {
  if (claimedOne(memo, claim, false) === null) return notTaken('not_due');
  const { operationId: resourceId, projectId } = slot;
  const command = {
    resourceId,
    projectId,
    claimedBy: claim,
    work: workOf(mark),
    keptBytes: null,
    dueAfterMs: dueAfter,
  };
  return tell(decisions.fade(command), orLost('faded'));
};

const changeTtlStep = (decisions: Decisions, { slot, ttl, step }: Of<'changeTtl'>): ModelStep => {
  const { operationId, accountId } = slot;
  const command: ChangeTtlCommand = {
    operationId,
    accountId,
    ttlMs: ttl,
    holdFor: (storedMs) => BigInt(keptRate * storedMs),
    blobKeys: [],
    marginMs: 1,
    step,
    hostHoldMicros: null,
    publicFields: {},
  };
  return tell(decisions.changeTtl(command), tellChangeTtl);
};

const endEarlyStep = (decisions: Decisions, memo: Memo, { slot, look, owner }: Of<'end_early'>): ModelStep => {
  const seen = memo.looks.get(look);
  if (seen === undefined) return notTaken('not_looked');
  if (seen.inUse) return notTaken('in_use');
  const command = { resourceId: slot.operationId, uses: seen.uses, owner, leaseMs };
  return tell(decisions.endEarly(command), tellEndEarly);
};

const itemEnd = (batchId: string, { place, state }: Of<'items'>['ends'][number]): ItemEnd => ({
  id: batchItemId(batchId, place),
  state,
  usage: null,
  attempts: [],
  errorCode: null,
  answer: null,
  answerBytes: 0,
  blobKey: null,
});

const itemsStep = (decisions: Decisions, { slot, owner, ends, start }: Of<'items'>): ModelStep => {
  const batchId = slot.operationId;
  const command: RecordItemsCommand = {
    batchId,
    owner,
    leaseMs,
    ends: ends.map((end) => itemEnd(batchId, end)),
    start: start.map((place) => batchItemId(batchId, place)),
    answerBlobMs: 1,
  };
  return tell(decisions.items(command), tellItems);
};

const takeAccessStep = (decisions: Decisions, { slot, right, owner }: Of<'take_access'>): ModelStep => {
  const { operationId: id, keyId, projectId, accountId } = slot;
  const command = {
    id,
    keyId,
    projectId,
    accountId,
    accessHash: right ? 'right' : 'wrong',
    origin: null,
    owner,
    leaseMs,
  };
  return tell(decisions.takeAccess(command), ({ kind }) => ({ text: kind }));
};

/** The step of a command about work. */
export const toWorkStep = (decisions: Decisions, memo: Memo, body: WorkBody): ModelStep => {
  switch (body.kind) {
    case 'claim':
      return claimStep(memo, body);
    case 'look':
      return lookStep(memo, body);
    case 'stage':
      return stageStep(body, stagedMs);
    case 'start':
      return startStep(decisions, body);
    case 'keep':
      return keepStep(decisions, body);
    case 'put_back':
      return putBackStep(decisions, body);
    case 'cancel':
      return cancelStep(decisions, body);
    case 'delete':
      return deleteStep(decisions, memo, body);
    case 'expire':
      return expireStep(decisions, memo, body);
    case 'clear':
      return clearStep(decisions, memo, body);
    case 'fade':
      return fadeStep(decisions, memo, body);
    case 'changeTtl':
      return changeTtlStep(decisions, body);
    case 'end_early':
      return endEarlyStep(decisions, memo, body);
    case 'items':
      return itemsStep(decisions, body);
    case 'take_access':
      return takeAccessStep(decisions, body);
  }
};
