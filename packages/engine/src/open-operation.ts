import type { IdempotencyStore, IdentityClaim } from '@tollgate/storage';
import type { OpenAnswer, OpenCommand } from './decisions/open.ts';
import type { Engine } from './engine.ts';
import { openCommand } from './open-command.ts';
import type { OperationPlan } from './operation-plan.ts';
import { isStorageBusy } from './persist.ts';
import { findModelTariff, holdOf } from './tariff.ts';

const openConfirmed = async (engine: Engine, command: OpenCommand): Promise<OpenAnswer> => {
  try {
    return await engine.money.open(command);
  } catch (cause) {
    // It may stand registered with a hold although nothing was handed over: a job releases it as soon as it can.
    if (!isStorageBusy(cause)) engine.running.addUnconfirmed(command);
    throw cause;
  }
};

/** Whether the claim stands for what is registered; otherwise it is of no use to anybody. */
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
  const standing = claimed.kind === 'claimed' ? claim : claimed.claim;
  const { operationId } = standing;
  const same = standing.fingerprint === claim.fingerprint;
  // A claim whose operation was never registered is taken up: the operation's absent id has one winner. With another body it
  // is not; but the claim may be one that came too late, and then the storage knows whose the identity is.
  const refusal = same ? command.refusal : 'ai_idempotency_conflict';
  const answer = await openConfirmed(engine, { ...command, operationId, refusal });
  const mayRegisterYet = !same && answer.kind === 'refused';
  if (!mayRegisterYet && !standsFor(operationId, answer)) await identities.release(standing);
  return answer;
};

/** Opens under the identity of the command, whoever keeps the identities; what is refused leaves nothing behind. */
export const openOnce = (engine: Engine, command: OpenCommand): Promise<OpenAnswer> => {
  const { projectId, identity, fingerprint, operationId } = command;
  return engine.identities === null || identity === null
    ? openConfirmed(engine, command)
    : openClaimed(engine, engine.identities, command, { projectId, identity, fingerprint, operationId });
};

/** Claims, checks, reserves and registers. */
export const openOperation = <R>(engine: Engine, plan: OperationPlan<R>): Promise<OpenAnswer> => {
  const holdMicros = holdOf(findModelTariff(engine.tariff, plan.model), plan.estimate);
  return openOnce(engine, openCommand(engine, { ...plan, operationId: engine.newId(), holdMicros }));
};
