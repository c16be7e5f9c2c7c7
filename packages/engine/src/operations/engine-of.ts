import { storageOf } from '@tollgate/storage';
import type { Engine } from '../engine.ts';

/** The engine for what one account does: on a storage of several cells it keeps to that of the account. */
export const engineOf = (engine: Engine, accountId: string): Engine =>
  engine.storage.cells === undefined ? engine : { ...engine, storage: storageOf(engine.storage, accountId) };
