import type { JobProgress, ProviderJobs } from '@tollgate/provider';
import type { Engine } from '../engine.ts';
import { isToEnd } from './access-lost.ts';
import { callInTime } from './call-in-time.ts';
import { isFailureReport, isTransient, retryAfterMsOf } from './is-transient.ts';
import type { Work, WorkContext, WorkOutcome } from './work-kind.ts';

/** A job that an upstream confirmed, as the work of its resource stores it. */
export interface RunningJob {
  /** By which the upstream is asked for it. */
  readonly job: string;
  readonly startedAtMs: number;
  readonly polls: number;
  /** Whether the upstream was asked to cancel it. */
  readonly cancelAsked: boolean;
}

export interface JobPauses {
  /** The pause before the second poll; each further one is half as long again, up to the longest. */
  readonly firstPauseMs: number;
  readonly pauseMsMax: number;
  /** The longest time of one poll and of one request to cancel. */
  readonly pollMs: number;
  /** The longest time of a job, counted from its start; then its outcome is unknown. */
  readonly jobMsMax: number;
  /** How often an upstream that is busy or away is asked to start a job. */
  readonly startTriesMax: number;
}

/** What a job needs of the work that it belongs to. */
interface JobWork {
  readonly operation: Pick<Work['operation'], 'id' | 'updatedAtMs'>;
}

type JobContext = Pick<WorkContext, 'callContext' | 'checkpoint' | 'isCancelling' | 'accessRefusal'>;

/** One turn of work on a resource that a provider runs as a job. */
export interface ProviderJob<Call, Result> {
  readonly engine: Pick<Engine, 'clock' | 'logger' | 'limits'>;
  readonly work: JobWork;
  readonly context: JobContext;
  /** The name of the provider. */
  readonly provider: string;
  readonly jobs: ProviderJobs<Call, Result>;
  readonly pauses: JobPauses;
  /** What the log calls the resource: "a video". */
  readonly noun: string;
  /** The stored work of the resource while the job runs. */
  readonly toWork: (running: RunningJob) => unknown;
}

export interface RetryOfStart {
  /** Starts before this one in which nothing was executed. */
  readonly tries: number;
  /** The stored work after so many of them. */
  readonly asked: (tries: number) => unknown;
  /** The outcome after the last of them (default: it ends with the cause, as not executed). */
  readonly onTriesSpent?: (cause: unknown) => WorkOutcome;
}

export interface StartOfJob<Call> extends RetryOfStart {
  readonly call: Call;
  /** The stored work while the outcome of the start is unknown; durable before the upstream is asked. */
  readonly submitting: unknown;
  /** Called once the job is durable. */
  readonly onStarted?: () => Promise<void>;
}

const growth = 1.5;
/** Beyond so many, the pause is the longest. */
const stepsMax = 20;

/** The pause after so many polls or tries: each half as long again as the one before, up to the longest. */
export const pauseAfter = ({ firstPauseMs, pauseMsMax }: JobPauses, times: number): number =>
  Math.min(firstPauseMs * growth ** Math.min(times, stepsMax), pauseMsMax);

/** What a start does that executed nothing: another turn makes it again, until the tries are spent. */
export const startLater = (pauses: JobPauses, start: RetryOfStart, cause: unknown): WorkOutcome => {
  const tries = start.tries + 1;
  if (tries < pauses.startTriesMax) {
    const afterMs = retryAfterMsOf(cause) ?? pauseAfter(pauses, 2 * tries);
    return { kind: 'later', afterMs, work: start.asked(tries) };
  }
  if (start.onTriesSpent === undefined) throw cause;
  return start.onTriesSpent(cause);
};

/**
 * Asks the upstream to start a job, at most once for each mark: the mark is durable before, the job after. Where nothing was
 * executed for a cause that can pass, another turn asks again.
 */
