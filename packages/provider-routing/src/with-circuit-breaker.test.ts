import { isNotExecuted, NotExecuted, type CallContext, type GenerationCall, type Provider } from '@tollgate/provider';
import { sampleCaller, scriptedGeneration } from '@tollgate/testing/fakes';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { withCircuitBreaker, type CircuitBreakerOptions } from './with-circuit-breaker.ts';

const callOf = (upstreamModel: string): GenerationCall => ({
  operationId: 'operation',
  upstreamModel,
  systemInstruction: null,
  contents: [],
  tools: [],
  toolChoice: { kind: 'auto' },
  responseFormat: { kind: 'text' },
  sampling: {},
  outputTokensMax: 100,
});

const context: CallContext = { caller: sampleCaller, signal: new AbortController().signal, recordAttempt: () => {} };

type Ending = 'good' | 'bad' | 'silent';

interface Held {
  readonly end: (ending: Ending | NotExecuted) => Promise<void>;
}

/** A breaker before a provider whose calls end when the test says so. */
const heldBreaker = (options: CircuitBreakerOptions) => {
  let nowMs = 0;
  const sent: { readonly resolve: () => void; readonly reject: (failure: Error) => void }[] = [];
  const leaf: Provider = {
    name: 'leaf',
    generate: async () => {
      const held = Promise.withResolvers<void>();
      sent.push(held);
      await held.promise;
      return scriptedGeneration;
    },
  };
  const provider = withCircuitBreaker(leaf, { ...options, now: () => nowMs });
  /** Starts a call: what it can be ended with, or how it was refused. */
  const start = async (model = 'model'): Promise<Held | NotExecuted> => {
    const before = sent.length;
    const settled = provider.generate?.(callOf(model), context).then(
      () => undefined,
      (failure: unknown) => failure,
    );
    // What is refused is refused before anything is sent.
    for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
    const held = sent[before];
    if (held === undefined) {
      const failure = await settled;
      if (!isNotExecuted(failure)) throw new Error('neither sent nor refused');
      return failure;
    }
    return {
      end: async (ending) => {
        if (ending instanceof NotExecuted) held.reject(ending);
        else if (ending === 'good') held.resolve();
        else if (ending === 'silent') held.reject(new NotExecuted({ reason: 'invalid_request' }));
        else held.reject(new Error('cut'));
        await settled;
      },
    };
  };
  return {
    start,
    advance: (ms: number): void => {
      nowMs += ms;
    },
  };
};

const isHeld = (started: Held | NotExecuted): started is Held => 'end' in started;

const endOf = async (started: Held | NotExecuted, ending: Ending | NotExecuted): Promise<void> => {
  if (!isHeld(started)) throw new Error('the call was refused');
  await started.end(ending);
};

test('opens after failures one after another, and says when to come back', async () => {
  const { start, advance } = heldBreaker({ failuresMax: 2, openMs: 1_000 });
  await endOf(await start(), 'bad');
  await endOf(await start(), 'good');
  await endOf(await start(), 'bad');
  await endOf(await start(), 'bad');
  advance(400);
  const refused = await start();
  expect(refused).toMatchObject({ reason: 'unavailable', retryAfterMs: 600 });
});

test('lets a probe through after a while, and closes when it succeeds', async () => {
  const { start, advance } = heldBreaker({ failuresMax: 1, openMs: 1_000 });
  await endOf(await start(), 'bad');
  advance(1_000);
  const probe = await start();
  expect(isHeld(await start())).toBe(false);
  await endOf(probe, 'good');
  const both = [await start(), await start()];
  expect(both.every(isHeld)).toBe(true);
});

test('opens again when the probe fails, and asks another where it says nothing', async () => {
  const { start, advance } = heldBreaker({ failuresMax: 1, openMs: 1_000 });
  await endOf(await start(), 'bad');
  advance(1_000);
  await endOf(await start(), 'silent');
  await endOf(await start(), 'bad');
  expect(await start()).toMatchObject({ retryAfterMs: 1_000 });
});

test.each([
  new NotExecuted({ reason: 'invalid_request' }),
  new NotExecuted({ reason: 'input_limit' }),
  new NotExecuted({ reason: 'unsupported' }),
  new NotExecuted({ reason: 'unavailable', lasting: true }),
  new NotExecuted({ reason: 'cancelled' }),
])('does not open for what says nothing of the upstream: $reason', async (failure) => {
  const { start } = heldBreaker({ failuresMax: 1 });
  await endOf(await start(), failure);
  expect(isHeld(await start())).toBe(true);
});

