import {
  isNotExecuted,
  NotExecuted,
  UnknownOutcome,
  type CallContext,
  type NotExecutedReason,
} from '@tollgate/provider';
import type { Directive } from './directives.ts';

/** What the sandbox takes from outside. */
export interface SandboxWorld {
  readonly now: () => number;
  /** Waits; rejects when the signal aborts. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Names a request, as an upstream does. */
  readonly newRequestId: () => string;
}

/** One call to the sandbox, and what its text asks for. */
export interface Conducted {
  readonly world: SandboxWorld;
  readonly context: CallContext;
  readonly directives: readonly Directive[];
}

const statusOfReason: { readonly [R in NotExecutedReason]: number } = {
  invalid_request: 400,
  unsupported: 400,
  input_limit: 400,
  rate_limited: 429,
  unavailable: 503,
  failed: 500,
  cancelled: 499,
};

/** That the answer is lost: it may have run. */
export const lostAnswer = (): UnknownOutcome => new UnknownOutcome('interrupted');

/**
 * Does the work of one call as its directives say: waits, refuses, loses. Records one attempt for it. The work says when its
 * answer begins, as the status of the attempt is settled then.
 */
export const conduct = async <T>(
  { world, context, directives }: Conducted,
  work: (begin: () => void) => Promise<T> | T,
): Promise<T> => {
  if (context.signal.aborted) throw new NotExecuted({ reason: 'cancelled', cause: context.signal.reason });
  const startedAtMs = world.now();
  const upstreamId = world.newRequestId();
  let begun = false;
  const record = (status: number | null, outcome: 'answered' | 'refused' | 'unknown'): void =>
    context.recordAttempt({
      startedAtMs,
      durationMs: world.now() - startedAtMs,
      status,
      outcome,
      // An answer that never began has told no id.
      ...(status === null ? {} : { upstreamId }),
    });
  try {
    await waitAsTold(world, directives, context.signal);
    refuseAsTold(directives);
    const answer = await work(() => {
      begun = true;
    });
    record(200, 'answered');
    return answer;
  } catch (failure) {
    if (isNotExecuted(failure)) record(begun ? 200 : statusOfReason[failure.reason], 'refused');
    else record(begun ? 200 : null, 'unknown');
    throw failure;
  }
};

/** Waits as long as the directives say; throws where the answer is lost. */
const waitAsTold = async (
  world: SandboxWorld,
  directives: readonly Directive[],
  signal: AbortSignal,
): Promise<void> => {
  const slowMs = directives.reduce((sum, directive) => sum + (directive.kind === 'slow' ? directive.ms : 0), 0);
  await pause(world, slowMs, signal);
  const hang = directives.find((directive) => directive.kind === 'hang');
  if (hang !== undefined) {
    await (hang.ms === null ? aborted(signal) : pause(world, hang.ms, signal));
    throw lostAnswer();
  }
  if (directives.some((directive) => directive.kind === 'unknown')) throw lostAnswer();
};

/** A wait that is given up loses the answer. */
export const pause = async (world: SandboxWorld, ms: number, signal: AbortSignal): Promise<void> => {
  if (ms === 0) return;
  await world.sleep(ms, signal).catch(() => {
    throw lostAnswer();
  });
};

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });

const refuseAsTold = (directives: readonly Directive[]): void => {
  for (const directive of directives) {
    const refusal = refusalOf(directive);
    if (refusal !== undefined) throw refusal;
  }
};

const refusalOf = (directive: Directive): NotExecuted | undefined => {
  switch (directive.kind) {
    case 'fail':
      return new NotExecuted({ reason: 'failed' });
    case 'unavailable':
      return new NotExecuted({ reason: 'unavailable' });
    case 'invalid':
      return new NotExecuted({ reason: 'invalid_request' });
    case 'input-limit':
      return new NotExecuted({ reason: 'input_limit' });
    case 'misspelt':
      return new NotExecuted({ reason: 'invalid_request', cause: `not a directive here: ${directive.text}` });
    case 'rate-limited':
      return new NotExecuted({ reason: 'rate_limited', retryAfterMs: directive.retryAfterMs });
    case 'echo':
    case 'json':
    case 'tool':
    case 'code':
    case 'url':
    case 'stream':
    case 'cut':
    case 'finish':
    case 'block':
    case 'tokens':
    case 'tier':
    case 'slow':
    case 'hang':
    case 'length':
    case 'filter':
    case 'unknown-usage':
    case 'unknown':
    case 'processing':
    case 'polls':
    case 'file-fail':
    case 'drop':
    case 'go-away':
      return undefined;
  }
};
