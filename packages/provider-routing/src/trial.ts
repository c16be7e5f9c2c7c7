import { isNotExecuted, readUsageAtLeast, type Provider, type Usage } from '@tollgate/provider';
import type { After } from './after-timeout.ts';
import type { Invocation } from './invocation.ts';
import { createTrialRecord, type TrialRecord } from './trial-record.ts';

export interface TrialWorld {
  readonly now: () => number;
  readonly after: After;
  /** How long the end of an abandoned call is waited for, so that what it used is on record. */
  readonly settleMsMax: number;
}

export type TrialEnd<Answer> =
  | { readonly kind: 'answered'; readonly answer: Answer }
  | { readonly kind: 'failed'; readonly failure: unknown };

/** What is known of an abandoned call: whether it may have run, and what it used at the least. */
export interface Abandoned {
  readonly mayHaveRun: boolean;
  readonly usage: readonly Usage[];
}

/** One call of a member, which may be given up for that of another one. */
export interface Trial<Answer> {
  readonly member: Provider;
  readonly startedAtMs: number;
  readonly end: Promise<TrialEnd<Answer>>;
  /** Aborts it. Nothing of it is handed over any more, and its upstream requests are recorded as abandoned. */
  readonly abandon: () => void;
  /** Its upstream requests count as those of any call. */
  readonly release: () => void;
  /** Of an abandoned one: waits until what became of it is on record. One that does not end in time is recorded as unknown. */
  readonly settle: () => Promise<Abandoned>;
}

const usageOfEnd = <Answer>(end: TrialEnd<Answer>, { usageOf }: Invocation<Answer>): readonly Usage[] =>
  end.kind === 'answered' ? usageOf(end.answer) : readUsageAtLeast(end.failure);

const abandonedOf = <Answer>(end: TrialEnd<Answer>, invocation: Invocation<Answer>): Abandoned => ({
  mayHaveRun: end.kind === 'answered' || !isNotExecuted(end.failure),
  usage: usageOfEnd(end, invocation),
});

/** Null where it has not ended in time. */
const endWithin = <Answer>(
  end: Promise<TrialEnd<Answer>>,
  { after, settleMsMax }: TrialWorld,
): Promise<TrialEnd<Answer> | null> =>
  new Promise((resolve) => {
    const cancel = after(settleMsMax, () => resolve(null));
    void end.finally(cancel).then(resolve);
  });

const ask = <Answer>(
  invocation: Invocation<Answer>,
  member: Provider,
  {
    record,
    signal,
    takes,
  }: { readonly record: TrialRecord; readonly signal: AbortSignal; readonly takes: () => boolean },
): Promise<TrialEnd<Answer>> => {
  const takesOpen = (): boolean => !record.isAbandoned() && takes();
  return invocation.ask(member, { signal, recordAttempt: record.note, takes: takesOpen }).then(
    (answer): TrialEnd<Answer> => ({ kind: 'answered', answer }),
    (failure: unknown): TrialEnd<Answer> => ({ kind: 'failed', failure }),
  );
};

/** For an end that does not come in time. */
const expire = (
  record: TrialRecord,
  { name }: Provider,
  { startedAtMs, nowMs }: { readonly startedAtMs: number; readonly nowMs: number },
): void => {
  const durationMs = Math.max(0, nowMs - startedAtMs);
  record.note({ startedAtMs, durationMs, status: null, outcome: 'unknown', provider: name });
  record.close([]);
};

/** Runs once the signal aborts, at once where it has; returns what ends that. */
const linkAbort = (signal: AbortSignal, run: () => void): (() => void) => {
  signal.addEventListener('abort', run);
  if (signal.aborted) run();
  return () => signal.removeEventListener('abort', run);
};

/** Asks a member; `takes` is called with each piece, and says whether it is handed over. */
export const startTrial = <Answer>(
  invocation: Invocation<Answer>,
  member: Provider,
  world: TrialWorld,
  takes: () => boolean,
): Trial<Answer> => {
  const { signal } = invocation;
  const startedAtMs = world.now();
  const controller = new AbortController();
  const record = createTrialRecord(invocation.recordAttempt);
  const closeUnknown = (): void => expire(record, member, { startedAtMs, nowMs: world.now() });
  const unlink = linkAbort(signal, () => {
    controller.abort(signal.reason);
    // The gateway waits no longer: what is kept back goes on record now or never.
    if (record.isAbandoned()) closeUnknown();
    else record.release();
  });
  const end = ask(invocation, member, { record, signal: controller.signal, takes });
  void end.then(unlink);
  return {
    member,
    startedAtMs,
    end,
    release: record.release,
    abandon: () => {
      record.abandon();
      controller.abort(new Error('another provider was asked in its place'));
      void end.then((ended) => record.close(usageOfEnd(ended, invocation)));
    },
    settle: async () => {
      const ended = await endWithin(end, world);
      unlink();
      if (ended !== null) return abandonedOf(ended, invocation);
      closeUnknown();
      return { mayHaveRun: true, usage: [] };
    },
  };
};
