import type { AnswerForm, IdempotencyStore, IdentityClaim } from '@tollgate/storage';
import { identityId, type OpenAnswer, type OpenCommand } from '../decisions/open.ts';
import type { Engine } from '../engine.ts';
import { amountOf, explainHold } from './explain-hold.ts';
import { judgeHold } from '../ledger/hold.ts';
import type { OperationPlan } from './operation-plan.ts';
import { isStorageBusy } from './persist.ts';
import { openingPrices } from '../ledger/operation-prices.ts';
import { notePlanOfOpening } from '../ledger/unknown-plan.ts';
import type { ErrorCode } from '@tollgate/contract';
import type { AccessIds } from '../decisions/access.ts';
import type { ResourceUse } from '../decisions/resource-draft.ts';

/** The command of every opening, in process or by a worker. */
export interface Opening {
  readonly operationId: string;
  readonly access: AccessIds;
  readonly kind: string;
  /** Public catalog id. */
  readonly model: string;
  readonly identity: string | null;
  readonly fingerprint: string;
  readonly answerForm: AnswerForm;
  readonly refusal: ErrorCode | null;
  /** Null where there is no price list: that is refused, but old answers are still replayed. */
  readonly holdMicros: bigint | null;
  /** The price list of the hold. */
  readonly tariffVersion: string;
  readonly serviceTier?: string | null | undefined;
  readonly uses?: readonly ResourceUse[];
  readonly files?: readonly string[];
}

/** The id of an operation that is about to be opened: the one that the host's hook received, or a new one. */
export const operationIdOf = ({ newId }: Pick<Engine, 'newId'>, { marks }: AccessIds): string =>
  marks?.operationId ?? newId();

/** The model of the operation that an Idempotency-Key of a project stands for; undefined where it stands for none. */
export const findKnownModel = async (
  { storage }: Pick<Engine, 'storage'>,
  projectId: string,
  identity: string | null,
): Promise<string | undefined> => {
  if (identity === null) return undefined;
  const claim = { table: 'identity', id: identityId(projectId, identity) } as const;
  const operationId = (await storage.read([claim])).get('identity', claim.id)?.operationId;
  if (operationId === undefined) return undefined;
  return (await storage.read([{ table: 'operation', id: operationId }])).get('operation', operationId)?.model;
};

const commandOf = (engine: Engine, opening: Opening, plan: string | null): OpenCommand => ({
  keyId: opening.access.keyId,
  projectId: opening.access.projectId,
  accountId: opening.access.accountId,
  tokenId: opening.access.tokenId,
  budget: opening.access.budget,
  marks: opening.access.marks,
  requestId: opening.access.requestId,
  operationId: opening.operationId,
  kind: opening.kind,
  model: opening.model,
  identity: opening.identity,
  fingerprint: opening.fingerprint,
  holdMicros: opening.holdMicros ?? 0n,
  tariffVersion: opening.tariffVersion,
  plan,
  serviceTier: opening.serviceTier,
  answerForm: opening.answerForm,
  refusal: opening.refusal ?? (opening.holdMicros === null ? 'access_or_service_unavailable' : null),
  // Requests of one process may try under one id that a host's store handed out: none may take another's for its own.
  owner: `${engine.owner}/${opening.operationId}`,
  leaseMs: engine.limits.leaseMs,
  repeated: false,
  quotas: engine.policy.quotas,
  uses: opening.uses,
  ...(opening.files === undefined ? {} : { files: opening.files }),
});

/** The command of an opening that was not sent before. */
export const openCommand = (engine: Engine, opening: Opening): OpenCommand => {
  const { plan = null, accountId } = opening.access;
  if (plan !== null) notePlanOfOpening(engine, { plan, accountId, tariffVersion: opening.tariffVersion });
  return commandOf(engine, opening, plan);
};

const openConfirmed = (engine: Engine, command: OpenCommand): Promise<OpenAnswer> =>
  engine.operationLedger.open(command).catch((cause: unknown) => {
    // It may stand registered with a hold although nothing was handed over: a job releases it as soon as it can.
    if (!isStorageBusy(cause)) engine.running.addUnconfirmed(command);
    throw cause;
  });

/** Whether the claim stands for what is registered; otherwise the claim is released. */
const standsFor = (operationId: string, answer: OpenAnswer): boolean =>
  answer.kind === 'started' || ('operationId' in answer && answer.operationId === operationId);

/**
 * With identities that the host keeps, the claim comes first and carries the id under which the operation will be. Opening
 * claims the identity in the storage as well: it alone makes the execution unique, for a claim that is taken back in the
 * same moment in which another request takes it up would not.
 */
const openClaimed = async (
  engine: Engine,
  identities: IdempotencyStore,
  command: OpenCommand,
  claim: IdentityClaim,
): Promise<OpenAnswer> => {
  const claimed = await identities.claim(claim);
  const availability = claimed.kind === 'claimed' ? claim : claimed.claim;
  const { operationId } = availability;
  const same = availability.fingerprint === claim.fingerprint;
  // A claim whose operation was never registered is taken up: the operation's absent id has one winner. With another body it
  // is not; but the claim may be one that came too late, and then the storage knows whose the identity is.
  const refusal = same ? command.refusal : 'ai_idempotency_conflict';
  const answer = await openConfirmed(engine, { ...command, operationId, refusal });
  const mayRegisterYet = !same && answer.kind === 'refused';
  if (!mayRegisterYet && !standsFor(operationId, answer)) await identities.release(availability);
  return answer;
};

/** Opens under the idempotency key of the command, in the host's store or the engine's own; a refusal stores nothing. */
export const openOnce = (engine: Engine, command: OpenCommand): Promise<OpenAnswer> => {
  const { projectId, identity, fingerprint, operationId } = command;
  return engine.host.identities === null || identity === null
    ? openConfirmed(engine, command)
    : openClaimed(engine, engine.host.identities, command, { projectId, identity, fingerprint, operationId });
};

/** Claims, checks, reserves and registers. */
export const openOperation = <R>(engine: Engine, plan: OperationPlan<R>): Promise<OpenAnswer> => {
  const list = engine.policy.priceLists.current();
  const hold = judgeHold(openingPrices(list, plan), plan.estimate);
  const command = openCommand(engine, {
    ...plan,
    tariffVersion: list.version,
    operationId: operationIdOf(engine, plan.access),
    holdMicros: amountOf(hold),
  });
  return openOnce(engine, command).then((answer) => explainHold(engine, plan, hold, answer));
};

/** An opening that registered nothing. */
export type RefusedOpening = Extract<OpenAnswer, { readonly kind: 'refused' | 'insufficient' | 'conflict' }>;

/** The refusal that the client gets; the id is of the operation that already has the idempotency key, with another body. */
export const toldOfRefusal = (
  answer: RefusedOpening,
): {
  readonly kind: 'refused';
  readonly code: ErrorCode;
  readonly requestId: string | null;
  readonly detail?: string;
} => {
  switch (answer.kind) {
    case 'refused':
    case 'insufficient':
      return {
        kind: 'refused',
        code: answer.kind === 'refused' ? answer.code : 'ai_insufficient_credits',
        requestId: null,
        ...(answer.detail === undefined ? {} : { detail: answer.detail }),
      };
    case 'conflict':
      return { kind: 'refused', code: 'ai_idempotency_conflict', requestId: answer.operationId };
  }
};
