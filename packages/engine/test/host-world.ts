import type { CreditLedger } from '@tollgate/storage';
import { createMemoryLedger, type MemoryLedger } from '@tollgate/testing/fakes';
import type { EngineOptions } from '../src/engine.ts';
import { createEngineWorld, type EngineWorld } from './engine-world.ts';

/** A world whose host keeps the wallet; `changes` are what its ledger does otherwise. */
export const createHostWorld = async (
  balanceMicros: bigint,
  changes: (ledger: MemoryLedger) => Partial<CreditLedger> = () => ({}),
  options: Partial<EngineOptions> = {},
): Promise<{ readonly world: EngineWorld; readonly ledger: MemoryLedger }> => {
  const ledger = createMemoryLedger();
  const world = await createEngineWorld(0n, { ledger: { ...ledger, ...changes(ledger) }, ...options });
  if (balanceMicros > 0n) ledger.deposit(world.accountId, balanceMicros);
  return { world, ledger };
};
