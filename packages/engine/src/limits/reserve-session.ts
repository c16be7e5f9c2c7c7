import type { OperationRecord } from '@tollgate/storage';
import type { Engine } from '../engine.ts';
import { reserveWithin, type HeldPlace, type LimitRefusal } from './reserve-within.ts';

/** A place for a session among what its caller runs at once, from the opening of its socket on; null where none is needed. */
export const reserveSession = async (
  engine: Engine,
  { id, keyId, projectId, accountId, model, kind }: OperationRecord,
): Promise<HeldPlace | LimitRefusal | null> => {
  const { limiter } = engine.host;
  if (limiter === null) return null;
  const ids = { keyId, projectId, accountId };
  const known = await engine.access.authenticateAgain(ids);
  // The step that took the access has checked the key; what is read here are its limits.
  const access = known.kind === 'granted' ? known.access : ids;
  return reserveWithin(engine, limiter, {
    access,
    operationId: id,
    model,
    kind,
    takes: { requests: 0, tokens: 0, concurrency: 1 },
  });
};
