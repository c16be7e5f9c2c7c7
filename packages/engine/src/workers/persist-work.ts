import type { Step } from '../decisions/step.ts';
import type { Engine } from '../engine.ts';
import { commitOnce, patienceOf, persist } from '../operations/persist.ts';
import { isLostWork, LostWork } from './work-kind.ts';

/**
 * A read of a turn of work, or a step, sent until the storage confirms it. Where it never does, the turn ends as if it had died
 * there, with `LostWork`: the lease runs out, and the next worker goes by what is on record. It says nothing of the outcome.
 */
export const persistWork = async <T>(engine: Engine, operationId: string, step: () => Promise<T>): Promise<T> => {
  try {
    return await persist(patienceOf(engine), step);
  } catch (cause) {
    if (isLostWork(cause)) throw cause;
    engine.logger.warn('a turn of work ended where the storage failed it', { operationId, cause });
    throw new LostWork('the storage did not confirm a step', { cause });
  }
};

/** A step of a turn of work, sent like `persistWork` sends a read. */
export const commitWork = <T>(engine: Engine, operationId: string, step: Step<T>): Promise<T> =>
  persistWork(engine, operationId, () => commitOnce(engine, step));
