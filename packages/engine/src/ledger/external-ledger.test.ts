import { NotExecuted } from '@tollgate/provider';
import type { CreditLedger } from '@tollgate/storage';
import { createMemoryIdentities, createMemoryLedger } from '@tollgate/testing/fakes';
import { expect, test } from 'vitest';
import {
  breathe,
  createEngineWorld,
  holdMicros,
  idOf,
  openPromise,
  type EngineWorld,
} from '../../test/engine-world.ts';
import { createHostWorld } from '../../test/host-world.ts';
import { releaseUnconfirmed } from '../jobs/jobs.ts';
import { renewLeases, sweep } from '../../test/process-parts.ts';
import type { EngineOptions } from '../engine.ts';

/** Waits for the ledger without end, as a process does that was stopped. */
const patient: Partial<EngineOptions> = { limits: { hostCallMs: 86_400_000 } };

const operationsOf = ({ admin, accountId }: EngineWorld) => admin.listOperations({ kind: 'account', accountId });

test('reserves in the ledger before the provider is called, and settles there afterwards', async () => {
  const { world, ledger } = await createHostWorld(100n);
  const provider = openPromise<number>();
  const outcome = world.run({ execute: () => provider.promise });
  await breathe();
  expect(ledger.wallet(world.accountId)).toEqual({ balanceMicros: 100n, reservedMicros: holdMicros });
  provider.resolve(4);
  expect(await outcome).toMatchObject({ kind: 'completed', operation: { chargedMicros: 4n, holdMicros: 0n } });
  expect(ledger.wallet(world.accountId)).toEqual({ balanceMicros: 96n, reservedMicros: 0n });
});

test('registers nothing where the ledger refuses the reservation', async () => {
  const { world } = await createHostWorld(holdMicros - 1n);
  expect(await world.run({ identity: 'once' })).toMatchObject({ code: 'ai_insufficient_credits', requestId: null });
  expect(await operationsOf(world)).toEqual([]);
  expect(world.executions()).toBe(0);
});

test('repeats a reservation that the ledger did not confirm, and reserves once', async () => {
  let tries = 0;
  const { world, ledger } = await createHostWorld(100n, (memory) => ({
    reserve: async (command) => {
      tries += 1;
      const answer = await memory.reserve(command);
      if (tries === 1) throw new Error('no answer');
      return answer;
    },
  }));
  expect(await world.run()).toMatchObject({ kind: 'completed' });
  expect(tries).toBe(2);
  expect(ledger.wallet(world.accountId)).toEqual({ balanceMicros: 95n, reservedMicros: 0n });
});

test('sends a reservation again of which the ledger says nothing in time, and reserves once', async () => {
  let tries = 0;
  const ledger = createMemoryLedger();
  const world = await createEngineWorld(0n, {
    // Of what is waited for here only the ledger: its time is over at once.
    after: (_ms, run) => {
      const timer = setImmediate(run);
      return () => clearImmediate(timer);
    },
    ledger: {
      ...ledger,
      reserve: async (command) => {
        tries += 1;
        const answer = await ledger.reserve(command);
        return tries === 1 ? new Promise(() => undefined) : answer;
      },
    },
  });
  ledger.deposit(world.accountId, 100n);
  expect(await world.run()).toMatchObject({ kind: 'completed' });
  expect(tries).toBe(2);
  expect(ledger.wallet(world.accountId)).toEqual({ balanceMicros: 95n, reservedMicros: 0n });
});

test('lets no reservation come to life that arrives after its operation was refused', async () => {
  const lost: Parameters<CreditLedger['reserve']>[0][] = [];
  const { world, ledger } = await createHostWorld(0n, (memory) => ({
    reserve: async (command) => {
      if (lost.push(command) === 1) throw new Error('no answer yet');
      return memory.reserve(command);
    },
  }));
  expect(await world.run()).toMatchObject({ code: 'ai_insufficient_credits' });
  ledger.deposit(world.accountId, 100n);
  const [late] = lost;
  expect(late && (await ledger.reserve(late))).toBe('ended');
  expect(ledger.wallet(world.accountId)).toEqual({ balanceMicros: 100n, reservedMicros: 0n });
});

