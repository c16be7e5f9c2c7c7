import type { ErrorCode } from '@tollgate/contract';
import type { AnswerForm, Key, OperationRecord, Records, Write } from '@tollgate/storage';
import { accessKeys, refuseAccess, type AccessIds } from './access.ts';
import { areFree } from './environment-draft.ts';
import { areGuarded, guardKeys, guardWrites, type BlobGuard } from './guard-blobs.ts';
import { isAwaited, occurrenceGuardKeys, type OccurrenceGuard } from './occurrence-guard.ts';
import { fileUseKeys, fileUseWrites, refuseFiles } from './file-uses.ts';
import { liveDraftKeys, liveDraftWrites, type LiveDraft } from './live-draft.ts';
import { moveThrough } from './move.ts';
import { countedWrites } from './parent-count.ts';
import {
  addUsage,
  describeQuota,
  isCountedKind,
  isUnderWayKind,
  refuseUsage,
  usageKey,
  usageOfOperation,
  usageWrites,
  type Quotas,
  type Usage,
} from './quotas.ts';
import {
  draftKeys,
  draftWrites,
  refuseUses,
  usageOfDraft,
  useKeys,
  useWrites,
  type ResourceDraft,
  type ResourceUse,
} from './resource-draft.ts';
import { openingSpendKeys, reserveSpend, type Budget, type SpendAnswer } from './spend.ts';
import type { Step } from './step.ts';
import { availableMicros, changeWallet, emptyWallet } from './wallet.ts';
import { endLineKey, endLineWrite } from './usage-line.ts';

export interface OpenCommand extends AccessIds {
  readonly operationId: string;
  readonly kind: string;
  readonly model: string;
  readonly identity: string | null;
  readonly fingerprint: string;
  readonly holdMicros: bigint;
  readonly tariffVersion: string;
  /** How it asks to be served; null or left out where it does not say. */
  readonly serviceTier?: string | null | undefined;
  readonly answerForm: AnswerForm;
  /** What was found wrong outside the records; told only where the identity is new, so that a replay outlives it. */
  readonly refusal: ErrorCode | null;
  /** Who opens; of no other opening, so that a repeated step knows its own operation. */
  readonly owner: string;
  readonly leaseMs: number;
  /** The step was sent before and its outcome is unknown: an operation found is our own. */
  readonly repeated: boolean;
  /** Present where a worker executes it later. */
  readonly deferred?: DeferredOpening;
  /** Present where a socket executes it, if one comes in time. */
  readonly live?: LiveDraft;
  /** Resources of the project that it needs; each must be usable in the very step that opens. */
  readonly uses?: readonly ResourceUse[] | undefined;
  /** Files of the project that it names, each once; each must be active in the very step that opens. */
  readonly files?: readonly string[];
  /** Ownerless blobs that its work needs. */
  readonly guard?: BlobGuard;
  /** What the project may keep. */
  readonly quotas: Quotas;
  /** What an observer has stored with it. */
  readonly trace?: string | null;
  /** Refuses once what it is for is over. */
  readonly occurrence?: OccurrenceGuard;
  /** The record that counts what the key spends now, as far as the process knows; the step says where it is another one. */
  readonly keySpend?: string | null;
  /** What the token may spend by which the caller came. */
  readonly budget?: Budget | undefined;
}

/** An operation that a worker executes, or that needs no execution at all. */
export interface DeferredOpening {
  readonly resource: ResourceDraft;
  /** `nothing` completes the operation as it is registered: what was asked for is the record itself, and costs nothing. */
  readonly execution: 'queued' | 'nothing';
}

export type OpenAnswer =
  | { readonly kind: 'started'; readonly operation: OperationRecord; readonly walletSeq: number }
  /** The identity stands for this operation, with the same body. */
  | { readonly kind: 'known'; readonly operationId: string }
  /** The identity stands for this operation, with another body. */
  | { readonly kind: 'conflict'; readonly operationId: string }
  | {
      readonly kind: 'insufficient';
      readonly availableMicros: bigint;
      readonly walletSeq: number;
      /** What was needed and what there is, in words for the client. */
      readonly detail?: string;
    }
  | {
      readonly kind: 'refused';
      readonly code: ErrorCode;
      /** What is in the way, in words for the client. */
      readonly detail?: string;
    };

/** What the step says of a command that does not declare the record in which the key's spending is counted now. */
export type SpendElsewhere = Extract<SpendAnswer, { readonly kind: 'elsewhere' }>;

// idempotency:scope:project
/** Identities are scoped to the project. */
export const identityId = (projectId: string, identity: string): string => `${projectId}:${identity}`;

/** Whether it counts against the quotas of its project: by what it keeps, or while it is under way. */
const isCounted = ({ kind, deferred }: OpenCommand): boolean =>
  isUnderWayKind(kind) || (deferred !== undefined && isCountedKind(deferred.resource.kind));

