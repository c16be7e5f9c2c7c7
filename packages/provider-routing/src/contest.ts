import {
  isNotExecuted,
  readUsageAtLeast,
  UnknownOutcome,
  type NotExecuted,
  type Provider,
  type Usage,
} from '@tollgate/provider';
import { mayAskElsewhere, together, toldInstead } from './ask-in-order.ts';
import type { InvokedMethod, Invocation } from './invocation.ts';
import { startTrial, type Trial, type TrialEnd, type TrialWorld } from './trial.ts';

/** When another member is asked while one is silent. */
export interface ContestRules extends TrialWorld {
  /** How long a member may be silent before the next one is asked; null: as long as it likes. */
  readonly patienceMs: (member: Provider) => number | null;
  /** Whether the silent one is asked on beside the next one, or abandoned for it. */
  readonly late: 'joined' | 'abandoned';
  /** Called when a member has given its first piece or its answer, and when it is abandoned for one that was faster. */
  readonly onMeasured?: (member: Provider, ms: number) => void;
}

/** Methods whose calls may be made of two members for one answer: what they begin ends with the call. */
export const contestMethods: ReadonlySet<InvokedMethod> = new Set(['generate', 'generateStream', 'embed', 'moderate']);

export const settleMsMaxDefault = 1_000;

/** Members asked at the same time, where they are. */
const atOnceMax = 2;

interface Contest<Answer> {
  readonly invocation: Invocation<Answer>;
  readonly rules: ContestRules;
  readonly waiting: Provider[];
  /** Those whose end is still to come and counts. */
  readonly inPlay: Set<Trial<Answer>>;
  readonly abandoned: Set<Trial<Answer>>;
  /** Whose first piece or answer came first. */
  chosen: Trial<Answer> | null;
  readonly failures: NotExecuted[];
  /** After which no other member may be asked. */
  final: { readonly failure: unknown } | null;
  timer: { readonly due: Promise<'due'>; readonly cancel: () => void } | null;
}

/**
 * Asks one member after another, in their order, and does not wait for a silent one longer than the rules say. The first that gives
 * a piece or an answer is chosen, and the others are abandoned. What an abandoned one used stands on record and is charged to no
 * client; where no answer comes and an abandoned one may have run, the outcome is unknown.
 */
export const contend = async <Answer>(
  members: readonly Provider[],
  invocation: Invocation<Answer>,
  rules: ContestRules,
): Promise<Answer> => {
  const contest: Contest<Answer> = {
    invocation,
    rules,
    waiting: members.filter(invocation.offers),
    inPlay: new Set(),
    abandoned: new Set(),
    chosen: null,
    failures: [],
    final: null,
    timer: null,
  };
  for (;;) {
    if (contest.inPlay.size === 0 && !startNext(contest)) throw await verdict(contest);
    const event = await nextEvent(contest);
    if (event === 'due') onLate(contest);
    else if (event.end.kind === 'failed') onFailure(contest, event.trial, event.end.failure);
    else {
      if (contest.chosen === null) rules.onMeasured?.(event.trial.member, rules.now() - event.trial.startedAtMs);
      choose(contest, event.trial);
      event.trial.release();
      await settleAbandoned(contest);
      return event.end.answer;
    }
  }
};

type ContestEvent<Answer> = 'due' | { readonly trial: Trial<Answer>; readonly end: TrialEnd<Answer> };

const nextEvent = <Answer>({ inPlay, timer }: Contest<Answer>): Promise<ContestEvent<Answer>> =>
  Promise.race([
    ...Array.from(inPlay, async (trial) => ({ trial, end: await trial.end })),
    ...(timer === null ? [] : [timer.due]),
  ]);

