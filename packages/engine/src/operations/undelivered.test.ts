import { NotExecuted } from '@tollgate/provider';
import { expect, test } from 'vitest';
import { breathe, createEngineWorld, idOf, openPromise, type EngineWorld } from '../../test/engine-world.ts';
import { hasUndelivered } from './undelivered.ts';
import { undeliveredMax } from '../decisions/undelivered.ts';
import type { ClientRetry, OperationOutcome } from './operation-plan.ts';
import { renewLeases, sweep } from '../../test/process-parts.ts';

/** A client that says how many retries came before, and can leave. */
const client = (count: number) => {
  const listeners = new Set<() => void>();
  const retry: ClientRetry = {
    count,
    onGone: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
  return {
    retry,
    leave: async () => {
      for (const listener of listeners) listener();
      await breathe();
    },
  };
};

/** Has a client leave its first try while the provider is at it. */
const leaveOne = async (
  world: EngineWorld,
  execute: () => Promise<number> = () => new Promise(() => {}),
): Promise<{ readonly abandoned: Promise<OperationOutcome> }> => {
  const first = client(0);
  const abandoned = world.run({ retry: first.retry, execute });
  await breathe();
  await first.leave();
  return { abandoned };
};

const createWorld = async () => {
  const world = await createEngineWorld(1_000n);
  const debits = async () => (await world.admin.readStatement(world.accountId)).filter(({ kind }) => kind === 'debit');
  /** Lets a retry that waits poll more than once. */
  const answered = async (outcome: Promise<OperationOutcome>): Promise<OperationOutcome> => {
    await world.clock.advance(2_000);
    return outcome;
  };
  return { world, debits, answered };
};

test('gives a retry the answer of the operation that its client left: one execution, one charge', async () => {
  const { world, debits, answered } = await createWorld();
  const written = openPromise<number>();
  const { abandoned } = await leaveOne(world, () => written.promise);
  const repeated = world.run({ retry: client(1).retry });
  await world.clock.advance(30_000);
  written.resolve(5);
  const outcome = await answered(repeated);
  expect(outcome).toMatchObject({ kind: 'completed', body: '{"tokens":5}', replayed: true });
  expect(idOf(outcome)).toBe(idOf(await abandoned));
  expect(world.executions()).toBe(1);
  expect(await debits()).toHaveLength(1);
});

test('gives it to a retry that another process receives, and that comes when all is over', async () => {
  const { world } = await createWorld();
  const written = openPromise<number>();
  const { abandoned } = await leaveOne(world, () => written.promise);
  written.resolve(5);
  await abandoned;
  const outcome = await world.runOn(world.another(), { retry: client(1).retry });
  expect(idOf(outcome)).toBe(idOf(await abandoned));
  expect(world.executions()).toBe(1);
});

test('never answers two requests from one execution', async () => {
  const { world, answered } = await createWorld();
  const written = openPromise<number>();
  const samples = [client(0), client(0), client(0)];
  const asked = samples.map(({ retry }) => world.run({ retry, execute: () => written.promise }));
  await breathe();
  expect(world.executions()).toBe(3);
  await samples[0]?.leave();
  await samples[1]?.leave();
  const retries = [1, 1, 1].map((count) => world.run({ retry: client(count).retry, execute: () => written.promise }));
  await breathe();
  expect(world.executions()).toBe(4);
  written.resolve(5);
  const ids = [];
  for (const retry of retries) ids.push(idOf(await answered(retry)));
  expect(new Set([...ids, idOf(await asked[2]!)]).size).toBe(4);
});

test('knows of a key whether an operation of it waits for a retry, without the body of one', async () => {
  const { world } = await createWorld();
  const { keyId } = world;
  expect(await hasUndelivered(world.engine, keyId)).toBe(false);
  await leaveOne(world);
  expect(await hasUndelivered(world.engine, keyId)).toBe(true);
  expect(await hasUndelivered(world.engine, 'another key')).toBe(false);
});

test('leaves alone what carries no mark, a first try, another body and another key', async () => {
  const { world } = await createWorld();
  await leaveOne(world);
  const other = await world.admin.createKey({ projectId: world.projectId, model: null });
  const access = { accountId: world.accountId, projectId: world.projectId, keyId: other?.id ?? '' };
  await world.run();
  await world.run({ retry: client(0).retry });
  await world.run({ retry: client(1).retry, fingerprint: 'another body' });
  await world.run({ retry: client(1).retry, access });
  await world.run({ retry: client(1).retry, identity: 'an identity of its own' });
  expect(world.executions()).toBe(6);
});

test('gives a token nothing of what its key or another token left behind', async () => {
  const { world, answered } = await createWorld();
  const { accountId, projectId, keyId } = world;
  const tokenOf = async () => (await world.admin.createToken({ keyId }))?.id;
  const [one, other] = [await tokenOf(), await tokenOf()];
  const by = (tokenId?: string) => ({ access: { accountId, projectId, keyId, tokenId } });
  const first = client(0);
  const written = openPromise<number>();
  const abandoned = world.run({ ...by(one), retry: first.retry, execute: () => written.promise });
  await breathe();
  await first.leave();
  written.resolve(5);
  const left = idOf(await abandoned);
  for (const who of [by(other), by()]) expect(idOf(await world.run({ ...who, retry: client(1).retry }))).not.toBe(left);
  expect(idOf(await answered(world.run({ ...by(one), retry: client(1).retry })))).toBe(left);
  expect(world.executions()).toBe(3);
});

test('leaves alone what a request left that had made as many retries', async () => {
  const { world } = await createWorld();
  const second = client(1);
  void world.run({ retry: second.retry, execute: () => new Promise(() => {}) });
  await breathe();
  await second.leave();
  await world.run({ retry: client(1).retry });
  expect(world.executions()).toBe(2);
});

test('hands it on to the next retry when the one that took it up leaves as well', async () => {
  const { world, debits, answered } = await createWorld();
  const [second, third] = [client(1), client(2)];
  const written = openPromise<number>();
  await leaveOne(world, () => written.promise);
  const left = world.run({ retry: second.retry });
  await breathe();
  await second.leave();
  expect(await left).toMatchObject({ kind: 'refused', code: 'request_in_progress' });
  const last = world.run({ retry: third.retry });
  await breathe();
  written.resolve(5);
  expect(await answered(last)).toMatchObject({ kind: 'completed', body: '{"tokens":5}' });
  expect(world.executions()).toBe(1);
  expect(await debits()).toHaveLength(1);
});

test('executes a retry that comes too late, and sweeps away what no worker took up', async () => {
  const { world } = await createWorld();
  await leaveOne(world);
  const id = `${world.keyId}:body`;
  const noted = async () => (await world.storage.read([{ table: 'undelivered', id }])).get('undelivered', id);
  expect(await noted()).toBeDefined();
  await world.clock.advance(world.engine.limits.undeliveredKeptMs);
  await world.run({ retry: client(1).retry });
  expect(world.executions()).toBe(2);
  await sweep(world.engine);
  expect(await noted()).toBeUndefined();
});

test('executes a retry of what executed nothing', async () => {
  const { world } = await createWorld();
  const refused = openPromise<number>();
  const { abandoned } = await leaveOne(world, () => refused.promise);
  refused.reject(new NotExecuted({ reason: 'unavailable' }));
  await abandoned;
  expect(await world.run({ retry: client(1).retry })).toMatchObject({ kind: 'completed', replayed: false });
  expect(world.executions()).toBe(2);
});

test('tells a retry of an operation that became uncertain, and never runs it again', async () => {
  const { world } = await createWorld();
  const lost = openPromise<number>();
  const { abandoned } = await leaveOne(world, () => lost.promise);
  lost.reject(new Error('lost'));
  const requestId = idOf(await abandoned);
  const outcome = await world.run({ retry: client(1).retry });
  expect(outcome).toMatchObject({ kind: 'refused', code: 'settlement_pending', requestId });
  expect(world.executions()).toBe(1);
});

test('waits no longer than the lease of a process that died', async () => {
  const { world, answered } = await createWorld();
  await leaveOne(world);
  const survivor = world.another();
  const retry = world.runOn(survivor, { retry: client(1).retry });
  await world.clock.advance(world.engine.limits.leaseMs + 1);
  await renewLeases(survivor);
  await sweep(survivor);
  expect(await answered(retry)).toMatchObject({ kind: 'refused', code: 'settlement_pending' });
  expect(world.executions()).toBe(1);
});

test('waits for no operation longer than it may be executed, and its lease', async () => {
  const { world, answered } = await createWorld();
  await leaveOne(world);
  const survivor = world.another();
  const retry = world.runOn(survivor, { retry: client(1).retry });
  await breathe();
  // Its end cannot be stored, and no sweep finds it.
  world.faults = ({ name }) => (name === 'transact' ? { kind: 'refused' } : undefined);
  const { executionMs, leaseMs } = survivor.limits;
  await world.clock.advance(executionMs + leaseMs);
  expect(await answered(retry)).toMatchObject({ kind: 'refused', code: 'request_in_progress' });
});

test('refuses a retry whose key was revoked meanwhile', async () => {
  const { world } = await createWorld();
  await leaveOne(world);
  await world.admin.setKeyStatus(world.keyId, 'revoked');
  expect(await world.run({ retry: client(1).retry })).toMatchObject({ kind: 'refused', code: 'invalid_api_key' });
});

test('executes anew where the departure could not be noted', async () => {
  const { world } = await createWorld();
  const first = client(0);
  void world.run({ retry: first.retry, execute: () => new Promise(() => {}) });
  await breathe();
  world.faults = ({ name, keys }) =>
    name === 'transact' && keys.every(({ table }) => table === 'undelivered') ? { kind: 'refused' } : undefined;
  await first.leave();
  expect(world.warnings).toContain('an undelivered answer could not be noted');
  await world.run({ retry: client(1).retry });
  expect(world.executions()).toBe(2);
});

test(`keeps ${undeliveredMax} operations of one request, the newest`, async () => {
  const world = await createEngineWorld(10_000n);
  const ids: string[] = [];
  const written = openPromise<number>();
  const asked = [];
  for (let sample = 0; sample <= undeliveredMax; sample += 1) {
    const { abandoned } = await leaveOne(world, () => written.promise);
    asked.push(abandoned);
  }
  written.resolve(5);
  for (const outcome of await Promise.all(asked)) ids.push(idOf(outcome));
  const taken: string[] = [];
  for (let retry = 0; retry <= undeliveredMax; retry += 1)
    taken.push(idOf(await world.run({ retry: client(1).retry })));
  expect(taken.slice(0, -1)).toEqual(ids.slice(1));
  expect(world.executions()).toBe(undeliveredMax + 2);
});
