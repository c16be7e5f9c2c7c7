import type { Storage } from '@tollgate/storage';
import { createMemoryIdentities, createMemoryLedger } from '@tollgate/testing';
import { decideDeposit, depositKeys } from '../../../packages/engine/src/decisions/deposit.ts';
import type { ProviderScript } from './provider-script.ts';
import type { Random } from './random.ts';
import { createScheduler } from './scheduler.ts';
import type { Subject } from './subject.ts';
import { accountId, keyId, projectIds, type World, type WorldSetup } from './world.ts';

const firstDeposit = 'initial';
const startMs = 1_000_000;

const furnish = async (storage: Storage, initialMicros: bigint): Promise<void> => {
  const wallet = { id: accountId, balanceMicros: 0n, reservedMicros: 0n, seq: 0, entrySeq: 0 };
  const keys = [
    { table: 'account', id: accountId },
    { table: 'wallet', id: accountId },
    { table: 'apiKey', id: keyId },
    ...projectIds.map((id) => ({ table: 'project', id }) as const),
  ] as const;
  await storage.transact(keys, (_, createdAtMs) => ({
    writes: [
      { kind: 'put', table: 'account', record: { id: accountId, name: '', status: 'active', createdAtMs } },
      { kind: 'put', table: 'wallet', record: wallet },
      ...projectIds.map((id) => {
        const record = { id, accountId, name: '', status: 'active', createdAtMs } as const;
        return { kind: 'put', table: 'project', record } as const;
      }),
      {
        kind: 'put',
        table: 'apiKey',
        record: {
          id: keyId,
          projectId: projectIds[0],
          accountId,
          name: '',
          model: null,
          secretHash: '',
          status: 'active',
          createdAtMs,
          revokedAtMs: null,
        },
      },
    ],
    answer: undefined,
  }));
  if (initialMicros === 0n) return;
  const command = {
    accountId,
    kind: 'deposit',
    amountMicros: initialMicros,
    reference: firstDeposit,
    operationId: null,
  } as const;
  await storage.transact(depositKeys(command), decideDeposit(command));
};

export interface WorldParts {
  readonly setup: WorldSetup;
  readonly random: Random;
  readonly subject: Subject;
  readonly openStorage: (now: () => number) => Storage | Promise<Storage>;
  readonly nextScript: () => ProviderScript;
}

/** A world with one account, and nobody in it yet. */
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
