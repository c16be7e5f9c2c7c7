import type { ResourceKind } from '@tollgate/contract';
import { farAwayMs, outboxEventOf } from '../operations/conclude.ts';
import { cancel } from '../decisions/cancel.ts';
import { countedUnderWay } from '../decisions/under-way.ts';
import type { Engine } from '../engine.ts';
import { findResource, type FoundResource } from './find-resource.ts';
import { commit } from '../operations/persist.ts';

// resources:cancel:*
/** Asks for an end; null where there is no such resource. What is over already stays as it is. */
export const cancelResource = async (
  engine: Engine,
  projectId: string,
  kind: ResourceKind,
  id: string,
): Promise<FoundResource | null> => {
  const found = await findResource(engine, projectId, kind, id);
  if (found === null || found.resource.availability === 'deleted') return found;
  const command = {
    operationId: id,
    accountId: found.operation.accountId,
    recordKeptMs: engine.limits.recordKeptMs ?? farAwayMs,
    hostLedger: engine.host.ledger !== null,
    outboxEvent: outboxEventOf(engine, found.operation),
    ...countedUnderWay(found.operation),
    spends: found.operation.spends,
  };
  const answer = await commit(engine, cancel(command));
  if (answer.kind === 'cancelling') engine.signals.workDue.notify();
  if (answer.kind === 'failed') engine.signals.eventsDue.notify();
  return findResource(engine, projectId, kind, id);
};
