import type { StepBatch } from './step-batch.ts';
import type { QueuedStep } from './step-batcher.ts';
import { storageBusyCode } from './storage.ts';

/** What became of one step. */
export type StepOutcome =
  | { readonly kind: 'answered'; readonly answer: unknown }
  | { readonly kind: 'rejected'; readonly cause: unknown };

/**
 * Decides and commits the steps in one transaction, with one outcome a step in the same order; throws where nothing was
 * committed. Where `trustFresh` is false every key must be looked up.
 */
export type CarryAttempt = (
  steps: readonly QueuedStep[],
  trustFresh: boolean,
) => Promise<readonly StepOutcome[]> | readonly StepOutcome[];

/** Decides steps one after another on a batch; a step whose `decide` throws is rejected alone. */
export const decideSteps = (batch: StepBatch, steps: readonly QueuedStep[]): readonly StepOutcome[] =>
  steps.map((step) => {
    try {
      return { kind: 'answered', answer: batch.decide(step.keys, step.decide) };
    } catch (cause) {
      return { kind: 'rejected', cause };
    }
  });

const isBusy = (cause: unknown): boolean =>
  typeof cause === 'object' && cause !== null && 'code' in cause && cause.code === storageBusyCode;

const rejected = (cause: unknown): StepOutcome => ({ kind: 'rejected', cause });

/** One step after another, in the order submitted: later steps must see what earlier ones wrote. */
const carryOneByOne = async (steps: readonly QueuedStep[], attempt: CarryAttempt): Promise<readonly StepOutcome[]> => {
  const outcomes: StepOutcome[] = [];
  let busy: StepOutcome | undefined;
  for (const step of steps) {
    try {
      const [outcome] = busy === undefined ? await attempt([step], false) : [busy];
      outcomes.push(outcome ?? rejected(new Error('the step was given no outcome')));
    } catch (cause) {
      outcomes.push(rejected(cause));
      if (isBusy(cause)) busy = rejected(cause);
    }
  }
  return outcomes;
};

/**
 * Carries the steps together; where that fails (a write that the store refuses, or a fresh id that was taken) each step is
 * decided again alone on fresh records, so that only what is at fault rejects. A store that says it is busy is not asked again.
 */
export const carrySteps = async (
  steps: readonly QueuedStep[],
  attempt: CarryAttempt,
): Promise<readonly StepOutcome[]> => {
  try {
    return await attempt(steps, true);
  } catch (cause) {
    if (isBusy(cause)) throw cause;
  }
  return carryOneByOne(steps, attempt);
};

/** Tells each step its outcome. Call it only after the commit is durable. */
export const settleSteps = (steps: readonly QueuedStep[], outcomes: readonly StepOutcome[]): void => {
  for (const [at, step] of steps.entries()) {
    const outcome = outcomes[at];
    if (outcome?.kind === 'answered') step.resolve(outcome.answer);
    else step.reject(outcome?.cause ?? new Error('the step was given no outcome'));
  }
};
