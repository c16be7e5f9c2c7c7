import type { StepBatch } from './step-batch.ts';
import type { QueuedStep } from './step-batcher.ts';
import { storageBusyCode } from './storage.ts';

/** What became of one step. */
export type StepOutcome =
  | { readonly kind: 'answered'; readonly answer: unknown }
  | { readonly kind: 'rejected'; readonly cause: unknown };

/** What became of one transaction of steps. */
export type CarryResult =
  /** Committed, with one outcome a step in the same order. */
  | { readonly kind: 'carried'; readonly outcomes: readonly StepOutcome[] }
  /** Nothing was written, and the steps are at fault. `isRace`: another process created a record that was absent. */
  | { readonly kind: 'nothing'; readonly cause: unknown; readonly isRace?: boolean }
  /** The commit may have happened, or there is no database: no step is decided again. */
  | { readonly kind: 'unknown'; readonly cause: unknown }
  /** Nothing was written, and no step is at fault: the database is in use, or there is no connection. */
  | { readonly kind: 'busy'; readonly cause: unknown };

/**
 * Decides and commits the steps in one transaction. Where `trustFresh` is false every key must be looked up. What it throws is
 * `busy` if its code is `storage_busy`, and else `nothing`.
 */
export type CarryAttempt = (
  steps: readonly QueuedStep[],
  trustFresh: boolean,
) => PromiseLike<CarryResult> | CarryResult;

/** How often what passes is tried again, and what is waited for before: `retries` counts from 0. */
export interface CarryRetries {
  readonly retriesMax: number;
  readonly wait: (retries: number) => Promise<unknown>;
}

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

/** The error of a step that can only be waited out. */
export const storageBusy = (cause: unknown): unknown =>
  isBusy(cause) ? cause : Object.assign(new Error('the database is too busy', { cause }), { code: storageBusyCode });

const rejected = (cause: unknown): StepOutcome => ({ kind: 'rejected', cause });

const thrown = (cause: unknown): CarryResult => ({ kind: isBusy(cause) ? 'busy' : 'nothing', cause });

const resultOf = (
  attempt: CarryAttempt,
  steps: readonly QueuedStep[],
  trustFresh: boolean,
): CarryResult | Promise<CarryResult> => {
  try {
    const result = attempt(steps, trustFresh);
    // A promise of an adapter's library may have no `catch`.
    return 'kind' in result ? result : Promise.resolve(result).catch(thrown);
  } catch (cause) {
    return thrown(cause);
  }
};

const passes = (result: CarryResult): boolean =>
  result.kind === 'busy' || (result.kind === 'nothing' && result.isRace === true);

interface Carrying {
  readonly attempt: CarryAttempt;
  readonly retries: CarryRetries;
}

/** Tries again, on fresh records, what failed for a reason that passes. A race has a winner, so the first repeat is made at once. */
const tryTogether = async (
  { attempt, retries: { retriesMax, wait } }: Carrying,
  steps: readonly QueuedStep[],
  first: CarryResult,
): Promise<CarryResult> => {
  let result = first;
  for (let retries = 0; passes(result); retries += 1) {
    if (retries >= retriesMax) return { kind: 'busy', cause: 'cause' in result ? result.cause : undefined };
    if (result.kind === 'busy' || retries > 0) await wait(retries);
    result = await resultOf(attempt, steps, false);
  }
  return result;
};

/** One step after another, in the order submitted: later steps must see what earlier ones wrote. */
const carryOneByOne = async (carrying: Carrying, steps: readonly QueuedStep[]): Promise<readonly StepOutcome[]> => {
  const outcomes: StepOutcome[] = [];
  let busy: StepOutcome | undefined;
  for (const step of steps) {
    const result: CarryResult =
      busy === undefined
        ? await tryTogether(carrying, [step], await resultOf(carrying.attempt, [step], false))
        : { kind: 'carried', outcomes: [busy] };
    if (result.kind === 'busy') busy = rejected(storageBusy(result.cause));
    const [outcome] = result.kind === 'carried' ? result.outcomes : [busy ?? rejected(result.cause)];
    outcomes.push(outcome ?? rejected(new Error('the step was given no outcome')));
  }
  return outcomes;
};

const never: CarryRetries = { retriesMax: 0, wait: () => Promise.resolve() };

/** What became of the steps whose first attempt did not carry them. */
const carryAgain = async (
  carrying: Carrying,
  steps: readonly QueuedStep[],
  first: CarryResult | Promise<CarryResult>,
): Promise<readonly StepOutcome[]> => {
  const result = await tryTogether(carrying, steps, await first);
  switch (result.kind) {
    case 'carried':
      return result.outcomes;
    case 'nothing':
      return carryOneByOne(carrying, steps);
    case 'unknown':
      return steps.map(() => rejected(result.cause));
    case 'busy':
      return steps.map(() => rejected(storageBusy(result.cause)));
  }
};

/**
 * Carries the steps together. What failed for a reason that passes is tried again as often as `retries` says; by default the attempt
 * has done so itself. Where the steps are at fault (a write that the store refuses, or a fresh id that was taken) each step is
 * decided again alone on fresh records, so that only what is at fault rejects. Returns no promise where the first attempt carried them
 * without one.
 */
export const carrySteps = (
  steps: readonly QueuedStep[],
  attempt: CarryAttempt,
  retries: CarryRetries = never,
): readonly StepOutcome[] | Promise<readonly StepOutcome[]> => {
  const first = resultOf(attempt, steps, true);
  return 'kind' in first && first.kind === 'carried' ? first.outcomes : carryAgain({ attempt, retries }, steps, first);
};

/** Tells each step its outcome. Call it only after the commit is durable. */
export const settleSteps = (steps: readonly QueuedStep[], outcomes: readonly StepOutcome[]): void => {
  let at = 0;
  for (const step of steps) {
    const outcome = outcomes[at];
    at += 1;
    if (outcome?.kind === 'answered') step.resolve(outcome.answer);
    else step.reject(outcome?.cause ?? new Error('the step was given no outcome'));
  }
};
