import { isNotExecuted, type CallContext, type GenerationCall, type Provider, type Usage } from '@tollgate/provider';
import { fakeClock, sampleCaller, scriptedProvider, type ScriptedStep } from '@tollgate/testing/fakes';
import { expect, test } from 'vitest';
import { countOf } from './budget-count.ts';
import { memoryBudgetCounts, type BudgetCounts } from './budget-counts.ts';
import { withBudget, type BudgetOptions } from './with-budget.ts';
import { withFallback } from './with-fallback.ts';

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
const context: CallContext = { caller: sampleCaller, signal: new AbortController().signal, recordAttempt: () => {} };

const used = (input: number, output: number): readonly Usage[] => [
  { unit: 'input_text_tokens', quantity: input, confirmed: true },
  { unit: 'output_text_tokens', quantity: output, confirmed: true },
];
const answering = (usage: readonly Usage[]): ScriptedStep => ({ kind: 'answer', generation: { usage } });

const ask = async (provider: Provider): Promise<unknown> =>
  provider.generate?.(call, context).then(
    () => 'answered',
    (failure: unknown) => (isNotExecuted(failure) ? [failure.reason, failure.retryAfterMs] : 'unknown'),
  );

const dayMs = 86_400_000;
/** 2.5 and 10 of the host's currency for a million. */
const costs = { model: { input_text_tokens: 2.5, output_text_tokens: 10 }, '*': { input_text_tokens: 1 } };

const budgeted = (options: Partial<BudgetOptions>, ...steps: readonly ScriptedStep[]) => {
  const clock = fakeClock(dayMs * 20_000 + 1_000);
  const scripted = scriptedProvider({ steps });
  const provider = withBudget(scripted, { windowMs: dayMs, now: clock.now, ...options });
  return { clock, scripted, provider };
};

test('refuses once what was used has reached the budget, until the window ends', async () => {
  // 1,000 of input and 250 of output are 5,000 micros.
  const step = answering(used(1_000, 250));
  const { clock, scripted, provider } = budgeted({ micros: 10_000, costs }, step, step, step);
  expect([await ask(provider), await ask(provider)]).toEqual(['answered', 'answered']);
  expect(await ask(provider)).toEqual(['rate_limited', dayMs - 1_000]);
  await clock.advance(dayMs - 1_001);
  expect(await ask(provider)).toEqual(['rate_limited', 1]);
  await clock.advance(1);
  expect(await ask(provider)).toBe('answered');
  expect(scripted.calls).toHaveLength(3);
});

test('counts units beside money', async () => {
  const step = answering(used(40, 1));
  const { provider } = budgeted({ units: { input_text_tokens: 100 } }, step, step, step);
  for (const expected of ['answered', 'answered', 'answered']) expect(await ask(provider)).toBe(expected);
  expect(await ask(provider)).toEqual(['rate_limited', dayMs - 1_000]);
});

test('counts what a stream used, and what a lost answer used at the least', async () => {
  const lost = { kind: 'unknown', usageAtLeast: used(1_000, 0) } as const;
  const { provider } = budgeted({ units: { input_text_tokens: 2_000 } }, lost, answering(used(1_000, 0)));
  expect(await ask(provider)).toBe('unknown');
  await provider.generateStream?.(call, context, () => {});
  expect(await ask(provider)).toEqual(['rate_limited', dayMs - 1_000]);
});

test('counts nothing for what did not run', async () => {
  const dead = { kind: 'not_executed', reason: 'unavailable' } as const;
  const { provider } = budgeted({ units: { input_text_tokens: 1 } }, dead, dead);
  await ask(provider);
  expect(await ask(provider)).toEqual(['unavailable', undefined]);
});

test('lets calls go beyond the budget that began before it was reached, and counts them', async () => {
  const gate = Promise.withResolvers<void>();
  const step: ScriptedStep = { kind: 'wait', until: gate.promise, next: answering(used(60, 0)) };
  const counts = memoryBudgetCounts();
  const { clock, provider } = budgeted({ units: { input_text_tokens: 100 }, counts }, step, step, step);
  const asked = [ask(provider), ask(provider), ask(provider)];
  gate.resolve();
  expect(await Promise.all(asked)).toEqual(['answered', 'answered', 'answered']);
  const fromMs = Math.floor(clock.now() / dayMs) * dayMs;
  const count = await counts.read({ budget: 'scripted', fromMs, untilMs: fromMs + dayMs });
  expect(count.units.input_text_tokens).toBe(180);
});

