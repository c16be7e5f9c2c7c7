import type { Caller, GenerationCall, Provider, Usage } from '@tollgate/provider';
import { callerOf } from './caller-of.ts';
import { withDeadline } from '../workers/with-deadline.ts';
import type { Clock, Engine } from '../engine.ts';
import type { Quantities } from '../ledger/price-usage.ts';

/** How long counting may hold a call up; it is a convenience, and the bound is always there. */
const countMsMax = 2_000;

/** What of an engine counting uses. */
type Counting = Pick<Engine, 'logger'> & { readonly clock: Pick<Clock, 'after'> };

const isMeasure = (usage: readonly Usage[]): boolean =>
  usage.length > 0 &&
  usage.every(({ quantity, confirmed }) => confirmed && Number.isSafeInteger(quantity) && quantity >= 0);

const late = (): Error => new Error('counting took too long');

/**
 * The input of a call as its upstream counts it, or null where the provider cannot count, takes too long or fails: then the bound
 * stands. Nothing is charged for it, and nothing of it is recorded. Never throws.
 */
export const countInput = async (
  { clock, logger }: Counting,
  provider: Provider,
  call: Omit<GenerationCall, 'operationId'>,
  caller: Caller & { readonly requestId?: string | undefined },
): Promise<Quantities | null> => {
  if (provider.countTokens === undefined) return null;
  const count = async (signal: AbortSignal): Promise<Quantities | null> => {
    try {
      const context = { caller: callerOf(caller), signal, recordAttempt: () => {} };
      const usage = (await provider.countTokens?.({ ...call, operationId: '' }, context)) ?? [];
      return isMeasure(usage) ? usage : null;
    } catch (cause) {
      logger.warn('the input of a call could not be counted', {
        requestId: caller.requestId,
        provider: provider.name,
        cause,
      });
      return null;
    }
  };
  return withDeadline(clock, { ms: countMsMax, late, onLate: () => null }, count);
};
