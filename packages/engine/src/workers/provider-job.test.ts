import { NotExecuted, type JobProgress, type ProviderJobs } from '@tollgate/provider';
import { expect, test } from 'vitest';
import { createEngineWorld } from '../../test/engine-world.ts';
import { pauseAfter, pollProviderJob, startProviderJob, type JobPauses, type RunningJob } from './provider-job.ts';
import type { WorkContext } from './work-kind.ts';

const pauses: JobPauses = { firstPauseMs: 1_000, pauseMsMax: 5_000, pollMs: 100, jobMsMax: 60_000, startTriesMax: 3 };
const running: RunningJob = { job: 'j', startedAtMs: 0, polls: 2, cancelAsked: false };
const busy = new NotExecuted({ reason: 'unavailable', cause: 'busy' });

interface Setting {
  readonly jobs?: Partial<ProviderJobs<string, string>>;
  readonly nowMs?: number;
  readonly cancelling?: boolean;
}

/** One turn, and what it did in order: marks that it stored and requests to the upstream. */
const turnOf = async ({ jobs = {}, nowMs = 1_000, cancelling = false }: Setting) => {
  const { engine } = await createEngineWorld();
  const log: unknown[] = [];
  const logged =
    <T extends readonly unknown[], R>(name: string, run: (...given: T) => R) =>
    (...given: T): R => {
      log.push(name);
      return run(...given);
    };
  const context: Pick<WorkContext, 'signal' | 'callContext' | 'checkpoint' | 'isCancelling' | 'accessRefusal'> = {
    signal: new AbortController().signal,
    callContext: () => ({
      caller: { accountId: 'a', projectId: 'p', keyId: 'k' },
      signal: new AbortController().signal,
      recordAttempt: () => undefined,
    }),
    checkpoint: (work) => {
      log.push(work);
      return Promise.resolve();
    },
    isCancelling: () => Promise.resolve(cancelling),
    accessRefusal: () => Promise.resolve(null),
  };
  const turn = {
    engine,
    work: { operation: { id: 'o', updatedAtMs: nowMs } },
    context,
    provider: 'p',
    jobs: {
      start: logged('start', jobs.start ?? (() => Promise.resolve({ job: 'j' }))),
      poll: logged('poll', jobs.poll ?? (() => Promise.resolve<JobProgress<string>>({ kind: 'running' }))),
      cancel: logged('cancel', jobs.cancel ?? (() => Promise.resolve())),
    },
    pauses,
    noun: 'a thing',
    toWork: (job: RunningJob) => ({ phase: 'running', ...job }),
  };
  return { turn, log };
};

const start = { call: 'c', submitting: 'submitting', tries: 0, asked: (tries: number) => ({ tries }) };
const onDone = (result: string) => ({ kind: 'refused', code: 'not_found', cause: result }) as const;

const onTriesSpent = () => ({ kind: 'cancelled' }) as const;
const lost = () => Promise.reject(new Error('lost'));

test('pauses grow by half up to the longest', () => {
  expect([0, 1, 2, 3, 4, 50].map((times) => pauseAfter(pauses, times))).toEqual([
    1_000, 1_500, 2_250, 3_375, 5_000, 5_000,
  ]);
});

test('the mark is stored before the upstream is asked to start', async () => {
  const { turn, log } = await turnOf({});
  const outcome = await startProviderJob(turn, start);
  expect(log).toEqual(['submitting', 'start']);
  const work = { phase: 'running', job: 'j', startedAtMs: 1_000, polls: 0, cancelAsked: false };
  expect(outcome).toEqual({ kind: 'later', afterMs: 1_000, work });
});

test('what a start leaves behind is removed only once the job is stored', async () => {
  const { turn, log } = await turnOf({});
  const onStarted = () => Promise.resolve(void log.push('removed'));
  await startProviderJob(turn, { ...start, onStarted });
  expect(log).toEqual(['submitting', 'start', expect.objectContaining({ job: 'j' }), 'removed']);
});