test('lets a repeat run what a sweep took back while the ledger was slow', async () => {
  const held = openPromise<undefined>();
  const { world, ledger } = await createHostWorld(100n, (memory) => ({
    reserve: async (command) => {
      await held.promise;
      return memory.reserve(command);
    },
  }));
  const outcome = world.run({ identity: 'once' });
  await breathe();
  await world.clock.advance(world.engine.limits.leaseMs);
  expect(await sweep(world.another())).toMatchObject({ resumed: 1 });
  held.resolve(undefined);
  expect(await outcome).toMatchObject({ code: 'service_unavailable', requestId: null });
  expect(world.executions()).toBe(0);
  expect(ledger.wallet(world.accountId)).toEqual({ balanceMicros: 100n, reservedMicros: 0n });
  expect(await world.run({ identity: 'once' })).toMatchObject({ kind: 'completed', replayed: false });
  expect(world.executions()).toBe(1);
});

test('runs what the ledger was slow to reserve, as its lease is renewed meanwhile', async () => {
  const held = openPromise<undefined>();
  const { world, ledger } = await createHostWorld(
    100n,
    (memory) => ({
      reserve: async (command) => {
        await held.promise;
        return memory.reserve(command);
      },
    }),
    patient,
  );
  const outcome = world.run({ identity: 'once' });
  await breathe();
  for (let round = 0; round < 8; round += 1) {
    await renewLeases(world.engine);
    expect(await sweep(world.another())).toMatchObject({ resumed: 0 });
    await world.clock.advance(world.engine.limits.leaseMs / 2);
  }
  held.resolve(undefined);
  expect(await outcome).toMatchObject({ kind: 'completed' });
  expect(ledger.wallet(world.accountId)).toEqual({ balanceMicros: 95n, reservedMicros: 0n });
});

test('keeps result and hold where the ledger cannot pay, and completes when it can [ledger:overrun:keeps-result] [ledger:overrun:resolves]', async () => {
  const { world, ledger } = await createHostWorld(holdMicros);
  const outcome = await world.run({ execute: async () => 15 });
  expect(outcome).toMatchObject({ code: 'settlement_pending' });
  expect(await world.admin.readOperation(idOf(outcome))).toMatchObject({ state: 'uncertain', pendingMicros: 15n });
  expect(ledger.wallet(world.accountId)).toEqual({ balanceMicros: holdMicros, reservedMicros: holdMicros });
  ledger.deposit(world.accountId, 5n);
  expect(await world.admin.settlePending(world.accountId)).toBe(1);
  expect(await world.admin.readOperation(idOf(outcome))).toMatchObject({ state: 'completed', chargedMicros: 15n });
  expect(ledger.wallet(world.accountId)).toEqual({ balanceMicros: 0n, reservedMicros: 0n });
});

test('takes up a settlement whose process died after the command to the ledger', async () => {
  const { world, ledger } = await createHostWorld(100n, (memory) => ({
    settle: async (command) => {
      await memory.settle(command);
      return new Promise(() => {});
    },
  }));
  void world.run();
  await breathe();
  expect(await operationsOf(world)).toMatchObject([{ state: 'settling' }]);
  await world.clock.advance(world.engine.limits.leaseMs);
  expect(await sweep(world.another({ ledger }))).toMatchObject({ resumed: 1 });
  expect(await operationsOf(world)).toMatchObject([{ state: 'completed', chargedMicros: 5n }]);
  expect(ledger.wallet(world.accountId)).toEqual({ balanceMicros: 95n, reservedMicros: 0n });
});

/** Registers under an identity and reserves; then the process dies, and its lease runs out. */
const dieAfterReserving = async (options: Partial<EngineOptions> = {}) => {
  const { world, ledger } = await createHostWorld(100n);
  const dead = world.another({
    ...patient,
    ...options,
    ledger: {
      ...ledger,
      reserve: async (command) => {
        await ledger.reserve(command);
        return new Promise(() => {});
      },
    },
  });
  void world.runOn(dead, { identity: 'once' });
  await breathe();
  expect(await operationsOf(world)).toMatchObject([{ state: 'preparing' }]);
  await world.clock.advance(world.engine.limits.leaseMs);
  return { world, ledger };
};

