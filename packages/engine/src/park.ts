import { doubtCommand } from './conclude.ts';
import { decideDoubt, doubtKeys } from './decisions/doubt.ts';
import type { Engine } from './engine.ts';

/**
 * Says of everything still running here that its outcome is unknown, before the process lets go of it: the holds stay, and
 * nobody has to wait for the leases. Answers how many there were.
 */
export const parkRunning = async (engine: Engine): Promise<number> => {
  const running = engine.running.list();
  await Promise.all(
    running.map(({ id }) => {
      const command = doubtCommand(engine, id, null, null);
      return engine.storage.transact(doubtKeys(command), decideDoubt(command));
    }),
  );
  return running.length;
};
