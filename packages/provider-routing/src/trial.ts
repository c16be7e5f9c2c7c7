import { isNotExecuted, readUsageAtLeast, type Attempt, type Provider, type Usage } from '@tollgate/provider';
import type { After } from './after-timeout.ts';
import type { Invocation } from './invocation.ts';

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

/** Where the upstream requests of one trial go: what certainly did not run at once, the others once it is known what they count as. */
interface Recorder {
  readonly note: (attempt: Attempt) => void;
  /** They count as those of any call. */
  readonly release: () => void;
  readonly abandon: () => void;
  readonly isAbandoned: () => boolean;
  /** Puts those of an abandoned trial on record, with what they used. Nothing goes on record afterwards. */
  readonly close: (usage: readonly Usage[]) => void;
}

const isCertain = ({ outcome }: Attempt): boolean => outcome === 'refused' || outcome === 'not_sent';

const createRecorder = (record: (attempt: Attempt) => void): Recorder => {
  const kept: Attempt[] = [];
  let fate: 'open' | 'released' | 'abandoned' | 'closed' = 'open';
  return {
    note: (attempt) => {
      if (fate === 'closed') return;
      if (fate === 'released' || isCertain(attempt)) record(attempt);
      else kept.push(attempt);
    },
    release: () => {
      if (fate !== 'open') return;
      fate = 'released';
      for (const attempt of kept) record(attempt);
    },
    abandon: () => {
      if (fate === 'open') fate = 'abandoned';
    },
    isAbandoned: () => fate === 'abandoned' || fate === 'closed',
    close: (usageAtLeast) => {
      if (fate !== 'abandoned') return;
      fate = 'closed';
      for (const [place, attempt] of kept.entries()) {
        const isLast = place === kept.length - 1;
        record({ ...attempt, abandoned: true, ...(isLast && usageAtLeast.length > 0 && { usageAtLeast }) });
      }
    },
  };
};

const usageOfEnd = <Answer>(end: TrialEnd<Answer>, { usageOf }: Invocation<Answer>): readonly Usage[] =>
  end.kind === 'answered' ? usageOf(end.answer) : readUsageAtLeast(end.failure);

const abandonedOf = <Answer>(end: TrialEnd<Answer>, invocation: Invocation<Answer>): Abandoned => ({
  mayHaveRun: end.kind === 'answered' || !isNotExecuted(end.failure),
  usage: usageOfEnd(end, invocation),
});

/** Asks a member; `takes` is called with each piece, and says whether it is handed over. */
export const startTrial = <Answer>(
  invocation: Invocation<Answer>,
  member: Provider,
  { now, after, settleMsMax }: TrialWorld,
  takes: () => boolean,
): Trial<Answer> => {
  const startedAtMs = now();
  const controller = new AbortController();
  const recorder = createRecorder(invocation.recordAttempt);
  /** For an end that does not come in time. */
  const closeUnknown = (): void => {
    const durationMs = Math.max(0, now() - startedAtMs);
    recorder.note({ startedAtMs, durationMs, status: null, outcome: 'unknown', provider: member.name });
    recorder.close([]);
  };
  const onAbort = (): void => {
    controller.abort(invocation.signal.reason);
    // The gateway waits no longer: what is kept back goes on record now or never.
    if (recorder.isAbandoned()) closeUnknown();
    else recorder.release();
  };
  const { signal } = invocation;
  signal.addEventListener('abort', onAbort);
  if (signal.aborted) onAbort();
  const takesOpen = (): boolean => !recorder.isAbandoned() && takes();
  const asking = { signal: controller.signal, recordAttempt: recorder.note, takes: takesOpen };
  const end = invocation.ask(member, asking).then(
    (answer): TrialEnd<Answer> => ({ kind: 'answered', answer }),
    (failure: unknown): TrialEnd<Answer> => ({ kind: 'failed', failure }),
  );
  void end.then(() => signal.removeEventListener('abort', onAbort));
  return {
    member,
    startedAtMs,
    end,
    release: recorder.release,
    abandon: () => {
      recorder.abandon();
      controller.abort(new Error('another provider was asked in its place'));
      void end.then((ended) => recorder.close(usageOfEnd(ended, invocation)));
    },
    settle: async () => {
      const { promise: late, resolve } = Promise.withResolvers<null>();
      const cancel = after(settleMsMax, () => resolve(null));
      const ended = await Promise.race([end, late]);
      cancel();
      signal.removeEventListener('abort', onAbort);
      if (ended !== null) return abandonedOf(ended, invocation);
      closeUnknown();
      return { mayHaveRun: true, usage: [] };
    },
  };
};
