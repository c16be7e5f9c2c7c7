import { inspect } from 'node:util';
import { NotExecuted } from '@tollgate/provider';
import { expect, test } from 'vitest';
import { createEngineWorld, holdMicros, idOf } from '../../test/engine-world.ts';
import { sweep } from '../../test/process-parts.ts';
import type { ObservedEvent } from './observer.ts';

const observedWorld = async (options: Parameters<typeof createEngineWorld>[1] = {}) => {
  const events: ObservedEvent[] = [];
  const observe = (event: ObservedEvent): void => void events.push(event);
  const world = await createEngineWorld(100n, { observers: [{ observe }], ...options });
  return { world, events, kinds: () => events.map(({ kind }) => kind) };
};

test('shows the life of a call: opened, executed, its upstream requests, settled', async () => {
  const { world, events, kinds } = await observedWorld();
  const outcome = await world.run({
    execute: async ({ recordAttempt }) => {
      recordAttempt({ startedAtMs: 1, durationMs: 2, status: 200, outcome: 'answered', upstreamId: 'secret-id' });
      return 5;
    },
  });
  expect(kinds()).toEqual([
    'operation_opened',
    'execution_started',
    'upstream_attempt',
    'execution_ended',
    'operation_ended',
  ]);
  expect(events[0]).toMatchObject({ operation: { holdMicros } });
  expect(events.at(-1)).toMatchObject({
    operationId: idOf(outcome),
    operation: { model: 'model', caller: { accountId: world.accountId } },
    end: { kind: 'settled', chargedMicros: 5n, usage: [{ unit: 'input_text_tokens', quantity: 5 }] },
  });
  expect(inspect(events, { depth: 10 })).not.toContain('secret-id');
});

test('shows a replay with the request that it is for, and opens nothing', async () => {
  const { world, events } = await observedWorld();
  const access = { keyId: world.keyId, projectId: world.projectId, accountId: world.accountId };
  const plan = { identity: 'once', access: { ...access, requestId: 'r1' } };
  const first = await world.run(plan);
  await world.run({ ...plan, access: { ...access, requestId: 'r2' } });
  const shown = events.filter(({ kind }) => kind === 'operation_opened' || kind === 'operation_replayed');
  expect(shown).toMatchObject([
    { kind: 'operation_opened', requestId: 'r1' },
    { kind: 'operation_replayed', requestId: 'r2', operationId: idOf(first) },
  ]);
});

test('shows how each operation ended: failed with its code, uncertain', async () => {
  const { world, events } = await observedWorld();
  await world.run({ execute: () => Promise.reject(new NotExecuted({ reason: 'rate_limited' })) });
  await world.run({ execute: () => Promise.reject(new Error('lost')) });
  expect(events.filter((event) => event.kind === 'operation_ended').map(({ end }) => end)).toEqual([
    { kind: 'failed', code: expect.any(String) },
    { kind: 'uncertain' },
  ]);
});

test('shows each operation once that another process takes over', async () => {
  const { world, events } = await observedWorld();
  void world.run({ execute: () => new Promise(() => {}) });
  await world.clock.advance(0);
  await world.clock.advance(world.engine.limits.leaseMs + 1);
  await sweep(world.engine);
  await sweep(world.engine);
  expect(events.filter(({ kind }) => kind === 'taken_over')).toMatchObject([{ state: 'processing' }]);
});

test('an observer that throws harms no call, and is logged', async () => {
  const seen: string[] = [];
  const { world } = await observedWorld({
    observers: [
      {
        observe: () => {
          throw new Error('broken observer');
        },
        traceOf: () => {
          throw new Error('broken trace');
        },
        upstreamHeaders: () => {
          throw new Error('broken headers');
        },
      },
      { observe: ({ kind }) => void seen.push(kind) },
    ],
  });
  const access = { keyId: world.keyId, projectId: world.projectId, accountId: world.accountId, requestId: 'r' };
  expect(await world.run({ access })).toMatchObject({ kind: 'completed' });
  expect(seen).toContain('operation_ended');
  expect(world.warnings).toContain('an observer failed');
  expect(await world.admin.audit()).toMatchObject({ violations: [] });
});

test('stores the trace of a request with its operation, and hands it to the process that ends it', async () => {
  const { world, events } = await observedWorld();
  const another = world.another({
    observers: [{ observe: (event) => void events.push(event), traceOf: (requestId) => `trace of ${requestId}` }],
  });
  const access = { keyId: world.keyId, projectId: world.projectId, accountId: world.accountId, requestId: 'r' };
  void world.runOn(another, { access, execute: () => new Promise(() => {}) });
  await world.clock.advance(0);
  await world.clock.advance(world.engine.limits.leaseMs + 1);
  events.length = 0;
  await sweep(world.engine);
  expect(events.find(({ kind }) => kind === 'operation_ended')).toMatchObject({
    operation: { trace: 'trace of r' },
    end: { kind: 'uncertain' },
  });
});

test('hands the headers of an observer to the provider, and none without one', async () => {
  const seen: unknown[] = [];
  const execute = async ({ upstreamHeaders }: { readonly upstreamHeaders?: unknown }): Promise<number> => {
    seen.push(upstreamHeaders);
    return 5;
  };
  const { world } = await observedWorld({
    observers: [{ observe: () => {}, upstreamHeaders: () => ({ traceparent: 'here' }) }],
  });
  await world.run({ execute });
  await world.runOn(world.another({ observers: [] }), { execute });
  expect(seen).toEqual([{ traceparent: 'here' }, undefined]);
});

test('makes no event where no one observes', async () => {
  const { engine } = await createEngineWorld();
  expect(engine.host.observe).toBeNull();
});
