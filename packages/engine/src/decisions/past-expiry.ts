/** What a step returns where a key would have expired before it is stored. */
export const pastExpiry = 'past_expiry';

/**
 * Whether an expiry that is set now is in the past: most often it is in seconds by mistake, and the key would open nothing. The
 * expiry that the key has already may be sent again.
 */
export const isPastExpiry = (
  asked: number | null | undefined,
  { keptMs, nowMs }: { readonly keptMs: number | null; readonly nowMs: number },
): boolean => typeof asked === 'number' && asked <= nowMs && asked !== keptMs;
