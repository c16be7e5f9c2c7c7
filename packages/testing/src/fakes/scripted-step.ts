import {
  generationParts,
  NotExecuted,
  UnknownOutcome,
  type Attempt,
  type BatchResultItem,
  type CallContext,
  type CallField,
  type CallPiece,
  type CreatedCache,
  type Embeddings,
  type GeneratedVideos,
  type Generation,
  type Interacted,
  type JobProgress,
  type Moderations,
  type NotExecutedReason,
  type OnCallPiece,
  type OnParts,
  type Part,
  type RefusalDetail,
  type UpstreamFileState,
  type Usage,
} from '@tollgate/provider';

/** What was handed over before a step went on; only a stream hands anything over. */
interface Handing {
  /** Parts, and pieces of calls before their parts. */
  readonly pieces?: readonly (Part | CallPiece)[];
}

export interface ScriptedAnswer extends Handing {
  readonly kind: 'answer';
  /** What the upstream calls the request, on its attempt (default: nothing). */
  readonly upstreamId?: string;
  /** What is left out comes from a short answer of 10 input and 5 output tokens. */
  readonly generation?: Partial<Generation>;
  /** What is left out comes from a vector of two numbers for each input and 3 tokens each. */
  readonly embeddings?: Partial<Embeddings>;
  /** What is left out comes from one that finds nothing, of 10 input tokens for each input. */
  readonly moderations?: Partial<Moderations>;
  /** What `countTokens` answers (default: 10 input tokens). */
  readonly tokens?: readonly Usage[];
  /** What is left out of a cache that is created comes from one of 10 tokens. */
  readonly cache?: Partial<CreatedCache>;
  /** What the job of a batch comes to (default: every item is answered). */
  readonly batchItems?: readonly BatchResultItem[];
  /** What is left out of what an interaction came to comes from a short report of 10 input and 5 output tokens. */
  readonly interacted?: Partial<Interacted>;
  /** What `upload` and `state` answer (default `active`). */
  readonly fileState?: UpstreamFileState;
  /** What a poll answers (default: that the job is done). */
  readonly jobProgress?: Extract<JobProgress<never>, { readonly kind: 'running' }>;
  /** What is left out comes from one video as long as was asked for. */
  readonly videos?: Partial<GeneratedVideos>;
}

/** What the scripted provider does with one call, whichever method it came by. */
export type ScriptedStep =
  /** Returns; a stream hands over `pieces`, or the parts of the answer with its text in two. */
  | ScriptedAnswer
  /** Certain non-execution. `sent: false` records an attempt that was never sent. */
  | (Handing & {
      readonly kind: 'not_executed';
      readonly reason: NotExecutedReason;
      readonly retryAfterMs?: number;
      readonly sent?: boolean;
      /** What the upstream names in its refusal. */
      readonly field?: CallField;
      /** Why the upstream refused it. */
      readonly detail?: RefusalDetail;
      /** Whether the same call fails again until a person changes something (default false). */
      readonly lasting?: boolean;
    })
  /** Throws an ordinary error: the upstream may have run. Where it is said what was used at the least, the error says it too. */
  | (Handing & {
      readonly kind: 'unknown';
      readonly usageAtLeast?: readonly Usage[];
      /** What the upstream calls the request, on its attempt (default: nothing). */
      readonly upstreamId?: string;
    })
  /** Goes on with `next` when the promise resolves; does not look at the signal. */
  | (Handing & { readonly kind: 'wait'; readonly until: Promise<unknown>; readonly next: ScriptedStep })
  /** Returns nothing until the signal aborts, then throws an ordinary error. */
  | (Handing & { readonly kind: 'hang' })
  /** Never settles, whatever the signal says: as if the process had died in the middle. */
  | (Handing & { readonly kind: 'never' });

/** The answer of a step that does not say another. */
export const scriptedGeneration: Generation = {
  text: 'Scripted answer.',
  functionCalls: [],
  finish: 'stop',
  usage: [
    { unit: 'input_text_tokens', quantity: 10, confirmed: true },
    { unit: 'output_text_tokens', quantity: 5, confirmed: true },
  ],
};

export interface Performance {
  readonly context: CallContext;
  readonly now: () => number;
  readonly startedAtMs: number;
  /** Present where the call is a stream. */
  readonly onParts?: OnParts;
  readonly onCallPiece?: OnCallPiece | undefined;
}

/** Performs a step up to its answer, or throws what it says. Records one attempt. */
export const performStep = async (step: ScriptedStep, performance: Performance): Promise<ScriptedAnswer> => {
  const { context, now, startedAtMs } = performance;
  const ids = 'upstreamId' in step && step.upstreamId !== undefined ? { upstreamId: step.upstreamId } : {};
  const record = (status: number | null, outcome: Attempt['outcome']): void =>
    context.recordAttempt({ startedAtMs, durationMs: now() - startedAtMs, status, outcome, ...ids });
  await handOver(step, performance);
  switch (step.kind) {
    case 'answer':
      record(200, 'answered');
      return step;
    case 'not_executed': {
      const sent = step.sent ?? true;
      record(sent ? 400 : null, sent ? 'refused' : 'not_sent');
      const later = step.retryAfterMs === undefined ? {} : { retryAfterMs: step.retryAfterMs };
      throw new NotExecuted({
        reason: step.reason,
        ...later,
        field: step.field,
        detail: step.detail,
        lasting: step.lasting ?? false,
      });
    }
    case 'unknown':
      record(null, 'unknown');
      if (step.usageAtLeast !== undefined) throw new UnknownOutcome('interrupted', undefined, step.usageAtLeast);
      throw new Error('scripted: the outcome is unknown');
    case 'wait':
      await step.until;
      return performStep(step.next, performance);
    case 'hang':
      await aborted(context.signal);
      record(null, 'unknown');
      throw new Error('scripted: given up');
    case 'never':
      break;
  }
  return new Promise(() => {});
};

const handOver = async (step: ScriptedStep, { onParts, onCallPiece }: Performance): Promise<void> => {
  if (onParts === undefined) return;
  for (const piece of piecesOf(step)) {
    if (piece.kind === 'call_piece') onCallPiece?.(piece);
    else onParts([piece]);
    // No upstream says everything at once.
    await Promise.resolve();
  }
};

const piecesOf = (step: ScriptedStep): readonly (Part | CallPiece)[] => {
  if (step.pieces !== undefined) return step.pieces;
  if (step.kind !== 'answer') return [];
  return generationParts({ ...scriptedGeneration, ...step.generation }).flatMap(halved);
};

const halved = (part: Part): readonly Part[] => {
  if (part.kind !== 'text' || part.text.length < 2) return [part];
  const characters = Array.from(part.text);
  const middle = Math.ceil(characters.length / 2);
  const halves = [characters.slice(0, middle), characters.slice(middle)];
  return halves.filter((half) => half.length > 0).map((half) => ({ ...part, text: half.join('') }));
};

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
