import { setTimeout as wait } from 'node:timers/promises';
import {
  NotExecuted,
  type Attempt,
  type CallContext,
  type Generation,
  type GenerationCall,
  type NotExecutedReason,
  type Provider,
} from '@tollgate/provider';
import { parseDirectives, type Directive } from './directives.ts';
import { sandboxReply } from './sandbox-reply.ts';

export interface SandboxProviderOptions {
  /** Written on attempts and in logs (default `sandbox`). */
  readonly name?: string;
  readonly now?: () => number;
  /** Waits; rejects when the signal aborts. */
  readonly sleep?: (ms: number, signal: AbortSignal) => Promise<void>;
}

interface Sandbox {
  readonly now: () => number;
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
}

/**
 * A model that needs no network and costs nothing: the same call always gets the same answer, and directives in the prompt
 * (`directiveTable`) bring about every state that a client has to cope with.
 */
export const sandboxProvider = (options: SandboxProviderOptions = {}): Provider => {
  const sandbox: Sandbox = {
    now: options.now ?? Date.now,
    sleep: options.sleep ?? ((ms, signal) => wait(ms, undefined, { signal })),
  };
  return {
    name: options.name ?? 'sandbox',
    generate: (call, context) => generate(sandbox, call, context),
    close: () => Promise.resolve(),
  };
};

const generate = async (sandbox: Sandbox, call: GenerationCall, context: CallContext): Promise<Generation> => {
  if (context.signal.aborted) throw new NotExecuted({ reason: 'cancelled', cause: context.signal.reason });
  const directives = parseDirectives(lastUserText(call));
  const startedAtMs = sandbox.now();
  const record = (status: number | null, outcome: Attempt['outcome']): void =>
    context.recordAttempt({ startedAtMs, durationMs: sandbox.now() - startedAtMs, status, outcome });
  if (!(await waitAsTold(sandbox, directives, context.signal))) {
    record(null, 'unknown');
    throw new Error('sandbox: the outcome is unknown');
  }
  const refused = directives.map(refusalOf).find((refusal) => refusal !== undefined);
  if (refused !== undefined) {
    record(refused.status, 'refused');
    throw refused.failure;
  }
  record(200, 'answered');
  return sandboxReply(call, directives);
};

/** Directives count in the last user turn only, so that a history can be sent again without them. */
const lastUserText = (call: GenerationCall): string =>
  (call.contents.findLast((content) => content.role === 'user')?.parts ?? [])
    .map((part) => (part.kind === 'text' ? part.text : ''))
    .join('\n');

/** Waits as long as the directives say; false where the answer is lost. */
const waitAsTold = async (
  sandbox: Sandbox,
  directives: readonly Directive[],
  signal: AbortSignal,
): Promise<boolean> => {
  const slowMs = directives.reduce((sum, directive) => sum + (directive.kind === 'slow' ? directive.ms : 0), 0);
  if (slowMs > 0 && !(await waited(sandbox.sleep(slowMs, signal)))) return false;
  const hang = directives.find((directive) => directive.kind === 'hang');
  if (hang === undefined) return !directives.some((directive) => directive.kind === 'unknown');
  await (hang.ms === null ? aborted(signal) : waited(sandbox.sleep(hang.ms, signal)));
  return false;
};

const waited = (sleep: Promise<void>): Promise<boolean> =>
  sleep.then(
    () => true,
    () => false,
  );

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });

interface Refusal {
  readonly status: number;
  readonly failure: NotExecuted;
}

const refusal = (status: number, reason: NotExecutedReason, cause?: string): Refusal => ({
  status,
  failure: new NotExecuted({ reason, cause }),
});

const refusalOf = (directive: Directive): Refusal | undefined => {
  switch (directive.kind) {
    case 'fail':
      return refusal(500, 'failed');
    case 'unavailable':
      return refusal(503, 'unavailable');
    case 'invalid':
      return refusal(400, 'invalid_request');
    case 'input-limit':
      return refusal(400, 'input_limit');
    case 'misspelt':
      return refusal(400, 'invalid_request', `not a directive: ${directive.text}`);
    case 'rate-limited': {
      const { retryAfterMs } = directive;
      return { status: 429, failure: new NotExecuted({ reason: 'rate_limited', retryAfterMs }) };
    }
    case 'echo':
    case 'json':
    case 'tool':
    case 'tokens':
    case 'slow':
    case 'hang':
    case 'length':
    case 'filter':
    case 'unknown-usage':
    case 'unknown':
      break;
  }
  return undefined;
};
