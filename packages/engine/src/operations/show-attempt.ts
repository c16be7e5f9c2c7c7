import type { AttemptRecord } from '@tollgate/storage';
import type { Engine } from '../engine.ts';

/** Shows an observer one upstream request, without the ids that the upstream gave it. */
export const showAttempt = (
  { host: { observe } }: Pick<Engine, 'host'>,
  operationId: string,
  { provider, status, outcome, durationMs }: AttemptRecord,
): void => {
  if (observe !== null) observe({ kind: 'upstream_attempt', operationId, provider, status, outcome, durationMs });
};
