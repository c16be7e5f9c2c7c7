import { GatewayError, isUuid } from '@tollgate/contract';
import { findResource, type FoundResource } from '@tollgate/engine';
import type { Service } from '../../service.ts';
import { endedAnswer, readCarried, type CarriedAnswer } from './carried-answer.ts';
import type { FoundAnswer } from './generation-dialect.ts';
import type { HistoryBudget } from './history-budget.ts';
import { writeKept } from './kept-answer.ts';
import { createStateSeal } from './seal-state.ts';
import { unfinishedOf } from './write-carried.ts';

/** An interaction of the project that carries a request of a dialect. */
export interface FoundCarried {
  readonly found: FoundResource;
  readonly carried: CarriedAnswer;
}

/** The interaction of this id, as a dialect reads it; null where there is none that carries one of its requests. */
export const findCarried = async (
  service: Pick<Service, 'engine'>,
  projectId: string,
  { id, dialect }: { readonly id: string; readonly dialect: string },
): Promise<FoundCarried | null> => {
  const found = isUuid(id) ? await findResource(service.engine, projectId, 'interaction', id) : null;
  const carried = found === null ? null : await readCarried(service, dialect, found);
  return found === null || carried === null ? null : { found, carried };
};

/** An answer that was carried, with the states of the calls that a model made in it. */
export interface CarriedHistory {
  readonly answer: FoundAnswer;
  readonly contexts: ReadonlyMap<string, string>;
}

/** The answer of an interaction that has completed; null where there is none. One that still goes on cannot be gone on from. */
export const findCarriedAnswer = async (
  service: Pick<Service, 'engine' | 'contextSeal'>,
  projectId: string,
  { id, dialect, budget }: { readonly id: string; readonly dialect: string; readonly budget: HistoryBudget },
): Promise<CarriedHistory | null> => {
  const known = await findCarried(service, projectId, { id, dialect });
  if (known === null || known.carried.stage === 'gone') return null;
  const { found, carried } = known;
  const unfinished = unfinishedOf(found, carried);
  if (unfinished?.status === 'failed' || unfinished?.status === 'cancelled') return null;
  if (unfinished !== null)
    throw new GatewayError('request_in_progress', {
      requestId: id,
      detail: 'The request names an earlier response that has not ended; accepted are those that have.',
    });
  const answer = endedAnswer(carried, createStateSeal(service, projectId));
  await budget.take(writeKept(dialect, answer));
  const calls = carried.steps.filter((step) => step.kind === 'function_call');
  const contexts = new Map(
    calls.flatMap(({ id: callId, context }) => (context === undefined ? [] : [[callId, context]])),
  );
  return { answer: { head: carried.head, answer }, contexts };
};
