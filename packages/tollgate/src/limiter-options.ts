import type { AskedLimiter } from '@tollgate/engine';
import type { Service } from '@tollgate/routes';
import type { GatewayOptions } from './gateway-options.ts';

const limiterMsDefault = 1_000;

/** What limits every request of a known key, and how long any limiter is waited for. */
export const limiterPartsOf = ({
  limiter,
  limiterMs = limiterMsDefault,
  onLimiterFailure = 'refuse',
}: GatewayOptions): Pick<Service, 'limiter' | 'limiterMs' | 'onLimiterFailure'> => ({
  limiter: typeof limiter === 'function' ? limiter : null,
  limiterMs,
  onLimiterFailure,
});

/** What limits charged requests; null where the host has no such limiter. */
export const askedLimiterOf = (options: GatewayOptions): AskedLimiter | null => {
  const { limiterMs: ms, onLimiterFailure: onFailure } = limiterPartsOf(options);
  return typeof options.limiter === 'object' ? { limiter: options.limiter, ms, onFailure } : null;
};
