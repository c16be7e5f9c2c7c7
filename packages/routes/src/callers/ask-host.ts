import { GatewayError } from '@tollgate/contract';
import { askInTime, retryAfterMsDefault, type Access, type HostFailure } from '@tollgate/engine';
import type { Service } from '../service.ts';
import type { CallerHook, CallerQuestion, KnownCaller } from './authenticate-caller.ts';
import { checkCookieOrigin } from './check-cookie-origin.ts';
import { toKnownCaller, type CallerVerdict } from './to-known-caller.ts';

/** What a client hears whose credential may be no key, but one of the host's own. */
const notRecognised = 'The credential is missing, wrong, expired or revoked.';

type Parts = Pick<Service, 'engine' | 'logger'>;
type Judged = Exclude<CallerVerdict, { readonly kind: 'nonsense' }> | HostFailure;

/** A request of a caller without a key, before the host is asked about it. */
export interface UnknownCaller {
  readonly question: Omit<CallerQuestion, 'signal'>;
  /** Scheme and host by which the server was reached, as far as it can tell. */
  readonly ownOrigin: string | null;
  readonly purpose: 'query' | 'opening';
}

/** Asks the host, and waits for it no longer than `authenticateMs`. Never throws. */
const ask = (
  { engine }: Parts,
  { authenticate, timeoutMs }: CallerHook,
  question: UnknownCaller['question'],
): Promise<Judged> => {
  const deadline = { ms: timeoutMs, late: 'authenticate took longer than authenticateMs' };
  return askInTime(engine.clock, deadline, async (signal): Promise<Judged> => {
    const verdict = toKnownCaller(await authenticate({ ...question, signal }), engine.policy.models);
    return verdict.kind === 'nonsense' ? { kind: 'failed', reason: verdict.fault } : verdict;
  });
};

/** Who calls is not known, whatever the client did: the client may repeat the request, and the operator reads why. */
const failure = ({ logger }: Parts, requestId: string, { reason, cause }: HostFailure): GatewayError => {
  const fields = { code: 'authenticate_failed', reason, requestId, cause };
  logger.error('authenticate failed: the request was refused', fields);
  return new GatewayError('service_unavailable', { retryAfterMs: retryAfterMsDefault });
};

const grant = async (
  parts: Parts,
  caller: KnownCaller,
  { question: { requestId }, purpose }: UnknownCaller,
): Promise<Access> => {
  const answer = await parts.engine.access.authenticateClaim(caller, purpose);
  switch (answer.kind) {
    case 'granted':
      return answer.access;
    case 'refused':
      throw new GatewayError(answer.code);
    case 'unknown':
      throw failure(parts, requestId, { kind: 'failed', reason: answer.fault });
  }
};

/** The access of a caller that the host recognises; 401 where it does not, 503 where it could not say. */
export const askHost = async (parts: Parts, hook: CallerHook, unknown: UnknownCaller): Promise<Access> => {
  const { question, ownOrigin } = unknown;
  checkCookieOrigin({ headers: question.headers, ownOrigin }, (origin) =>
    hook.allowsOrigin(origin, question.requestId),
  );
  const judged = await ask(parts, hook, question);
  switch (judged.kind) {
    case 'known':
      return grant(parts, judged.caller, unknown);
    case 'unknown':
      throw new GatewayError('invalid_api_key', { detail: notRecognised });
    case 'failed':
      throw failure(parts, question.requestId, judged);
  }
};