test('stays open for as long as the provider asks for, be it longer or shorter than its own time', async () => {
  for (const retryAfterMs of [200, 60_000]) {
    const { start, advance } = heldBreaker({ failuresMax: 1, openMs: 1_000 });
    await endOf(await start(), new NotExecuted({ reason: 'rate_limited', retryAfterMs }));
    advance(retryAfterMs - 1);
    expect(await start()).toMatchObject({ reason: 'unavailable', retryAfterMs: 1 });
    advance(1);
    expect(isHeld(await start())).toBe(true);
  }
});

test('stays open for its own time where the provider asks to come back at once', async () => {
  const { start } = heldBreaker({ failuresMax: 1, openMs: 1_000 });
  await endOf(await start(), new NotExecuted({ reason: 'rate_limited', retryAfterMs: 0 }));
  expect(await start()).toMatchObject({ reason: 'unavailable', retryAfterMs: 1_000 });
});

test('stops a failing model alone where it is asked to', async () => {
  const { start } = heldBreaker({ failuresMax: 1, per: 'model' });
  await endOf(await start('a'), 'bad');
  expect([isHeld(await start('a')), isHeld(await start('b'))]).toEqual([false, true]);
});

test('forgets the model that it has not heard of for longest', async () => {
  const { start } = heldBreaker({ failuresMax: 1, per: 'model', modelsMax: 2 });
  await endOf(await start('a'), 'bad');
  await endOf(await start('b'), 'good');
  await endOf(await start('c'), 'good');
  expect(isHeld(await start('a'))).toBe(true);
});

interface Limits {
  readonly failuresMax: number;
  readonly openMs: number;
  readonly probesMax: number;
}

/** The rules once more, in the plainest form. */
const createReference = ({ failuresMax, openMs, probesMax }: Limits) => {
  let mode: 'closed' | 'open' | 'half_open' = 'closed';
  let streak = 0;
  let nowMs = 0;
  let openedAtMs = 0;
  /** Calls whose end counts: those sent since the mode last changed. */
  const counted = new Set<number>();
  const change = (next: typeof mode): void => {
    mode = next;
    streak = 0;
    openedAtMs = nowMs;
    counted.clear();
  };
  return {
    advance: (ms: number): void => {
      nowMs += ms;
    },
    start: (id: number): boolean => {
      if (mode === 'open' && nowMs < openedAtMs + openMs) return false;
      if (mode === 'open') change('half_open');
      if (mode === 'half_open' && counted.size >= probesMax) return false;
      counted.add(id);
      return true;
    },
    end: (id: number, ending: Ending): void => {
      if (!counted.delete(id) || ending === 'silent') return;
      streak = ending === 'bad' ? streak + 1 : 0;
      if (mode === 'half_open') change(ending === 'good' ? 'closed' : 'open');
      else if (streak >= failuresMax) change('open');
    },
  };
};

type Action =
  | { readonly kind: 'start' }
  | { readonly kind: 'end'; readonly which: number; readonly ending: Ending }
  | { readonly kind: 'advance'; readonly ms: number };

const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 4, arbitrary: fc.constant<Action>({ kind: 'start' }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('end' as const),
      which: fc.nat(5),
      ending: fc.constantFrom<Ending>('good', 'bad', 'bad', 'silent'),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('advance' as const), ms: fc.nat(15) }) },
);

test('admits and refuses as the rules say, with any number of calls at the same time', async () => {
  const limits = fc.record({
    failuresMax: fc.integer({ min: 1, max: 3 }),
    openMs: fc.integer({ min: 1, max: 20 }),
    probesMax: fc.integer({ min: 1, max: 2 }),
  });
  await fc.assert(
    fc.asyncProperty(limits, fc.array(action, { maxLength: 40 }), async (given, actions) => {
      const breaker = heldBreaker(given);
      const reference = createReference(given);
      const running: { readonly id: number; readonly held: Held }[] = [];
      const admitted: [boolean, boolean][] = [];
      for (const [id, each] of actions.entries()) {
        if (each.kind === 'advance') {
          breaker.advance(each.ms);
          reference.advance(each.ms);
        } else if (each.kind === 'start') {
          const started = await breaker.start();
          admitted.push([isHeld(started), reference.start(id)]);
          if (isHeld(started)) running.push({ id, held: started });
        } else {
          const [ended] = running.splice(each.which % Math.max(1, running.length), 1);
          await ended?.held.end(each.ending);
          if (ended !== undefined) reference.end(ended.id, each.ending);
        }
      }
      for (const [was, should] of admitted) expect(was).toBe(should);
    }),
    { numRuns: 200 * Number(process.env['TEST_SCALE'] ?? 1) },
  );
});