test('a start that executed nothing is tried again a bounded number of times', async () => {
  const { turn } = await turnOf({ jobs: { start: () => Promise.reject(busy) } });
  expect(await startProviderJob(turn, start)).toEqual({ kind: 'later', afterMs: 2_250, work: { tries: 1 } });
  await expect(startProviderJob(turn, { ...start, tries: 2 })).rejects.toBe(busy);
  expect(await startProviderJob(turn, { ...start, tries: 2, onTriesSpent })).toEqual({ kind: 'cancelled' });
});

test('a start with an unknown outcome is not tried again', async () => {
  const cause = new Error('the connection was lost');
  const { turn } = await turnOf({ jobs: { start: () => Promise.reject(cause) } });
  await expect(startProviderJob(turn, start)).rejects.toBe(cause);
});

test('a poll that fails is made again later, and counts', async () => {
  for (const cause of [new Error('no reply'), busy]) {
    const { turn } = await turnOf({ jobs: { poll: () => Promise.reject(cause) } });
    const outcome = await pollProviderJob(turn, running, { onDone });
    expect(outcome).toMatchObject({ kind: 'later', afterMs: 2_250, work: { job: 'j', polls: 3 } });
  }
});

test('the upstream names the next poll and a new reference of the job', async () => {
  const { turn } = await turnOf({ jobs: { poll: () => Promise.resolve({ kind: 'running', afterMs: 7, job: 'k' }) } });
  const outcome = await pollProviderJob(turn, running, { onDone });
  expect(outcome).toMatchObject({ kind: 'later', afterMs: 7, work: { job: 'k' } });
});

test('a result that cannot be stored is polled for again', async () => {
  const { turn } = await turnOf({ jobs: { poll: () => Promise.resolve({ kind: 'done', result: 'r' }) } });
  expect(await pollProviderJob(turn, running, { onDone })).toMatchObject({ kind: 'refused', cause: 'r' });
  expect(await pollProviderJob(turn, running, { onDone: lost })).toMatchObject({ kind: 'later' });
});

test("the upstream's own report of a failure ends the job", async () => {
  const cause = new NotExecuted({ reason: 'invalid_request', cause: 'no' });
  const { turn } = await turnOf({ jobs: { poll: () => Promise.reject(cause) } });
  await expect(pollProviderJob(turn, running, { onDone })).rejects.toBe(cause);
});

test('the outcome of a job that runs longer than allowed is unknown, and no request is made', async () => {
  const { turn, log } = await turnOf({ nowMs: 60_001 });
  expect(await pollProviderJob(turn, running, { onDone })).toMatchObject({ kind: 'unknown' });
  expect(log).toEqual([]);
});

const marked = expect.objectContaining({ cancelAsked: true }) as unknown;
test('a cancellation that is asked for once is stored before the request, whether it succeeds or not', async () => {
  for (const cancel of [() => Promise.resolve(), lost]) {
    const { turn, log } = await turnOf({ cancelling: true, jobs: { cancel } });
    const outcome = await pollProviderJob(turn, running, { onDone, cancel: 'once' });
    expect(log).toEqual([marked, 'cancel', 'poll']);
    expect(outcome).toMatchObject({ work: { cancelAsked: true } });
  }
});

test('a cancellation that is asked for until it is accepted is stored after the request', async () => {
  const accepted = await turnOf({ cancelling: true });
  await pollProviderJob(accepted.turn, running, { onDone, cancel: 'until_accepted' });
  expect(accepted.log).toEqual(['cancel', marked, 'poll']);
  const failed = await turnOf({ cancelling: true, jobs: { cancel: lost } });
  const outcome = await pollProviderJob(failed.turn, running, { onDone, cancel: 'until_accepted' });
  expect(failed.log).toEqual(['cancel', 'poll']);
  expect(outcome).toMatchObject({ work: { cancelAsked: false } });
});

test('no job is cancelled twice, or without a reason', async () => {
  const again = await turnOf({ cancelling: true });
  await pollProviderJob(again.turn, { ...running, cancelAsked: true }, { onDone, cancel: 'once' });
  const unasked = await turnOf({});
  await pollProviderJob(unasked.turn, running, { onDone, cancel: 'once' });
  expect([again.log, unasked.log]).toEqual([['poll'], ['poll']]);
});
