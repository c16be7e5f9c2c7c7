import { noteKeyUse } from '../decisions/note-key-use.ts';
import type { Engine } from '../engine.ts';
import { commitOnce } from '../operations/persist.ts';

/** Writes down which keys this process let in since the last sweep. A key that cannot be written now is noted by a later use. */
export const writeKeyUses = async (engine: Engine): Promise<void> => {
  for (const keyId of engine.access.takeUses())
    try {
      // One after the other: no request waits for it.
      await commitOnce(engine, noteKeyUse(keyId));
    } catch (cause) {
      engine.logger.error('the use of a key could not be written down', { keyId, cause });
    }
};
