import type { OperationRecord } from '@tollgate/storage';
import { failCommand } from '../operations/conclude.ts';
import type { Engine } from '../engine.ts';

// live:requests:never-connected
/** A session that no socket ever took: it failed, and its hold is free again. */
export const expireLive = async (engine: Engine, claimed: OperationRecord): Promise<void> => {
  await engine.operationLedger.fail(failCommand(engine, claimed, 'request_cancelled', null));
};