/** Asks the next member; false where there is none, or none may be asked. */
const startNext = <Answer>(contest: Contest<Answer>): boolean => {
  const { invocation, rules, waiting } = contest;
  const member = contest.final === null ? waiting.shift() : undefined;
  if (member === undefined) return false;
  const trial: Trial<Answer> = startTrial(invocation, member, rules, () => {
    if (contest.chosen === null) {
      rules.onMeasured?.(member, rules.now() - trial.startedAtMs);
      choose(contest, trial);
    }
    return contest.chosen === trial;
  });
  contest.inPlay.add(trial);
  startTimer(contest, member);
  return true;
};

/** For as long as there is another member to ask. */
const startTimer = <Answer>(contest: Contest<Answer>, member: Provider): void => {
  stopTimer(contest);
  const { rules, waiting, inPlay } = contest;
  const ms = rules.patienceMs(member);
  const isFull = rules.late === 'joined' && inPlay.size >= atOnceMax;
  if (ms === null || waiting.length === 0 || isFull) return;
  const { promise, resolve } = Promise.withResolvers<'due'>();
  contest.timer = { due: promise, cancel: rules.after(ms, () => resolve('due')) };
};

const stopTimer = <Answer>(contest: Contest<Answer>): void => {
  contest.timer?.cancel();
  contest.timer = null;
};

const abandon = <Answer>({ inPlay, abandoned }: Contest<Answer>, trial: Trial<Answer>): void => {
  inPlay.delete(trial);
  abandoned.add(trial);
  trial.abandon();
};

const choose = <Answer>(contest: Contest<Answer>, trial: Trial<Answer>): void => {
  contest.chosen = trial;
  stopTimer(contest);
  for (const other of contest.inPlay) {
    if (other === trial) continue;
    contest.rules.onMeasured?.(other.member, contest.rules.now() - other.startedAtMs);
    abandon(contest, other);
  }
};

const onLate = <Answer>(contest: Contest<Answer>): void => {
  stopTimer(contest);
  // A piece may have come while the timer went off.
  if (contest.chosen !== null || contest.invocation.signal.aborted) return;
  if (contest.rules.late === 'abandoned') for (const silent of contest.inPlay) abandon(contest, silent);
  startNext(contest);
};

const onFailure = <Answer>(contest: Contest<Answer>, trial: Trial<Answer>, failure: unknown): void => {
  contest.inPlay.delete(trial);
  if (contest.chosen === null && mayAskElsewhere(failure, contest.invocation)) {
    trial.release();
    contest.failures.push(failure);
    return;
  }
  stopTimer(contest);
  contest.waiting.length = 0;
  if (!isNotExecuted(failure) && contest.inPlay.size > 0) {
    // It may have run, and another one may still answer: that one's answer counts, and the other is not measured.
    abandon(contest, trial);
    return;
  }
  trial.release();
  contest.final ??= { failure };
};

/** What the abandoned calls that may have run used at the least; null where none of them may have. */
const settleAbandoned = async <Answer>({ abandoned }: Contest<Answer>): Promise<readonly Usage[] | null> => {
  const ends = await Promise.all(Array.from(abandoned, (trial) => trial.settle()));
  const ran = ends.filter(({ mayHaveRun }) => mayHaveRun);
  return ran.length === 0 ? null : ran.flatMap(({ usage }) => usage);
};

/** What the call failed with, which never says that nothing ran where an abandoned call may have. */
const verdict = async <Answer>(contest: Contest<Answer>): Promise<unknown> => {
  stopTimer(contest);
  const { invocation, failures, final } = contest;
  const abandonedUsage = await settleAbandoned(contest);
  const failure = final === null ? together(failures) : toldInstead(final.failure, failures, invocation);
  if (abandonedUsage === null) return failure;
  const usage = [...readUsageAtLeast(failure), ...abandonedUsage];
  if (failure instanceof UnknownOutcome) return new UnknownOutcome(failure.detail, failure, usage);
  return new UnknownOutcome(isNotExecuted(failure) ? 'aborted' : 'upstream_error', failure, usage);
};