/** What it counts from the step that opens it. */
const usageOfOpening = ({ kind, deferred }: OpenCommand): Usage =>
  addUsage(usageOfDraft(deferred?.resource ?? null), usageOfOperation({ kind, endedAtMs: null }));

const openKeys = (command: OpenCommand): readonly Key[] => {
  const { operationId: id, identity, projectId, deferred, uses = [], files = [] } = command;
  const keys: Key[] = [...accessKeys(command), { table: 'wallet', id: command.accountId }];
  keys.push(command.repeated ? { table: 'operation', id } : { table: 'operation', id, fresh: true });
  if (identity !== null) keys.push({ table: 'identity', id: identityId(projectId, identity) });
  // One by one: a batch may have more items than one call takes arguments.
  if (deferred !== undefined) for (const key of draftKeys(id, deferred.resource)) keys.push(key);
  if (isCounted(command)) keys.push(usageKey(projectId));
  if (uses.length > 0) keys.push(...useKeys(id, uses));
  if (files.length > 0) keys.push(...fileUseKeys(id, files));
  if (command.guard !== undefined) keys.push(...guardKeys(command.guard));
  if (command.occurrence !== undefined) keys.push(...occurrenceGuardKeys(command.occurrence));
  if (command.live !== undefined) keys.push(...liveDraftKeys(id, command.live));
  if (deferred?.execution === 'nothing') keys.push(endLineKey(id));
  keys.push(...openingSpendKeys(command));
  return keys;
};

/** What refuses a new operation, or the operation that this very command registered before. */
export type OpenRefusal =
  | Exclude<OpenAnswer, { readonly kind: 'started' } | { readonly kind: 'insufficient' }>
  | { readonly kind: 'ours'; readonly operation: OperationRecord };

/** What is known under the identity or the operation's own id. */
const findKnown = (records: Records, command: OpenCommand): OpenRefusal | null => {
  const own = records.get('operation', command.operationId);
  if (own !== undefined) {
    if (command.repeated && own.owner === command.owner) return { kind: 'ours', operation: own };
    // A host's store handed out this id before: the first registration runs it.
    return { kind: own.fingerprint === command.fingerprint ? 'known' : 'conflict', operationId: own.id };
  }
  if (command.identity === null) return null;
  const claim = records.get('identity', identityId(command.projectId, command.identity));
  if (claim === undefined) return null;
  const same = claim.fingerprint === command.fingerprint;
  return { kind: same ? 'known' : 'conflict', operationId: claim.operationId };
};

// requests:move:accepted-preparing
/** An operation as accepted, before anything is reserved. */
export const preparedOperation = (command: OpenCommand, nowMs: number): OperationRecord => ({
  id: command.operationId,
  projectId: command.projectId,
  accountId: command.accountId,
  keyId: command.keyId,
  kind: command.kind,
  model: command.model,
  identity: command.identity,
  fingerprint: command.fingerprint,
  state: 'preparing',
  holdMicros: 0n,
  chargedMicros: 0n,
  captures: 0,
  pendingMicros: null,
  absorbedMicros: 0n,
  carriedPicos: 0,
  tariffVersion: command.tariffVersion,
  plan: command.plan ?? null,
  spends: null,
  serviceTier: command.serviceTier ?? null,
  servedTier: null,
  usage: null,
  usageAtLeast: null,
  trace: command.trace ?? null,
  attempts: [],
  verdict: null,
  askedModel: command.marks?.askedModel ?? null,
  tags: command.marks?.tags ?? null,
  errorCode: null,
  answerForm: command.answerForm,
  answer: 'none',
  owner: command.owner,
  dueAtMs: nowMs + command.leaseMs,
  createdAtMs: nowMs,
  updatedAtMs: nowMs,
  endedAtMs: null,
});

/** The writes that register an operation with what belongs to it, and claim its identity. */
export const registerWrites = (
  records: Records,
  command: OpenCommand,
  operation: OperationRecord,
  nowMs: number,
): readonly Write[] => {
  const writes: Write[] = [
    { kind: 'put', table: 'operation', record: operation },
    ...draftWrites(records, operation, command.deferred?.resource ?? null),
    ...usageWrites(records, command.projectId, usageOfOpening(command)),
    ...useWrites(records, operation, command.uses ?? []),
    ...fileUseWrites(records, operation, command.files ?? []),
    ...guardWrites(command.guard, nowMs),
    ...liveDraftWrites(operation, command.live, nowMs),
  ];
  if (command.identity !== null)
    writes.push({
      kind: 'put',
      table: 'identity',
      record: {
        id: identityId(command.projectId, command.identity),
        operationId: operation.id,
        fingerprint: command.fingerprint,
        createdAtMs: nowMs,
      },
    });
  return countedWrites(writes, command.deferred?.resource ?? null);
};

