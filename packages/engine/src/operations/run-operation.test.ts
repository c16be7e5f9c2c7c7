import { NotExecuted, type NotExecutedReason, type ServiceTier } from '@tollgate/provider';
import { expect, test } from 'vitest';
import { breathe, createEngineWorld, holdMicros, idOf, openPromise } from '../../test/engine-world.ts';
import { findRequest } from './find-request.ts';
import { parseTariff } from '../ledger/tariff.ts';

const failed = () => Promise.reject(new NotExecuted({ reason: 'failed' }));
const unknown = () => Promise.reject(new Error('reset'));

const walletOf = ({ admin, accountId }: Awaited<ReturnType<typeof createEngineWorld>>) => admin.readWallet(accountId);

test('debits what was measured and frees the rest [ledger:settle:debit-measured] [ledger:settle:release-surplus]', async () => {
  const world = await createEngineWorld();
  expect(await world.run({ execute: async () => 3 })).toMatchObject({
    kind: 'completed',
    body: '{"tokens":3}',
    replayed: false,
    operation: { state: 'completed', chargedMicros: 3n, holdMicros: 0n, usage: [{ quantity: 3 }] },
  });
  expect(await walletOf(world)).toMatchObject({ balanceMicros: 97n, reservedMicros: 0n });
});

test('holds the estimate before the provider is called [ledger:hold:taken-before-execution] [ledger:hold:estimate]', async () => {
  const world = await createEngineWorld();
  await world.run({
    execute: async () => {
      expect(await walletOf(world)).toMatchObject({ balanceMicros: 100n, reservedMicros: holdMicros });
      return 1;
    },
  });
  expect(world.executions()).toBe(1);
});

test.each<readonly [NotExecutedReason, string]>([
  ['invalid_request', 'unsupported_parameter'],
  ['input_limit', 'input_limit'],
  ['rate_limited', 'service_unavailable'],
  ['unavailable', 'service_unavailable'],
  ['failed', 'request_failed'],
  ['cancelled', 'request_cancelled'],
])('frees the hold when nothing ran: %s is answered as %s [ledger:failed:no-debit]', async (reason, code) => {
  const world = await createEngineWorld();
  const outcome = await world.run({ execute: () => Promise.reject(new NotExecuted({ reason })) });
  expect(outcome).toMatchObject({ kind: 'refused', code });
  expect(await world.admin.readOperation(idOf(outcome))).toMatchObject({ state: 'failed', errorCode: code });
  expect(await walletOf(world)).toMatchObject({ balanceMicros: 100n, reservedMicros: 0n });
});

test('tells when to come back where the upstream said so', async () => {
  const world = await createEngineWorld();
  const error = new NotExecuted({ reason: 'rate_limited', retryAfterMs: 2_000 });
  expect(await world.run({ execute: () => Promise.reject(error) })).toMatchObject({ retryAfterMs: 2_000 });
});

test('keeps the hold when any other error comes out of the provider [ledger:uncertain:keeps-hold]', async () => {
  const world = await createEngineWorld();
  const outcome = await world.run({ execute: () => Promise.reject(new Error('reset by peer')) });
  expect(outcome).toMatchObject({ kind: 'refused', code: 'request_failed' });
  expect(await world.admin.readOperation(idOf(outcome))).toMatchObject({ state: 'uncertain', holdMicros });
});

test('gives up waiting for a provider, and calls it unknown', async () => {
  const world = await createEngineWorld();
  let aborted = false;
  const outcome = world.run({
    execute: ({ signal }) =>
      new Promise(() => {
        signal.addEventListener('abort', () => {
          aborted = true;
        });
      }),
  });
  await world.clock.advance(world.engine.limits.executionMs);
  expect(await outcome).toMatchObject({ code: 'request_failed' });
  expect(aborted).toBe(true);
  expect(await world.admin.listOperations({ kind: 'state', state: 'uncertain' })).toHaveLength(1);
});

test.each([
  ['no meter at all', () => []],
  ['a meter that is not confirmed', () => [{ unit: 'input_text_tokens', quantity: 5, confirmed: false } as const]],
  ['a negative quantity', () => [{ unit: 'input_text_tokens', quantity: -1, confirmed: true } as const]],
  ['half a token', () => [{ unit: 'input_text_tokens', quantity: 0.5, confirmed: true } as const]],
  ['a quantity that is no number', () => [{ unit: 'input_text_tokens', quantity: NaN, confirmed: true } as const]],
  ['a unit without a price', () => [{ unit: 'maps_queries', quantity: 1, confirmed: true } as const]],
])('does not guess a charge from %s, and keeps answer and hold', async (_, measure) => {
  const world = await createEngineWorld();
  const outcome = await world.run({ measure });
  expect(outcome).toMatchObject({ code: 'request_failed' });
  expect(await world.admin.readOperation(idOf(outcome))).toMatchObject({
    state: 'uncertain',
    answer: 'stored',
    usage: null,
    holdMicros,
  });
});

