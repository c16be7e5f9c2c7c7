import type { ResourceKind } from '@tollgate/contract';
import { farAwayMs, noticeOf } from '../conclude.ts';
import { cancelKeys, decideCancel } from '../decisions/cancel.ts';
import type { Engine } from '../engine.ts';
import { patienceOf, persist } from '../persist.ts';
import { findResource, type FoundResource } from './find-resource.ts';

/** Asks for an end; null where there is no such resource. What is over already stays as it is (resources:cancel:*). */
export const cancelResource = async (
  engine: Engine,
  projectId: string,
  kind: ResourceKind,
  id: string,
): Promise<FoundResource | null> => {
  const found = await findResource(engine, projectId, kind, id);
  if (found === null || found.resource.standing === 'deleted') return found;
  const command = {
    operationId: id,
    accountId: found.operation.accountId,
    recordKeptMs: engine.limits.recordKeptMs ?? farAwayMs,
    hostLedger: engine.hostLedger !== null,
    notice: noticeOf(engine, found.operation),
  };
  const answer = await persist(patienceOf(engine), () =>
    engine.storage.transact(cancelKeys(command), decideCancel(command)),
  );
  if (answer.kind === 'cancelling') engine.wake.wake();
  return findResource(engine, projectId, kind, id);
};