export const startProviderJob = async <Call, Result>(
  turn: ProviderJob<Call, Result>,
  start: StartOfJob<Call>,
): Promise<WorkOutcome> => {
  const { engine, work, context, provider, jobs, pauses } = turn;
  await context.checkpoint(start.submitting);
  let job: string;
  try {
    const { executionMs } = engine.limits;
    const callContext = context.callContext(provider);
    ({ job } = await callInTime(engine, callContext, executionMs, (each) => jobs.start(start.call, each)));
  } catch (cause) {
    if (!isTransient(cause)) throw cause;
    return startLater(pauses, start, cause);
  }
  const running = turn.toWork({ job, startedAtMs: work.operation.updatedAtMs, polls: 0, cancelAsked: false });
  if (start.onStarted !== undefined) {
    await context.checkpoint(running);
    await start.onStarted();
  }
  return { kind: 'later', afterMs: pauses.firstPauseMs, work: running };
};

/** What a poll does beside asking. */
export interface PollOfJob<Result> {
  /** Makes the outcome of a finished job. Where it fails, a later turn asks the upstream again. */
  readonly onDone: (result: Result) => Promise<WorkOutcome> | WorkOutcome;
  /**
   * How often the upstream is asked to cancel when the client wants it or the key is revoked: once, which is stored before the
   * request, or until it accepts, which is stored after (default: never).
   */
  readonly cancel?: 'once' | 'until_accepted';
}

const askToCancel = async <Call, Result>(
  turn: ProviderJob<Call, Result>,
  running: RunningJob,
  cancel: NonNullable<PollOfJob<Result>['cancel']>,
): Promise<RunningJob> => {
  const { engine, work, context, provider, jobs, pauses, noun, toWork } = turn;
  const { cancel: request } = jobs;
  if (running.cancelAsked || request === undefined || !(await isToEnd(context))) return running;
  const asked: RunningJob = { ...running, cancelAsked: true };
  if (cancel === 'once') await context.checkpoint(toWork(asked));
  try {
    await callInTime(engine, context.callContext(provider), pauses.pollMs, (each) => request(running.job, each));
  } catch (cause) {
    engine.logger.warn(`${noun} could not be cancelled`, { operationId: work.operation.id, cause });
    return cancel === 'once' ? asked : running;
  }
  if (cancel === 'until_accepted') await context.checkpoint(toWork(asked));
  return asked;
};

const pollLater = <Call, Result>(
  { pauses, toWork }: ProviderJob<Call, Result>,
  running: RunningJob,
  progress: Omit<Extract<JobProgress<Result>, { readonly kind: 'running' }>, 'kind'>,
): WorkOutcome => {
  const { job = running.job, afterMs = pauseAfter(pauses, running.polls) } = progress;
  return { kind: 'later', afterMs, work: toWork({ ...running, job, polls: running.polls + 1 }) };
};

/** Whether a job has run longer than it may. */
export const isOverdue = ({ operation }: JobWork, startedAtMs: number, { jobMsMax }: JobPauses): boolean =>
  operation.updatedAtMs - startedAtMs > jobMsMax;

/** Asks the upstream how far a job is. A poll without a reply is made again later; only the upstream's own report ends a job. */
export const pollProviderJob = async <Call, Result>(
  turn: ProviderJob<Call, Result>,
  found: RunningJob,
  poll: PollOfJob<Result>,
): Promise<WorkOutcome> => {
  const { engine, work, context, provider, jobs, pauses, noun } = turn;
  if (isOverdue(work, found.startedAtMs, pauses))
    return { kind: 'unknown', cause: new Error(`the upstream took longer than ${noun} may`) };
  const running = poll.cancel === undefined ? found : await askToCancel(turn, found, poll.cancel);
  try {
    const callContext = context.callContext(provider);
    const progress = await callInTime(engine, callContext, pauses.pollMs, (each) => jobs.poll(running.job, each));
    return progress.kind === 'done' ? await poll.onDone(progress.result) : pollLater(turn, running, progress);
  } catch (cause) {
    if (isFailureReport(cause)) throw cause;
    engine.logger.warn(`${noun} could not be checked or stored yet`, { operationId: work.operation.id, cause });
    return pollLater(turn, running, {});
  }
};
