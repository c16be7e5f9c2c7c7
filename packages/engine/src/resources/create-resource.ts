import type { ErrorCode } from '@tollgate/contract';
import type { OpenCommand } from '../decisions/open.ts';
import type { Engine } from '../engine.ts';
import { amountOf, explainHold } from '../operations/explain-hold.ts';
import { countRequest } from '../limits/count-request.ts';
import { judgeHold, type Hold } from '../ledger/hold.ts';
import { openCommand, openOnce, operationIdOf, toldOfRefusal } from '../operations/open-operation.ts';
import { openingPrices } from '../ledger/operation-prices.ts';
import type { Tariff } from '../ledger/tariff.ts';
import { findResource, type FoundResource } from './find-resource.ts';
import type { ResourcePlan } from './resource-plan.ts';

export type CreateResourceOutcome =
  | { readonly kind: 'created'; readonly found: FoundResource; readonly replayed: boolean }
  | {
      readonly kind: 'refused';
      readonly code: ErrorCode;
      readonly requestId: string | null;
      readonly retryAfterMs?: number | null;
      readonly detail?: string;
    };

const holdOfPlan = (list: Tariff, plan: ResourcePlan): Hold =>
  plan.estimate === null ? { kind: 'amount', micros: 0n } : judgeHold(openingPrices(list, plan), plan.estimate);

const toCommand = (engine: Engine, plan: ResourcePlan, hold: Hold, { version }: Tariff): OpenCommand => {
  const operationId = plan.id ?? operationIdOf(engine, plan.access);
  return {
    ...openCommand(engine, {
      ...plan,
      operationId,
      answerForm: 'json',
      holdMicros: amountOf(hold),
      tariffVersion: version,
    }),
    deferred: { resource: plan.draft, execution: plan.estimate === null ? 'nothing' : 'queued' },
    ...(plan.guard === undefined ? {} : { guard: plan.guard }),
    ...(plan.occurrence === undefined ? {} : { occurrence: plan.occurrence }),
  };
};

const recover = async (engine: Engine, plan: ResourcePlan, id: string): Promise<CreateResourceOutcome> => {
  const found = await findResource(engine, plan.access.projectId, plan.kind, id);
  if (found === null) return { kind: 'refused', code: 'request_in_progress', requestId: null };
  // As long as a host's ledger has not reserved for it, it may still vanish.
  if (found.operation.state === 'preparing') return { kind: 'refused', code: 'request_in_progress', requestId: id };
  // A failed one is not tried again under its identity (G13).
  return found.operation.state === 'failed'
    ? { kind: 'refused', code: 'previous_request_failed', requestId: id }
    : { kind: 'created', found, replayed: true };
};

// G13
/**
 * Registers a resource with its hold, whole or not at all, and leaves its execution to a worker. A repeat with the same
 * identity and body recovers the resource as it is now.
 */
export const createResource = async (engine: Engine, plan: ResourcePlan): Promise<CreateResourceOutcome> => {
  // The host's own schedule has asked for an occurrence, and no client could repeat it.
  const isLimited = engine.host.limiter !== null && plan.occurrence === undefined;
  const refusal = isLimited ? await countRequest(engine, engine.host.limiter, plan) : null;
  if (refusal !== null) return refusal;
  const list = engine.policy.priceLists.current();
  const hold = holdOfPlan(list, plan);
  const answer = explainHold(engine, plan, hold, await openOnce(engine, toCommand(engine, plan, hold, list)));
  switch (answer.kind) {
    case 'refused':
    case 'insufficient':
    case 'conflict':
      return toldOfRefusal(answer);
    case 'known':
      return recover(engine, plan, answer.operationId);
    case 'started': {
      engine.signals.workDue.notify();
      const found = await findResource(engine, plan.access.projectId, plan.kind, answer.operation.id);
      if (found === null) throw new Error('a resource vanished as it was created');
      return { kind: 'created', found, replayed: false };
    }
  }
};
