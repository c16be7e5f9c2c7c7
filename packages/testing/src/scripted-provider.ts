import {
  NotExecuted,
  type Attempt,
  type CallContext,
  type Generation,
  type GenerationCall,
  type NotExecutedReason,
  type Provider,
} from '@tollgate/provider';

/** What the scripted provider does with one call. */
export type ScriptedStep =
  /** Answers; what is left out comes from a short answer of 10 input and 5 output tokens. */
  | { readonly kind: 'answer'; readonly generation?: Partial<Generation> }
  /** Certain non-execution. `sent: false` records an attempt that was never sent. */
  | {
      readonly kind: 'not_executed';
      readonly reason: NotExecutedReason;
      readonly retryAfterMs?: number;
      readonly sent?: boolean;
    }
  /** Throws an ordinary error: the upstream may have run. */
  | { readonly kind: 'unknown' }
  /** Goes on with `next` when the promise resolves; does not look at the signal. */
  | { readonly kind: 'wait'; readonly until: Promise<unknown>; readonly next: ScriptedStep }
  /** Answers nothing until the signal aborts, then throws an ordinary error. */
  | { readonly kind: 'hang' }
  /** Never settles, whatever the signal says: as if the process had died in the middle. */
  | { readonly kind: 'never' };

export interface ScriptedCall {
  readonly call: GenerationCall;
  readonly context: CallContext;
}

export interface ScriptedProvider extends Provider {
  readonly generate: (call: GenerationCall, context: CallContext) => Promise<Generation>;
  readonly close: () => Promise<void>;
  /** Every call that was not already given up, in the order it came. */
  readonly calls: readonly ScriptedCall[];
  /** How often the operation was handed to this provider. */
  readonly executions: (operationId: string) => number;
  /** Resolves when that many calls have come in all. */
  readonly received: (count: number) => Promise<void>;
  /** Adds steps to the end of the script. */
  readonly script: (...steps: readonly ScriptedStep[]) => void;
}

export interface ScriptedProviderOptions {
  readonly name?: string;
  /** The first steps, in order. */
  readonly steps?: readonly ScriptedStep[];
  /** What a call does when the script has ended (default: it answers). */
  readonly otherwise?: ScriptedStep;
  /** Clock of the attempts (default: always 0). */
  readonly now?: () => number;
}

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

/** A provider that does what a test wrote down, and remembers who asked for what. */
export const scriptedProvider = (options: ScriptedProviderOptions = {}): ScriptedProvider => {
  const steps = [...(options.steps ?? [])];
  const calls: ScriptedCall[] = [];
  const waiting: { readonly count: number; readonly resolve: () => void }[] = [];
  const now = options.now ?? (() => 0);
  return {
    name: options.name ?? 'scripted',
    calls,
    executions: (operationId) => calls.filter(({ call }) => call.operationId === operationId).length,
    received: (count) =>
      new Promise((resolve) => {
        if (calls.length >= count) resolve();
        else waiting.push({ count, resolve });
      }),
    script: (...more) => void steps.push(...more),
    generate: (call, context) => {
      // A call that is already given up is not handed over, and uses up no step.
      if (context.signal.aborted) return Promise.reject(new NotExecuted({ reason: 'cancelled' }));
      calls.push({ call, context });
      for (const { count, resolve } of waiting) if (calls.length >= count) resolve();
      const step = steps.shift() ?? options.otherwise ?? { kind: 'answer' };
      const startedAtMs = now();
      // No upstream answers at once.
      return Promise.resolve().then(() => perform(step, { context, now, startedAtMs }));
    },
    close: () => Promise.resolve(),
  };
};

interface Performance {
  readonly context: CallContext;
  readonly now: () => number;
  readonly startedAtMs: number;
}

const perform = async (step: ScriptedStep, performance: Performance): Promise<Generation> => {
  const { context, now, startedAtMs } = performance;
  const record = (status: number | null, outcome: Attempt['outcome']): void =>
    context.recordAttempt({ startedAtMs, durationMs: now() - startedAtMs, status, outcome });
  switch (step.kind) {
    case 'answer':
      record(200, 'answered');
      return { ...scriptedGeneration, ...step.generation };
    case 'not_executed': {
      const sent = step.sent ?? true;
      record(sent ? 400 : null, sent ? 'refused' : 'not_sent');
      const later = step.retryAfterMs === undefined ? {} : { retryAfterMs: step.retryAfterMs };
      throw new NotExecuted({ reason: step.reason, ...later });
    }
    case 'unknown':
      record(null, 'unknown');
      throw new Error('scripted: the outcome is unknown');
    case 'wait':
      await step.until;
      return perform(step.next, performance);
    case 'hang':
      await aborted(context.signal);
      record(null, 'unknown');
      throw new Error('scripted: given up');
    case 'never':
      break;
  }
  return new Promise(() => {});
};

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
