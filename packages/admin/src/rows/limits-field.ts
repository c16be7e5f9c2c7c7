import type { CallerLimits } from '@tollgate/engine';
import { z } from 'zod';
import { AdminError } from '../admin-error.ts';
import type { AdminContext } from '../admin-route.ts';

const Rate = z.int().min(1);

const Limits = z.strictObject({
  requests_per_minute: Rate.exactOptional(),
  tokens_per_minute: Rate.exactOptional(),
  concurrent_requests: Rate.exactOptional(),
});

/** What a limiter allows an account, a project or a key, in place of all that it had; null takes it away. */
export const limitsField = Limits.nullable()
  .exactOptional()
  .meta({ description: 'For the limiter, in place of all limits that there were; operators only.' });

/** Limits as the engine takes them. They are the operator's: an owner that set them could lift them as well. */
export const limitsOf = (
  { caller }: AdminContext,
  limits: z.infer<typeof Limits> | null | undefined,
): CallerLimits | null | undefined => {
  if (limits !== undefined && caller.role === 'owner')
    throw new AdminError('not_permitted', 'Limits are set by operators.');
  return (
    limits && {
      requestsPerMinute: limits.requests_per_minute,
      tokensPerMinute: limits.tokens_per_minute,
      concurrentRequests: limits.concurrent_requests,
    }
  );
};
