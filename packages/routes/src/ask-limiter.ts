import { GatewayError, type RouteId } from '@tollgate/contract';
import { askInTime, isAskedWait, retryAfterMsDefault, type Access, type HostFailure } from '@tollgate/engine';
import type { Service } from './service.ts';

/** What a limiter is taken to have said. */
export type RateVerdict =
  | { readonly kind: 'ok' }
  | { readonly kind: 'limited'; readonly retryAfterMs: number }
  | HostFailure;

/** Reads the answer of a host's function. A refusal counts although its time cannot be meant. */
export const toRateVerdict = (answer: unknown): RateVerdict => {
  const { kind, retryAfterMs }: { readonly kind?: unknown; readonly retryAfterMs?: unknown } =
    typeof answer === 'object' && answer !== null ? answer : {};
  if (kind === 'ok') return { kind };
  if (kind !== 'limited') return { kind: 'failed', reason: 'nonsense' };
  return { kind, retryAfterMs: isAskedWait(retryAfterMs) ? retryAfterMs : retryAfterMsDefault };
};

type Asked = Pick<Access, 'keyId' | 'projectId' | 'accountId'> & { readonly route: RouteId };

/** Asks the host's limiter, and waits for it no longer than `limiterMs`. Never throws. */
const askLimiter = (
  { engine, limiterMs }: Service,
  limiter: NonNullable<Service['limiter']>,
  asked: Asked,
): Promise<RateVerdict> => {
  const deadline = { ms: limiterMs, late: 'the limiter took longer than limiterMs' };
  return askInTime(engine.clock, deadline, async (signal) => toRateVerdict(await limiter({ ...asked, signal })));
};

// limits:rate:unregistered
/** Refuses a call for its rate, before anything is registered. */
export const checkRate = (service: Service, call: RatedCall): undefined | Promise<void> =>
  service.limiter === null ? undefined : requireRate(service, service.limiter, call);

/** Whose rate is asked for. */
interface RatedCall {
  readonly access: Access;
  readonly requestId: string | undefined;
  readonly route: RouteId;
}

const requireRate = async (
  service: Service,
  limiter: NonNullable<Service['limiter']>,
  { access: { keyId, projectId, accountId }, requestId, route }: RatedCall,
): Promise<void> => {
  const verdict = await askLimiter(service, limiter, { keyId, projectId, accountId, route });
  switch (verdict.kind) {
    case 'ok':
      return;
    case 'limited':
      throw new GatewayError('rate_limited', { retryAfterMs: verdict.retryAfterMs });
    case 'failed': {
      const { reason, cause } = verdict;
      const isRefused = service.onLimiterFailure === 'refuse';
      service.logger.error(`the limiter failed: the request was ${isRefused ? 'refused' : 'let through'}`, {
        requestId,
        code: 'limiter_failed',
        reason,
        keyId,
        route,
        cause,
      });
      if (isRefused) throw new GatewayError('service_unavailable', { retryAfterMs: retryAfterMsDefault });
    }
  }
};