test('takes back what a dead process had registered and perhaps reserved, and runs it on a repeat', async () => {
  const { world, ledger } = await dieAfterReserving();
  expect(await sweep(world.engine)).toMatchObject({ resumed: 1 });
  expect(await operationsOf(world)).toEqual([]);
  expect(ledger.wallet(world.accountId)).toEqual({ balanceMicros: 100n, reservedMicros: 0n });
  expect(await world.run({ identity: 'once' })).toMatchObject({ kind: 'completed', replayed: false });
  expect(ledger.wallet(world.accountId)).toEqual({ balanceMicros: 95n, reservedMicros: 0n });
});

test.each([
  ['the claim was released', 'release'],
  ['the ledger released the hold', 'claim'],
])("runs it under the host's identity too, where the sweep died after %s", async (_, last) => {
  const identities = createMemoryIdentities();
  const { world, ledger } = await dieAfterReserving({ identities });
  const dying = world.another({
    ledger,
    identities: {
      ...identities,
      release: (claim) => (last === 'claim' ? openPromise<never>().promise : identities.release(claim)),
    },
  });
  // The registration stays where it cannot be taken back.
  if (last === 'release')
    world.faults = ({ name, keys }) =>
      name === 'transact' && keys.some(({ table }) => table === 'identity') ? { kind: 'lost' } : undefined;
  void sweep(dying);
  await breathe();
  world.faults = () => undefined;
  expect(await operationsOf(world)).toMatchObject([{ state: 'preparing' }]);
  await world.clock.advance(world.engine.limits.leaseMs);
  const other = world.another({ ledger, identities });
  expect(await sweep(other)).toMatchObject({ resumed: 1 });
  expect(await world.runOn(other, { identity: 'once' })).toMatchObject({ kind: 'completed', replayed: false });
  expect(ledger.wallet(world.accountId)).toEqual({ balanceMicros: 95n, reservedMicros: 0n });
});

test('fails what a dead process had registered without an identity, by which no client could run it again', async () => {
  const { world, ledger } = await createHostWorld(100n, (memory) => ({
    reserve: async (command) => {
      await memory.reserve(command);
      return new Promise(() => {});
    },
  }));
  void world.run();
  await breathe();
  await world.clock.advance(world.engine.limits.leaseMs);
  await sweep(world.another({ ledger }));
  expect(await operationsOf(world)).toMatchObject([{ state: 'failed' }]);
  expect(ledger.wallet(world.accountId)).toEqual({ balanceMicros: 100n, reservedMicros: 0n });
});

test('releases what was certainly not executed, and keeps the attempts on the record', async () => {
  const { world, ledger } = await createHostWorld(100n);
  const outcome = await world.run({
    execute: async ({ recordAttempt }) => {
      recordAttempt({ startedAtMs: 1, durationMs: 2, status: 400, outcome: 'refused' });
      throw new NotExecuted({ reason: 'invalid_request' });
    },
  });
  expect(outcome).toMatchObject({ code: 'unsupported_parameter' });
  expect(await world.admin.readOperation(idOf(outcome))).toMatchObject({
    state: 'failed',
    attempts: [{ provider: 'scripted', status: 400, outcome: 'refused' }],
  });
  expect(ledger.wallet(world.accountId)).toEqual({ balanceMicros: 100n, reservedMicros: 0n });
});

test('releases an opening that the storage never confirmed', async () => {
  const { world, ledger } = await createHostWorld(100n);
  world.faults = ({ name, keys }) =>
    name === 'transact' && keys.every(({ table }) => table === 'operation') ? { kind: 'unconfirmed' } : undefined;
  await expect(world.run()).rejects.toThrow('unconfirmed');
  world.faults = () => undefined;
  await releaseUnconfirmed(world.engine);
  expect(await operationsOf(world)).toMatchObject([{ state: 'failed' }]);
  expect(ledger.wallet(world.accountId)).toEqual({ balanceMicros: 100n, reservedMicros: 0n });
  expect(world.executions()).toBe(0);
});

