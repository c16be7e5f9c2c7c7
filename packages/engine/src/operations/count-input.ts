import type { GenerationCall, Provider, Usage } from '@tollgate/provider';
import type { Clock, Engine } from '../engine.ts';
import type { Quantities } from '../ledger/tariff.ts';

/** How long counting may hold a call up; it is a convenience, and the bound is always there. */
const countMsMax = 2_000;

/** What of an engine counting uses. */
type Counting = Pick<Engine, 'logger'> & { readonly clock: Pick<Clock, 'after'> };

const isMeasure = (usage: readonly Usage[]): boolean =>
  usage.length > 0 &&
  usage.every(({ quantity, confirmed }) => confirmed && Number.isSafeInteger(quantity) && quantity >= 0);

/**
 * The input of a call as its upstream counts it, or null where the provider cannot count, takes too long or fails: then the bound
 * stands. Nothing is charged for it, and nothing of it is recorded. Never throws.
 */
export const countInput = async (
  { clock, logger }: Counting,
  provider: Provider,
  call: Omit<GenerationCall, 'operationId'>,
): Promise<Quantities | null> => {
  if (provider.countTokens === undefined) return null;
  const abort = new AbortController();
  const { promise: late, resolve } = Promise.withResolvers<null>();
  const cancelTimer = clock.after(countMsMax, () => {
    abort.abort(new Error('counting took too long'));
    resolve(null);
  });
  const context = { signal: abort.signal, recordAttempt: () => {} };
  const counted = Promise.resolve()
    .then(() => provider.countTokens?.({ ...call, operationId: '' }, context) ?? [])
    .then((usage) => (isMeasure(usage) ? usage : null))
    .catch((cause: unknown) => {
      logger.warn('the input of a call could not be counted', { provider: provider.name, cause });
      return null;
    });
  try {
    return await Promise.race([counted, late]);
  } finally {
    cancelTimer();
  }
};
