import { isNotExecuted, type CallContext, type GenerationCall, type Provider } from '@tollgate/provider';
import { sampleCaller, scriptedGeneration } from '@tollgate/testing/fakes';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { withConcurrency, type ConcurrencyOptions } from './with-concurrency.ts';

const call: GenerationCall = {
  operationId: 'operation',
  upstreamModel: 'model',
  systemInstruction: null,
  contents: [],
  tools: [],
  toolChoice: { kind: 'auto' },
  responseFormat: { kind: 'text' },
  sampling: {},
  outputTokensMax: 100,
};

const turns = async (): Promise<void> => {
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
};

/** A provider whose calls end when the test says so, behind a gate whose time the test keeps. */
const gated = (options: Omit<ConcurrencyOptions, 'after'>) => {
  const running: (() => void)[] = [];
  const timers = new Set<() => void>();
  let peak = 0;
  let sent = 0;
  const leaf: Provider = {
    name: 'leaf',
    generate: async () => {
      const held = Promise.withResolvers<void>();
      sent += 1;
      running.push(held.resolve);
      peak = Math.max(peak, running.length);
      await held.promise;
      return scriptedGeneration;
    },
  };
  const after = (_ms: number, run: () => void): (() => void) => {
    timers.add(run);
    return () => timers.delete(run);
  };
  const provider = withConcurrency(leaf, { ...options, after });
  return {
    peak: () => peak,
    sent: () => sent,
    waiting: () => timers.size,
    start: (signal = new AbortController().signal): Promise<string> => {
      const context: CallContext = { caller: sampleCaller, signal, recordAttempt: () => {} };
      return (provider.generate?.(call, context) ?? Promise.reject(new Error('no method'))).then(
        () => 'answered',
        (failure: unknown) =>
          isNotExecuted(failure) ? `${failure.reason} ${failure.retryAfterMs ?? ''}`.trim() : 'unknown',
      );
    },
    endOne: async (): Promise<void> => {
      running.shift()?.();
      await turns();
    },
    passTime: async (): Promise<void> => {
      for (const run of timers) run();
      await turns();
    },
  };
};

test('sends no more than it may at a time, in the order in which calls came', async () => {
  const gate = gated({ inFlightMax: 1, waitingMax: 2 });
  const ended: number[] = [];
  const calls = [0, 1, 2].map((id) => gate.start().then(() => ended.push(id)));
  await turns();
  expect([gate.sent(), gate.waiting()]).toEqual([1, 2]);
  for (const _ of calls) await gate.endOne();
  await Promise.all(calls);
  expect([ended, gate.peak(), gate.waiting()]).toEqual([[0, 1, 2], 1, 0]);
});

test('refuses what it has no room for, and says when to come back', async () => {
  const gate = gated({ inFlightMax: 1, retryAfterMs: 7 });
  const first = gate.start();
  await turns();
  expect(await gate.start()).toBe('rate_limited 7');
  await gate.endOne();
  expect([await first, gate.sent()]).toEqual(['answered', 1]);
});

test('keeps no caller waiting longer than it says', async () => {
  const gate = gated({ inFlightMax: 1, waitingMax: 1 });
  const first = gate.start();
  await turns();
  const second = gate.start();
  await gate.passTime();
  expect(await second).toBe('rate_limited 1000');
  await gate.endOne();
  expect([await first, gate.sent()]).toEqual(['answered', 1]);
});

test('never sends a call that was given up while it waited, and leaves nothing behind', async () => {
  const gate = gated({ inFlightMax: 1, waitingMax: 1 });
  const controller = new AbortController();
  const first = gate.start();
  await turns();
  const second = gate.start(controller.signal);
  await turns();
  controller.abort();
  expect([await second, gate.waiting()]).toEqual(['cancelled', 0]);
  await gate.endOne();
  expect([await first, gate.sent()]).toEqual(['answered', 1]);
});

test('whatever happens, its bounds hold and everyone gets an answer', async () => {
  const action = fc.constantFrom<'start' | 'end' | 'abort' | 'time'>('start', 'start', 'end', 'abort', 'time');
  const limits = fc.record({ inFlightMax: fc.integer({ min: 1, max: 3 }), waitingMax: fc.nat(3) });
  await fc.assert(
    fc.asyncProperty(limits, fc.array(action, { maxLength: 30 }), async (given, actions) => {
      const gate = gated(given);
      const calls: Promise<string>[] = [];
      const controllers: AbortController[] = [];
      for (const each of actions) {
        if (each === 'start') {
          const controller = new AbortController();
          controllers.push(controller);
          calls.push(gate.start(controller.signal));
          await turns();
        } else if (each === 'end') await gate.endOne();
        else if (each === 'time') await gate.passTime();
        else controllers.shift()?.abort();
        await turns();
        expect(gate.peak()).toBeLessThanOrEqual(given.inFlightMax);
        expect(gate.waiting()).toBeLessThanOrEqual(given.waitingMax);
      }
      for (const _ of calls) await gate.endOne();
      const outcomes = await Promise.all(calls);
      expect(outcomes.filter((outcome) => outcome === 'answered')).toHaveLength(gate.sent());
      expect(gate.waiting()).toBe(0);
    }),
  );
});