test('charges the amount that the ledger got first, whatever an operator says later', async () => {
  const { world, ledger } = await createHostWorld(holdMicros);
  const id = idOf(await world.run({ execute: async () => 15 }));
  ledger.deposit(world.accountId, 100n);
  expect(await world.admin.resolveOperation(id, { executed: true, amountMicros: 3n })).toMatchObject({
    kind: 'not_uncertain',
    operation: { chargedMicros: 15n },
  });
  expect(ledger.operation(id)).toMatchObject({ chargedMicros: 15n });
});

test('does not fail what the ledger has settled', async () => {
  const { world, ledger } = await createHostWorld(holdMicros);
  const id = idOf(await world.run({ execute: async () => 15 }));
  ledger.deposit(world.accountId, 100n);
  await ledger.settle({ operationId: id, accountId: world.accountId, amountMicros: 15n });
  expect(await world.admin.resolveOperation(id, { executed: false })).toMatchObject({ kind: 'not_uncertain' });
  await world.clock.advance(world.engine.limits.settlementRetryMs);
  await sweep(world.engine);
  expect(await world.admin.readOperation(id)).toMatchObject({ state: 'completed', chargedMicros: 15n });
});

test('leaves the sums to the host when it audits', async () => {
  const { world } = await createHostWorld(100n);
  await world.run();
  expect(await world.admin.audit()).toMatchObject({ operations: 1, entries: 0, violations: [] });
});

test("refuses to deposit in a wallet that is not in use, as the host's is", async () => {
  const { world } = await createHostWorld(0n);
  const input = { accountId: world.accountId, amountMicros: 1n, reference: 'r' };
  await expect(world.admin.deposit(input)).rejects.toThrow('the host keeps the wallet');
  await expect(world.admin.compensate(input)).rejects.toThrow('the host keeps the wallet');
});

test('extends no further than a cap covers, and does not ask the ledger for more', async () => {
  const { world, ledger } = await createHostWorld(1_000n);
  await world.admin.changeKey(world.keyId, { cap: { amountMicros: 40n, window: 'total' } });
  const provider = openPromise<number>();
  const running = world.run({ execute: () => provider.promise });
  await breathe();
  const [operation] = await operationsOf(world);
  const { id: operationId = '' } = operation ?? {};
  const spends = (await world.storage.read([{ table: 'operation', id: operationId }])).get(
    'operation',
    operationId,
  )?.spends;
  const { accountId } = world;
  const extend = (wanted: bigint) =>
    world.engine.operationLedger.extend({ operationId, accountId, holdMicros: wanted, spends });
  expect(await extend(41n)).toMatchObject({ kind: 'insufficient' });
  expect(ledger.wallet(accountId)).toMatchObject({ reservedMicros: holdMicros });
  expect(await extend(40n)).toMatchObject({ kind: 'extended' });
  expect(ledger.wallet(accountId)).toMatchObject({ reservedMicros: 40n });
  provider.resolve(4);
  expect(await running).toMatchObject({ kind: 'completed' });
});

test('keeps an anomaly of a measure above the hold that the ledger has set aside', async () => {
  const { world } = await createHostWorld(100n);
  const id = idOf(await world.run({ execute: async () => 60 }));
  await world.run();
  expect(await world.storage.list('anomalies', { of: '', limit: 10 })).toMatchObject([
    { operationId: id, code: 'hold_exceeded', detail: { measuredMicros: '60', holdMicros: String(holdMicros) } },
  ]);
});

test('does not fail what is in the hands of another worker, and releases nothing of it', async () => {
  const { world, ledger } = await createHostWorld(100n);
  const provider = openPromise<number>();
  const running = world.run({ execute: () => provider.promise });
  await breathe();
  const [operation] = await operationsOf(world);
  const { id: operationId = '' } = operation ?? {};
  const { accountId, engine } = world;
  const command = {
    errorCode: 'request_failed',
    attempts: null,
    recordKeptMs: 1,
    anomalyId: 'a',
    owner: 'a late worker',
  };
  expect(await engine.operationLedger.fail({ operationId, accountId, ...command })).toMatchObject({ kind: 'lost' });
  expect(ledger.wallet(accountId)).toMatchObject({ reservedMicros: holdMicros });
  provider.resolve(4);
  expect(await running).toMatchObject({ kind: 'completed' });
});