/** Access, then identity, then everything that refuses a new operation. */
export const refuseOpen = (records: Records, command: OpenCommand, nowMs: number): OpenRefusal | null => {
  const refused = refuseAccess(records, command, nowMs);
  if (refused !== null) return { kind: 'refused', code: refused };
  const known = findKnown(records, command);
  if (known !== null) return known;
  const code =
    command.refusal ??
    refuseUses(records, command.projectId, command.uses ?? [], nowMs) ??
    refuseFiles(records, command.projectId, command.files ?? [], nowMs) ??
    (areGuarded(records, command.guard) && areFree(records, command.deferred?.resource.files)
      ? null
      : 'service_unavailable') ??
    (isAwaited(records, command.occurrence, command.operationId) ? null : 'not_found');
  return code === null ? refuseQuota(records, command) : { kind: 'refused', code };
};

/** What is opened must fit into the quotas of the project, in the very step that opens. */
const refuseQuota = (records: Records, command: OpenCommand): OpenRefusal | null => {
  if (!isCounted(command)) return null;
  const usage = records.get('projectUsage', command.projectId);
  const refusal = refuseUsage(usage, command.quotas, usageOfOpening(command));
  return refusal === null ? null : { kind: 'refused', code: 'quota_exceeded', detail: describeQuota(refusal) };
};

/** Whether it is left as reserved, for another caller to start. */
export const isStartedLater = ({ deferred, live }: OpenCommand): boolean =>
  deferred !== undefined || live !== undefined;

/** The step was repeated: it stands if the operation is still undecided. */
const answerOurs = (command: OpenCommand, operation: OperationRecord, walletSeq: number): OpenAnswer =>
  operation.state === 'processing' || isStartedLater(command)
    ? { kind: 'started', operation, walletSeq }
    : { kind: 'known', operationId: operation.id };

/** Reserves within the caps of the caller; what does not fit is refused. */
export const holdWithinCaps = (
  records: Records,
  command: OpenCommand,
  nowMs: number,
): Extract<SpendAnswer, { kind: 'reserved' | 'elsewhere' }> | Extract<OpenAnswer, { kind: 'refused' }> => {
  const spend = reserveSpend(records, command, nowMs);
  return spend.kind === 'exceeded' ? { kind: 'refused', code: 'ai_key_budget_exceeded', detail: spend.detail } : spend;
};

/** The operation as the step that opens it leaves it, by who executes it and when. */
const openedOperation = (command: OpenCommand, nowMs: number): OperationRecord => {
  const prepared = preparedOperation(command, nowMs);
  const { holdMicros, live } = command;
  if (live !== undefined)
    return moveThrough(prepared, ['reserved'], { holdMicros, dueAtMs: nowMs + live.accessValidMs });
  switch (command.deferred?.execution) {
    case undefined:
      return moveThrough(prepared, ['reserved', 'processing'], { holdMicros });
    case 'queued':
      return moveThrough(prepared, ['reserved'], { holdMicros, dueAtMs: nowMs });
    case 'nothing':
      return moveThrough(prepared, ['reserved', 'processing', 'completed'], { dueAtMs: null, endedAtMs: nowMs });
  }
};

// G48
/**
 * Claims the identity, checks access, reserves the estimate and registers the operation, whole or not at all. It is the
 * start barrier too: once it is durable the provider may be called, once.
 */
export const open = (command: OpenCommand): Step<OpenAnswer | SpendElsewhere> => ({
  keys: openKeys(command),
  decide: (records, nowMs) => {
    const refusal = refuseOpen(records, command, nowMs);
    const wallet = records.get('wallet', command.accountId) ?? emptyWallet(command.accountId);
    if (refusal?.kind === 'ours') return { writes: [], answer: answerOurs(command, refusal.operation, wallet.seq) };
    if (refusal !== null) return { writes: [], answer: refusal };
    const opened = openedOperation(command, nowMs);
    if (opened.endedAtMs !== null) {
      const writes = registerWrites(records, command, opened, nowMs);
      return {
        writes: [...writes, endLineWrite(opened, opened, nowMs)],
        answer: { kind: 'started', operation: opened, walletSeq: wallet.seq },
      };
    }
    const spend = holdWithinCaps(records, command, nowMs);
    if (spend.kind !== 'reserved') return { writes: [], answer: spend };
    const operation = spend.spends === null ? opened : { ...opened, spends: spend.spends };
    const available = availableMicros(wallet);
    if (command.holdMicros > available)
      return { writes: [], answer: { kind: 'insufficient', availableMicros: available, walletSeq: wallet.seq } };
    const held = changeWallet(wallet, { reservedMicros: command.holdMicros });
    return {
      writes: [
        { kind: 'put', table: 'wallet', record: held },
        ...registerWrites(records, command, operation, nowMs),
        ...spend.writes,
      ],
      answer: { kind: 'started', operation, walletSeq: held.seq },
    };
  },
});
