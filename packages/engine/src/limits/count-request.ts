import type { Engine } from '../engine.ts';
import type { AskedLimiter } from '../ports/usage-limiter.ts';
import { reserveWithin, type LimitRefusal, type Wanted } from './reserve-within.ts';

/**
 * Counts the creation of what outlives its request, such as a video or a session: one request, and nothing of the tokens that a
 * worker uses later or of the places that requests take while they run. The refusal, or null.
 */
export const countRequest = async (
  engine: Pick<Engine, 'clock' | 'logger' | 'newId'>,
  limiter: AskedLimiter,
  { access, model, kind }: Omit<Wanted, 'takes'>,
): Promise<LimitRefusal | null> => {
  const takes = { requests: 1, tokens: 0, concurrency: 0 } as const;
  const place = await reserveWithin(engine, limiter, { access, model, kind, takes });
  if (place?.kind === 'refused') return place;
  await place?.release(0);
  return null;
};
