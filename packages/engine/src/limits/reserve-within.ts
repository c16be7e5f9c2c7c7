import type { ErrorCode } from '@tollgate/contract';
import type { Engine } from '../engine.ts';
import type { LineIds } from '../ports/line-ids.ts';
import type { AskedLimiter, LimitedCaller, LimitQuestion, LimitTicket, LimitVerdict } from '../ports/usage-limiter.ts';
import { withDeadline } from '../workers/with-deadline.ts';
import { retryAfterMsDefault } from '../workers/ask-in-time.ts';
import { explainLimit } from './explain-limit.ts';
import { readVerdict } from './read-verdict.ts';

/** What the limiter of the host said, as far as it said anything. */
type Answer =
  | { readonly kind: 'told'; readonly verdict: LimitVerdict }
  | { readonly kind: 'failed'; readonly reason: 'late' | 'threw' | 'nonsense'; readonly cause?: unknown };

// limits:rate:unregistered
/** A refusal by a limit, before anything is registered. */
export interface LimitRefusal {
  readonly kind: 'refused';
  readonly code: ErrorCode;
  readonly requestId: null;
  readonly retryAfterMs: number | null;
  readonly detail?: string;
}

/** The place of one request within the limits of its caller. */
export interface HeldPlace {
  readonly kind: 'held';
  /** Gives back what the request did not use; `null` where its use is unknown. Never throws, and waits no longer than a question may. */
  readonly release: (tokens: number | null) => Promise<void>;
}

type Ports = Pick<Engine, 'clock' | 'logger'>;

/** What a line about a limiter says of who asked; the limiter knows the question by an id of its own. */
interface LineFields extends LineIds, Pick<LimitQuestion, 'kind'> {
  readonly keyId: string;
}

const told = (value: LimitVerdict): Answer => {
  const verdict = readVerdict(value);
  return verdict === null ? { kind: 'failed', reason: 'nonsense' } : { kind: 'told', verdict };
};

const isPending = (value: LimitVerdict | Promise<LimitVerdict>): value is Promise<LimitVerdict> =>
  typeof value === 'object' && value !== null && 'then' in value;

/** A place that was admitted after the gateway stopped waiting is given back. */
const giveBackLate = async (answer: Promise<LimitVerdict>): Promise<void> => {
  try {
    const verdict = readVerdict(await answer);
    if (verdict?.kind === 'admitted') await verdict.ticket.release({ tokens: 0 });
  } catch {
    // It was too late before it failed, and that is logged.
  }
};

/** Asks for a place, and waits for it no longer than the host allows. Never throws. */
const ask = async ({ clock }: Ports, { limiter, ms }: AskedLimiter, question: LimitQuestion): Promise<Answer> => {
  try {
    const answer = limiter.reserve(question);
    if (!isPending(answer)) return told(answer);
    const onLate = (): Answer => {
      void giveBackLate(answer);
      return { kind: 'failed', reason: 'late' };
    };
    return await withDeadline(clock, { ms, onLate }, async () => told(await answer));
  } catch (cause) {
    return { kind: 'failed', reason: 'threw', cause };
  }
};

const holdPlace = (
  { clock, logger }: Ports,
  { ms }: AskedLimiter,
  line: LineFields,
  ticket: LimitTicket,
): HeldPlace => ({
  kind: 'held',
  release: async (tokens) => {
    try {
      const released = ticket.release({ tokens });
      if (released !== undefined) await withDeadline(clock, { ms }, () => released);
    } catch (cause) {
      logger.error('a place within a limit could not be given back', {
        code: 'limiter_failed',
        ...line,
        cause,
      });
    }
  },
});

const refusalOf = (verdict: Exclude<LimitVerdict, { kind: 'admitted' }>, tokens: number): LimitRefusal => ({
  kind: 'refused',
  code: verdict.kind === 'limited' ? 'rate_limited' : 'input_limit',
  requestId: null,
  retryAfterMs: verdict.kind === 'limited' ? verdict.retryAfterMs : null,
  detail: explainLimit(verdict, tokens),
});

/** What becomes of a request whose limiter failed: null lets it through. */
const failureOf = (
  { logger }: Ports,
  { onFailure }: AskedLimiter,
  line: LineFields,
  { reason, cause }: Extract<Answer, { kind: 'failed' }>,
): LimitRefusal | null => {
  const isRefused = onFailure === 'refuse';
  logger.error(`the limiter failed: the request was ${isRefused ? 'refused' : 'let through'}`, {
    code: 'limiter_failed',
    reason,
    ...line,
    cause,
  });
  return isRefused
    ? { kind: 'refused', code: 'service_unavailable', requestId: null, retryAfterMs: retryAfterMsDefault }
    : null;
};

/** What wants to begin, and for whom. */
export interface Wanted extends Pick<LimitQuestion, 'model' | 'kind' | 'takes'> {
  readonly access: LimitedCaller;
  /** The operation that is open already, as that of a session is. */
  readonly operationId?: string | undefined;
}

/** Takes a place within the limits of the caller, before anything is registered; null where none is needed or the limiter failed. */
export const reserveWithin = async (
  engine: Pick<Engine, 'clock' | 'logger' | 'newId'>,
  asked: AskedLimiter,
  { access, model, kind, takes, operationId }: Wanted,
): Promise<HeldPlace | LimitRefusal | null> => {
  const { keyId, projectId, accountId, limits = null, requestId } = access;
  const line: LineFields = { requestId, operationId, keyId, kind };
  const caller = { keyId, projectId, accountId };
  const question: LimitQuestion = { caller, limits, requestId: engine.newId(), model, kind, takes };
  const answer = await ask(engine, asked, question);
  if (answer.kind === 'failed') return failureOf(engine, asked, line, answer);
  const { verdict } = answer;
  if (verdict.reports !== undefined) access.onReports?.(verdict.reports);
  return verdict.kind === 'admitted'
    ? holdPlace(engine, asked, line, verdict.ticket)
    : refusalOf(verdict, takes.tokens);
};