test('charges nothing where zero was measured', async () => {
  const world = await createEngineWorld();
  expect(await world.run({ execute: async () => 0 })).toMatchObject({ kind: 'completed' });
  expect(await walletOf(world)).toMatchObject({ balanceMicros: 100n, reservedMicros: 0n });
});

test('takes what exceeds the hold from free balance [ledger:overrun:free-balance-only]', async () => {
  const world = await createEngineWorld();
  expect(await world.run({ execute: async () => 60 })).toMatchObject({ operation: { chargedMicros: 60n } });
  expect(await walletOf(world)).toMatchObject({ balanceMicros: 40n, reservedMicros: 0n });
});

test('waits with result and hold where free balance is short, and a deposit settles it at once [ledger:overrun:uncertain] [ledger:overrun:first-answer] [ledger:overrun:resolves]', async () => {
  const world = await createEngineWorld(holdMicros + 2n);
  const outcome = await world.run({ identity: 'once', execute: async () => 15 });
  expect(outcome).toMatchObject({ code: 'settlement_pending' });
  const id = idOf(outcome);
  expect(await world.admin.readOperation(id)).toMatchObject({ state: 'uncertain', pendingMicros: 15n, holdMicros });
  expect(await findRequest(world.engine, world.projectId, id)).toMatchObject({ body: null });
  await world.admin.deposit({ accountId: world.accountId, amountMicros: 2n, reference: 'too little' });
  expect(await world.admin.readOperation(id)).toMatchObject({ state: 'uncertain' });
  await world.admin.deposit({ accountId: world.accountId, amountMicros: 1n, reference: 'enough' });
  expect(await world.run({ identity: 'once' })).toMatchObject({ replayed: true, body: '{"tokens":15}' });
  expect(await walletOf(world)).toMatchObject({ balanceMicros: 0n, reservedMicros: 0n });
  expect(world.executions()).toBe(1);
});

test('absorbs the rest as a recorded loss where the host wants that', async () => {
  const world = await createEngineWorld(holdMicros + 2n, { overrun: 'absorb' });
  expect(await world.run({ execute: async () => 15 })).toMatchObject({
    kind: 'completed',
    operation: { chargedMicros: 12n, absorbedMicros: 3n },
  });
  expect(await walletOf(world)).toMatchObject({ balanceMicros: 0n, reservedMicros: 0n });
  expect((await world.admin.audit()).violations).toEqual([]);
});

test('hands nothing over for a client that has left already', async () => {
  const world = await createEngineWorld();
  const outcome = await world.run({ isAbandoned: () => true });
  expect(outcome).toMatchObject({ code: 'request_cancelled' });
  expect(world.executions()).toBe(0);
  expect(await walletOf(world)).toMatchObject({ balanceMicros: 100n, reservedMicros: 0n });
});

test('replays the same bytes, and executes nothing [idempotency:replay:equal-answer] [idempotency:replay:no-execution]', async () => {
  const world = await createEngineWorld();
  const first = await world.run({ identity: 'once' });
  const again = await world.runOn(world.another(), { identity: 'once' });
  expect(again).toMatchObject({ kind: 'completed', replayed: true });
  expect({ ...again, replayed: false }).toEqual(first);
  expect(world.executions()).toBe(1);
});

test('refuses an identity with another body, and tells the request that it stands for [idempotency:conflict:refused] [idempotency:conflict:recovers]', async () => {
  const world = await createEngineWorld();
  const id = idOf(await world.run({ identity: 'once' }));
  expect(await world.run({ identity: 'once', fingerprint: 'other' })).toMatchObject({
    code: 'ai_idempotency_conflict',
    requestId: id,
  });
});

test('refuses an identity whose request is running, failed or uncertain [idempotency:running:refused] [idempotency:failed:refused] [idempotency:uncertain:refused]', async () => {
  const world = await createEngineWorld();
  const provider = openPromise<number>();
  const running = world.run({ identity: 'running', execute: () => provider.promise });
  await breathe();
  expect(await world.run({ identity: 'running' })).toMatchObject({ code: 'request_in_progress' });
  provider.resolve(1);
  await running;
  await world.run({ identity: 'failed', execute: failed });
  expect(await world.run({ identity: 'failed' })).toMatchObject({ code: 'previous_request_failed' });
  await world.run({ identity: 'uncertain', execute: unknown });
  expect(await world.run({ identity: 'uncertain' })).toMatchObject({ code: 'settlement_pending' });
  expect(world.executions()).toBe(3);
});

