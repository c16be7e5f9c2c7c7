import type { CallContext } from '@tollgate/provider';
import type { ResourceRecord } from '@tollgate/storage';
import type { Engine } from '../engine.ts';
import { callerOf } from '../operations/caller-of.ts';
import { callInTime } from '../workers/call-in-time.ts';

/** How long a provider may take to remove something in the background. */
const removalMs = 60_000;

/** Asks a provider for something that no operation carries, such as a removal: the log is its record. */
export const askOutside = <T>(
  engine: Engine,
  resource: ResourceRecord,
  ask: (context: CallContext) => Promise<T>,
): Promise<T> => {
  const context: CallContext = {
    caller: callerOf(resource),
    signal: new AbortController().signal,
    recordAttempt: (attempt) =>
      engine.logger.info('a provider was asked beside an operation', { operationId: resource.id, ...attempt }),
  };
  return callInTime(engine, context, removalMs, ask);
};
