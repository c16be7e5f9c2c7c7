import type { Storage } from '@tollgate/storage';
import { createMemoryIdentities, createMemoryLedger } from '@tollgate/testing/fakes';
import { firstDeposit, furnish } from './furnish.ts';
import type { ProviderScript } from './provider-script.ts';
import type { Random } from './random.ts';
import { createScheduler } from './scheduler.ts';
import type { Subject } from './subject.ts';
import { accountId, type World, type WorldSetup } from './world.ts';

const startMs = 1_000_000;

export interface WorldParts {
  readonly setup: WorldSetup;
  readonly random: Random;
  readonly subject: Subject;
  readonly openStorage: (now: () => number) => Storage | Promise<Storage>;
  readonly nextScript: () => ProviderScript;
}

/** A world with one account, and no request yet. */
export const createWorld = async ({ setup, random, subject, openStorage, nextScript }: WorldParts): Promise<World> => {
  const clock = { nowMs: startMs };
  const storage = await openStorage(() => clock.nowMs);
  const { initialMicros } = setup;
  const ledger = setup.ledger === 'host' ? createMemoryLedger() : null;
  await furnish(storage, ledger === null ? initialMicros : 0n);
  if (ledger !== null && initialMicros > 0n) ledger.deposit(accountId, initialMicros);
  const deposits: World['deposits'] = new Map();
  if (initialMicros > 0n) deposits.set(firstDeposit, { amountMicros: initialMicros, acknowledged: true });
  return {
    setup,
    random,
    subject,
    scheduler: createScheduler(),
    clock,
    storage,
    ledger,
    identities: setup.identities === 'host' ? createMemoryIdentities() : null,
    lives: [],
    counters: { ids: 0, lives: 0, requests: 0, faults: 0, steps: 0 },
    requests: [],
    executions: [],
    deposits,
    verdicts: new Map(),
    operations: new Map(),
    registeredBy: new Map(),
    breaches: [],
    nextScript,
    over: false,
  };
};