test('keeps identities of projects apart [idempotency:scope:project] [requests:get:isolated]', async () => {
  const world = await createEngineWorld();
  const other = await world.admin.createProject({ accountId: world.accountId, name: 'Other' });
  const access = { accountId: world.accountId, projectId: other?.id ?? '', keyId: world.keyId };
  const id = idOf(await world.run({ identity: 'once' }));
  expect(await world.run({ identity: 'once', access })).toMatchObject({ kind: 'completed', replayed: false });
  expect(await findRequest(world.engine, access.projectId, id)).toBeNull();
  expect(world.executions()).toBe(2);
});

test('opens nothing on a key that was revoked a moment ago [auth:bearer:revoked]', async () => {
  const world = await createEngineWorld();
  await world.admin.setKeyStatus(world.keyId, 'revoked');
  expect(await world.run()).toMatchObject({ code: 'invalid_api_key', requestId: null });
  expect(world.executions()).toBe(0);
});

test('repeats a settlement that was not confirmed, and debits once [ledger:concurrency:single-settlement]', async () => {
  const world = await createEngineWorld();
  let settlements = 0;
  world.faults = ({ keys }) => {
    if (!keys.some(({ table }) => table === 'answer') || settlements === 2) return undefined;
    settlements += 1;
    return { kind: 'unconfirmed' };
  };
  expect(await world.run({ identity: 'once' })).toMatchObject({ kind: 'completed', replayed: false });
  expect(await walletOf(world)).toMatchObject({ balanceMicros: 95n, reservedMicros: 0n });
  expect(await world.admin.readStatement(world.accountId)).toHaveLength(2);
});

test('does not say that it is done where the settlement could not be stored', async () => {
  const world = await createEngineWorld();
  world.faults = ({ keys }) => (keys.some(({ table }) => table === 'answer') ? { kind: 'refused' } : undefined);
  const outcome = await world.run({ identity: 'once' });
  expect(outcome).toMatchObject({ code: 'request_failed' });
  expect(world.warnings).toContain('the end of an operation could not be stored');
  expect(await world.admin.readOperation(idOf(outcome))).toMatchObject({ state: 'processing', holdMicros });
});

const unreadable = () => {
  throw new NotExecuted({ reason: 'failed' });
};

test('keeps the hold when the result cannot be read, whatever that throws [ledger:uncertain:keeps-hold]', async () => {
  const world = await createEngineWorld();
  for (const plan of [{ measure: unreadable }, { answer: unreadable }]) {
    const outcome = await world.run({ execute: async () => 1, ...plan });
    expect(outcome).toMatchObject({ kind: 'refused', code: 'request_failed' });
    expect(await world.admin.readOperation(idOf(outcome))).toMatchObject({ state: 'uncertain', holdMicros });
  }
});

test.each([
  [1, 0n],
  [6, 2n],
  [8, 3n],
])(
  'debits %i tokens of 0.4 micro-credits as %i micro-credits: no charge is rounded up',
  async (tokens, chargedMicros) => {
    const tariff = parseTariff({ version: 'v1', models: { model: { perMillion: { input_text_tokens: '0.4' } } } });
    const world = await createEngineWorld(100n, { tariff });
    expect(await world.run({ execute: async () => tokens })).toMatchObject({ operation: { chargedMicros } });
    expect(await walletOf(world)).toMatchObject({ balanceMicros: 100n - chargedMicros, reservedMicros: 0n });
  },
);

test('charges by the service tier that was served, where one was asked for', async () => {
  const perMillion = { input_text_tokens: '1' };
  const models = { model: { perMillion } };
  const tariff = parseTariff({ version: 'v1', serviceTiers: { priority: '2' }, models });
  const world = await createEngineWorld(100n, { tariff });
  const charged = (serviceTier?: ServiceTier) =>
    world.run({ serviceTier, servedTier: () => 'standard', execute: async () => 3 });
  expect(await charged('priority')).toMatchObject({ operation: { servedTier: 'standard', chargedMicros: 3n } });
  expect(await charged()).toMatchObject({ operation: { servedTier: null, chargedMicros: 3n } });
  expect(await world.run({ serviceTier: 'priority', execute: async () => 3 })).toMatchObject({
    operation: { servedTier: null, chargedMicros: 6n },
  });
});

test("runs under the id that the host's hook received", async () => {
  const world = await createEngineWorld();
  const { accountId, projectId, keyId } = world;
  const operationId = '00000000-0000-7000-8000-0000000000ff';
  const marks = { operationId, model: 'model', askedModel: null, tags: {} };
  expect(idOf(await world.run({ access: { accountId, projectId, keyId, marks } }))).toBe(operationId);
});