test('sends a fallback on to the next provider', async () => {
  const { provider } = budgeted({ units: { input_text_tokens: 1 } }, answering(used(5, 0)));
  const both = withFallback([provider, scriptedProvider({ name: 'reserve' })]);
  expect([await ask(both), await ask(both)]).toEqual(['answered', 'answered']);
  expect(await ask(provider)).toEqual(['rate_limited', dayMs - 1_000]);
});

test('shares its counts with another process', async () => {
  const counts = memoryBudgetCounts();
  const options = { units: { input_text_tokens: 100 }, counts, name: 'shared' };
  const first = budgeted(options, answering(used(100, 0)));
  const second = budgeted(options, answering(used(1, 0)));
  await ask(first.provider);
  expect(await ask(second.provider)).toEqual(['rate_limited', dayMs - 1_000]);
});

const down = (): Promise<never> => Promise.reject(new Error('down'));

test('refuses where the counts cannot be read, and adds later what could not be added', async () => {
  const kept = memoryBudgetCounts();
  let isDown = false;
  const counts: BudgetCounts = {
    read: (window) => (isDown ? down() : kept.read(window)),
    add: (window, count) => (isDown ? down() : kept.add(window, count)),
  };
  const gate = Promise.withResolvers<void>();
  const step: ScriptedStep = { kind: 'wait', until: gate.promise, next: answering(used(100, 0)) };
  const { scripted, provider } = budgeted({ units: { input_text_tokens: 100 }, counts }, step);
  const asked = ask(provider);
  await scripted.received(1);
  isDown = true;
  gate.resolve();
  expect(await asked).toBe('answered');
  expect(await ask(provider)).toEqual(['unavailable', undefined]);
  isDown = false;
  expect(await ask(provider)).toEqual(['rate_limited', dayMs - 1_000]);
});

test('counts a job once, when it is done', async () => {
  const { clock, scripted, provider } = budgeted({ units: { video_seconds: 16 } });
  const video = { operationId: 'o', upstreamModel: 'model', prompt: 'p', durationSeconds: 8 } as const;
  const started = await provider.videos?.start(video, context);
  scripted.scriptPolls({ kind: 'answer', jobProgress: { kind: 'running', afterMs: 1 } });
  await provider.videos?.poll(started?.job ?? '', context);
  expect(await ask(provider)).toBe('answered');
  await provider.videos?.poll(started?.job ?? '', context);
  const second = await provider.videos?.start(video, context);
  await provider.videos?.poll(second?.job ?? '', context);
  await expect(provider.videos?.start(video, context)).rejects.toMatchObject({ reason: 'rate_limited' });
  expect(clock.waiting()).toBe(0);
});

const micros = (unit: Usage['unit'], quantity: number, model = 'model'): number =>
  countOf([{ unit, quantity, confirmed: true }], costs, model).micros;

test('costs a unit as the coarser one where it has no cost of its own, and another model as the others', () => {
  expect(micros('cached_input_tokens', 4)).toBe(10);
  expect(micros('input_image_tokens', 4)).toBe(10);
  expect(micros('cached_image_tokens', 4)).toBe(10);
  expect(micros('thought_tokens', 3)).toBe(30);
  expect(micros('images', 3)).toBe(0);
  expect(micros('input_text_tokens', 4, 'other')).toBe(4);
  expect(micros('output_text_tokens', 4, 'other')).toBe(0);
  expect(micros('input_text_tokens', Number.NaN)).toBe(0);
});

test('refuses a budget that cannot be meant', () => {
  const provider = scriptedProvider();
  for (const options of [
    { windowMs: dayMs },
    { windowMs: dayMs, micros: 5 },
    { windowMs: 1, units: { images: 3 } },
    { windowMs: dayMs, units: { image: 3 } },
    { windowMs: dayMs, micros: 5, costs: { model: { images: -1 } } },
  ])
    expect(() => withBudget(provider, options)).toThrow(/withBudget/);
});
