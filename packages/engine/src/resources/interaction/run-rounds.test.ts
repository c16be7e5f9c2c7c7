import { Readable } from 'node:stream';
import type { FunctionCallPart, Generation, InteractionTool } from '@tollgate/provider';
import type { ScriptedStep } from '@tollgate/testing/fakes';
import { expect, test } from 'vitest';
import { addingRunner } from '../../../test/adding-runner.ts';
import { createInteractionWorld, said, tokens, type InteractionWorld } from '../../../test/interaction-world.ts';
import { defaultInteractionLimits } from './interaction-limits.ts';
import { cancelResource } from '../cancel-resource.ts';
import { deleteResource } from '../delete-resource.ts';
import { storePendingBlob } from '../../operations/pending-blobs.ts';
import type { ToolRunner } from '../../tools/tool-runner.ts';
import { workersOf } from '../../../test/process-parts.ts';

const code: readonly InteractionTool[] = [{ kind: 'code_execution' }];
const weather: InteractionTool = { kind: 'function', name: 'get_weather' };
/** The model runs no code by itself here. */
const bare = { row: { capabilities: ['chat', 'functions'] } };

const call = (id: string, name: string, args: object): FunctionCallPart => ({
  kind: 'function_call',
  id,
  name,
  arguments: JSON.stringify(args),
});

const answer = (generation: Partial<Generation>): ScriptedStep => ({
  kind: 'answer',
  generation: { usage: tokens(10), ...generation },
});

const calls = (...functionCalls: FunctionCallPart[]): ScriptedStep => answer({ text: '', functionCalls });

const adding = () => {
  const { runner, runs } = addingRunner();
  return { runners: { code_execution: runner }, runs, runner };
};

test('answers in one model round, and charges what it measured [interactions:output:steps]', async () => {
  const { open, work, state, result, find, provider } = await createInteractionWorld();
  provider.script(answer({ text: 'Hi.' }));
  const id = await open();
  await work();
  expect(await state(id)).toBe('completed');
  expect((await result(id)).steps).toEqual([{ type: 'model_output', content: [{ type: 'text', text: 'Hi.' }] }]);
  expect((await find(id)).operation).toMatchObject({ chargedMicros: 10n, holdMicros: 0n });
  expect(provider.calls[0]?.call.contents).toEqual([{ role: 'user', parts: [{ kind: 'text', text: 'Hello' }] }]);
});

test('runs the tools that the provider does not run, each once, and tells the model what came of them', async () => {
  const { runners, runs } = adding();
  const { open, work, state, result, find, provider } = await createInteractionWorld({ ...bare, runners });
  provider.script(calls(call('c1', 'add', { a: 1, b: 2 }), call('c2', 'add', { a: 'x' })), answer({ text: 'Three.' }));
  const id = await open({ tools: code });
  await work();
  expect(await state(id)).toBe('completed');
  expect(runs()).toBe(2);
  expect((await result(id)).steps).toEqual([
    { type: 'code_execution_call', id: 'c1', arguments: { language: 'python', code: 'print(1 + 2)' } },
    { type: 'code_execution_call', id: 'c2', arguments: { language: 'python', code: 'print(x + undefined)' } },
    { type: 'code_execution_result', call_id: 'c1', result: '3' },
    { type: 'code_execution_result', call_id: 'c2', result: 'no numbers', is_error: true },
    { type: 'model_output', content: [{ type: 'text', text: 'Three.' }] },
  ]);
  // Two model rounds of 10 tokens and two runs of 100.
  expect((await find(id)).operation.chargedMicros).toBe(220n);
  expect(provider.calls[1]?.call.contents.slice(1)).toEqual([
    {
      role: 'model',
      parts: [call('c1', 'add', { a: 1, b: 2 }), call('c2', 'add', { a: 'x' })],
    },
    {
      role: 'user',
      parts: [
        { kind: 'function_response', id: 'c1', name: 'add', response: '3' },
        { kind: 'function_response', id: 'c2', name: 'add', response: '{"error":"no numbers"}' },
      ],
    },
  ]);
});

test('refuses a tool without a runner', async () => {
  const { ask } = await createInteractionWorld();
  expect(await ask({ tools: [{ kind: 'web_search' }] })).toBe('model_incompatible');
  expect(await ask({ tools: code })).toMatch(/^0{8}/);
});

test('settles and waits when the model calls a function of the client [interactions:requires-action:entered]', async () => {
  const { open, work, state, result, find, provider } = await createInteractionWorld();
  provider.script(calls(call('c1', 'get_weather', { city: 'Lisbon' })));
  const id = await open({ tools: [weather] });
  await work();
  expect(await state(id)).toBe('requires_action');
  expect((await result(id)).steps).toEqual([
    { type: 'function_call', id: 'c1', name: 'get_weather', arguments: { city: 'Lisbon' } },
  ]);
  expect((await find(id)).operation).toMatchObject({ state: 'completed', chargedMicros: 10n });
});

const degrees = { kind: 'function_result', callId: 'c1', result: { degrees: 20 } } as const;

test('goes on from the result of a function in an interaction of its own [interactions:requires-action:continuation] [interactions:requires-action:unchanged]', async () => {
  const { open, work, state, result, provider } = await createInteractionWorld();
  provider.script(calls({ ...call('c1', 'get_weather', {}), context: 'sealed' }), answer({ text: 'Mild.' }));
  const first = await open({ tools: [weather], input: [said('Weather?')] });
  await work();
  const second = await open({ previousId: first, input: [degrees] });
  await work();
  expect(await state(first)).toBe('requires_action');
  expect(await state(second)).toBe('completed');
  expect((await result(second)).steps).toEqual([{ type: 'model_output', content: [{ type: 'text', text: 'Mild.' }] }]);
  expect(provider.calls[1]?.call).toMatchObject({
    tools: [],
    contents: [
      { role: 'user', parts: [{ kind: 'text', text: 'Weather?' }] },
      { role: 'model', parts: [{ id: 'c1', name: 'get_weather', context: 'sealed' }] },
      { role: 'user', parts: [{ id: 'c1', name: 'get_weather', response: '{"degrees":20}' }] },
    ],
  });
});

test('refuses the result of a call that does not wait [interactions:function-result:pending-call]', async () => {
  const { open, ask, work, provider } = await createInteractionWorld();
  provider.script(calls(call('c1', 'get_weather', {})));
  const first = await open({ tools: [weather] });
  await work();
  expect(await ask({ previousId: first, input: [{ ...degrees, callId: 'c2' }] })).toBe('invalid_request');
  expect(await ask({ previousId: first, input: [{ ...degrees, name: 'other' }] })).toBe('invalid_request');
  const answered = await open({ previousId: first, input: [degrees] });
  await work();
  expect(await ask({ previousId: answered, input: [degrees] })).toBe('invalid_request');
});

test('tells the model that a call was not carried out where the client goes on without its result', async () => {
  const { open, work, provider } = await createInteractionWorld();
  provider.script(calls(call('c1', 'get_weather', {})));
  const first = await open({ tools: [weather] });
  await work();
  await open({ previousId: first, input: [said('Never mind.')] });
  await work();
  expect(provider.calls[1]?.call.contents.at(-1)).toEqual({
    role: 'user',
    parts: [
      {
        kind: 'function_response',
        id: 'c1',
        name: 'get_weather',
        response: '{"error":"The call was not carried out."}',
      },
      { kind: 'text', text: 'Never mind.' },
    ],
  });
});

test('continues only what has ended and is still there [interactions:previous:state] [interactions:body:previous-state]', async () => {
  const { open, ask, work, provider, world } = await createInteractionWorld();
  provider.script({ kind: 'not_executed', reason: 'failed' });
  expect(await ask({ previousId: '99999999-9999-4999-8999-999999999999' })).toBe('not_found');
  const failed = await open();
  expect(await ask({ previousId: failed })).toBe('request_in_progress');
  await work();
  // Nothing is in progress any more that a client could wait for.
  expect(await ask({ previousId: failed })).toBe('previous_request_failed');
  await deleteResource(world.engine, world.projectId, { kind: 'interaction', id: failed });
  expect(await ask({ previousId: failed })).toBe('not_found');
  provider.script({ kind: 'unknown' });
  const uncertain = await open();
  await work();
  expect(await ask({ previousId: uncertain })).toBe('settlement_pending');
  const done = await open();
  await work();
  await deleteResource(world.engine, world.projectId, { kind: 'interaction', id: done });
  expect(await ask({ previousId: done })).toBe('not_found');
});

test('keeps what it is continued from until it has ended', async () => {
  const { open, work, world } = await createInteractionWorld();
  const first = await open();
  await work();
  await open({ previousId: first });
  const name = { kind: 'interaction', id: first } as const;
  expect(await deleteResource(world.engine, world.projectId, name)).toEqual({ kind: 'in_use' });
  await work();
  expect(await deleteResource(world.engine, world.projectId, name)).toMatchObject({ kind: 'deleted' });
});

test('fails without a charge where the first model round was not executed', async () => {
  const { open, work, find, provider } = await createInteractionWorld();
  provider.script({ kind: 'not_executed', reason: 'invalid_request' });
  const id = await open();
  await work();
  expect((await find(id)).operation).toMatchObject({ state: 'failed', chargedMicros: 0n, holdMicros: 0n });
});

test('asks a busy model again, and ends incomplete with what was paid for before', async () => {
  const { runners } = adding();
  const { open, work, state, result, find, provider, world } = await createInteractionWorld({ ...bare, runners });
  provider.script(
    calls(call('c1', 'add', { a: 1, b: 2 })),
    { kind: 'not_executed', reason: 'rate_limited', retryAfterMs: 5_000 },
    { kind: 'not_executed', reason: 'failed' },
  );
  const id = await open({ tools: code });
  await work();
  expect(await state(id)).toBe('processing');
  await world.clock.advance(5_000);
  await work();
  expect(await state(id)).toBe('completed');
  expect(await result(id)).toMatchObject({ status: 'incomplete' });
  expect((await find(id)).operation.chargedMicros).toBe(110n);
});

test('is uncertain where the outcome of a model round is unknown, or was not measured', async () => {
  const { open, work, state, provider } = await createInteractionWorld();
  provider.script({ kind: 'unknown' }, answer({ usage: [] }));
  const lost = await open();
  await work();
  const unmeasured = await open();
  await work();
  expect([await state(lost), await state(unmeasured)]).toEqual(['uncertain', 'uncertain']);
});

test('stops when the reservation does not cover the next model round', async () => {
  const { runners, runs } = adding();
  const limits = { modelRoundsHeld: 2, roundOutputTokensMax: 100, toolCallsHeld: 1 };
  const { open, work, result, find, provider } = await createInteractionWorld({ ...bare, runners, limits });
  const round = answer({ text: '', functionCalls: [call('c1', 'add', { a: 1, b: 2 })], usage: tokens(300) });
  provider.script(round, round, round, round);
  const id = await open({ tools: code });
  await work();
  const { operation } = await find(id);
  expect(operation).toMatchObject({ state: 'completed', chargedMicros: 400n });
  expect(await result(id)).toMatchObject({ status: 'incomplete' });
  expect([provider.calls.length, runs()]).toEqual([1, 1]);
});

test('begins no call of a tool that the reservation does not cover, and tells the model', async () => {
  const { runners, runs } = adding();
  const limits = { modelRoundsHeld: 1, roundOutputTokensMax: 100, toolCallsHeld: 2 };
  const { open, work, result, find, provider } = await createInteractionWorld({ ...bare, runners, limits });
  const many = ['c1', 'c2', 'c3', 'c4'].map((id) => call(id, 'add', { a: 1, b: 2 }));
  provider.script(answer({ text: '', functionCalls: many, usage: tokens(150) }));
  const id = await open({ tools: code });
  await work();
  const { operation } = await find(id);
  expect(operation).toMatchObject({ state: 'completed', chargedMicros: 350n });
  expect(runs()).toBe(2);
  const told = (await result(id)).steps.flatMap((step) => (step['call_id'] === undefined ? [] : [step['result']]));
  const refused = 'The interaction may not call more tools.';
  expect(told).toEqual(['3', '3', refused, refused]);
});

test('asks a model no more often than it may', async () => {
  const { runners } = adding();
  const { open, work, result, provider } = await createInteractionWorld({
    ...bare,
    runners,
    limits: { modelRoundsMax: 3 },
  });
  const round = calls(call('c1', 'add', { a: 1, b: 2 }));
  provider.script(round, round, round, round);
  const id = await open({ tools: code });
  await work();
  expect(provider.calls.length).toBe(3);
  expect(await result(id)).toMatchObject({ status: 'incomplete' });
  // Calls of the same id in several model rounds are distinguished.
  expect((await result(id)).steps.map((step) => step['id'] ?? step['call_id'])).toEqual([
    'c1',
    'c1',
    'c1_2',
    'c1_2',
    'c1_3',
    'c1_3',
  ]);
});

test.each([{ stepsBytesMax: 40 }, { workMs: 1 }, { stepsMax: 2 }])(
  'ends incomplete at any one of its bounds: %j',
  async (limits) => {
    const { runner } = adding();
    const setting: InteractionWorld = await createInteractionWorld({
      ...bare,
      runners: {
        code_execution: {
          ...runner,
          run: async (...args) => {
            await setting.world.clock.advance(1_000);
            return runner.run?.(...args) ?? { result: '', usage: [] };
          },
        },
      },
      limits,
    });
    const { provider, open, work, result } = setting;
    const round = calls(call('c1', 'add', { a: 1, b: 2 }));
    provider.script(round, round, round);
    const id = await open({ tools: code });
    await work();
    expect(provider.calls.length).toBe(1);
    expect(await result(id)).toMatchObject({ status: 'incomplete' });
  },
);

test('asks a model no further once a round was measured in part', async () => {
  const { runners } = adding();
  const { open, work, state, provider } = await createInteractionWorld({ ...bare, runners });
  const usage = [...tokens(10), { unit: 'output_text_tokens', quantity: 5, confirmed: false } as const];
  const functionCalls = [call('c1', 'add', { a: 1, b: 2 })];
  provider.script(answer({ text: '', functionCalls, usage }), answer({ text: 'Done.' }));
  const id = await open({ tools: code });
  await work();
  expect(provider.calls.length).toBe(1);
  expect(await state(id)).toBe('uncertain');
});

test('stops between two model rounds when the client cancels, and charges what was consumed', async () => {
  const { runner, runners } = adding();
  const entered = Promise.withResolvers<void>();
  const go = Promise.withResolvers<void>();
  const slow: ToolRunner<'code_execution'> = {
    ...runner,
    run: async (...args) => {
      entered.resolve();
      await go.promise;
      return runner.run?.(...args) ?? { result: '', usage: [] };
    },
  };
  const { open, begin, state, result, find, provider, world } = await createInteractionWorld({
    ...bare,
    runners: { ...runners, code_execution: slow },
  });
  provider.script(calls(call('c1', 'add', { a: 1, b: 2 }), call('c2', 'add', { a: 1, b: 2 })));
  const id = await open({ tools: code });
  await begin();
  await entered.promise;
  await cancelResource(world.engine, world.projectId, 'interaction', id);
  expect(await state(id)).toBe('cancelling');
  go.resolve();
  await workersOf(world.engine).idle();
  const { operation } = await find(id);
  expect(operation).toMatchObject({ state: 'completed', chargedMicros: 110n });
  expect(await result(id)).toMatchObject({
    status: 'cancelled',
    steps: [
      { type: 'code_execution_call' },
      { type: 'code_execution_call' },
      { call_id: 'c1', result: '3' },
      { call_id: 'c2', result: 'cancelled', is_error: true },
    ],
  });
});

test('a tool that fails or hangs is reported to the model, and costs what one call can', async () => {
  const { runner } = adding();
  const never: ToolRunner<'code_execution'> = { ...runner, run: () => new Promise(() => {}) };
  const { open, begin, find, provider, world } = await createInteractionWorld({
    ...bare,
    runners: { code_execution: never },
  });
  provider.script(calls(call('c1', 'add', {})), answer({ text: 'Sorry.' }));
  const id = await open({ tools: code });
  await begin();
  await provider.received(1);
  while ((await find(id)).operation.state !== 'completed') await world.clock.advance(60_000);
  expect((await find(id)).operation.chargedMicros).toBe(120n);
  expect(provider.calls[1]?.call.contents.at(-1)?.parts).toEqual([
    { kind: 'function_response', id: 'c1', name: 'add', response: '{"error":"The tool failed."}' },
  ]);
});

test('a call that had not begun when its time was over costs what the tool reports', async () => {
  const { runner } = adding();
  const waiting: ToolRunner<'code_execution'> = {
    ...runner,
    run: (_, __, { signal }) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => resolve({ result: 'nothing was run', isError: true, usage: [] }));
      }),
  };
  const { open, begin, find, result, provider, world } = await createInteractionWorld({
    ...bare,
    runners: { code_execution: waiting },
  });
  provider.script(calls(call('c1', 'add', {})), answer({ text: 'Sorry.' }));
  const id = await open({ tools: code });
  await begin();
  await provider.received(1);
  while ((await find(id)).operation.state !== 'completed') await world.clock.advance(60_000);
  // Two model rounds of ten tokens, and no run.
  expect((await find(id)).operation.chargedMicros).toBe(20n);
  expect((await result(id)).steps).toContainEqual(expect.objectContaining({ result: 'nothing was run' }));
});

const takeOver = async (setting: InteractionWorld) => {
  const other = setting.world.another();
  setting.register(other);
  await setting.world.clock.advance(setting.world.engine.limits.leaseMs + 1);
  await setting.work(other);
};

test('reports an unknown outcome where a model round was submitted and nothing else is recorded', async () => {
  const setting = await createInteractionWorld();
  setting.provider.script({ kind: 'never' });
  const id = await setting.open();
  await setting.begin();
  await setting.provider.received(1);
  await takeOver(setting);
  expect(await setting.state(id)).toBe('uncertain');
  expect(setting.provider.calls.length).toBe(1);
});

test.each([
  [true, 2, '3', 120n],
  [false, 1, 'The call was interrupted.', 120n],
])('a tool that died in the middle is repeated only where it may be (%s)', async (isRepeatable, times, told, cost) => {
  const { runner, runs } = adding();
  const entered = Promise.withResolvers<void>();
  let first = true;
  const dying: ToolRunner<'code_execution'> = {
    ...runner,
    isRepeatable,
    run: (...args) => {
      const outcome = runner.run?.(...args) ?? Promise.resolve({ result: '', usage: [] });
      if (!first) return outcome;
      first = false;
      entered.resolve();
      return new Promise(() => {});
    },
  };
  const setting = await createInteractionWorld({ ...bare, runners: { code_execution: dying } });
  setting.provider.script(calls(call('c1', 'add', { a: 1, b: 2 })), answer({ text: 'Done.' }));
  const id = await setting.open({ tools: code });
  await setting.begin();
  await entered.promise;
  await takeOver(setting);
  expect(await setting.state(id)).toBe('completed');
  expect(runs()).toBe(times);
  expect((await setting.result(id)).steps).toContainEqual(expect.objectContaining({ call_id: 'c1', result: told }));
  expect((await setting.find(id)).operation.chargedMicros).toBe(cost);
});

test('tells the tools of the client and of the gateway apart by their names', async () => {
  const { runners } = adding();
  const { open, work, result, provider } = await createInteractionWorld({ ...bare, runners });
  provider.script(calls(call('c1', 'add', {}), call('c2', 'add_2', { a: 1, b: 1 })));
  const id = await open({ tools: [{ kind: 'function', name: 'add' }, ...code] });
  await work();
  expect((await result(id)).steps).toEqual([
    { type: 'function_call', id: 'c1', name: 'add', arguments: {} },
    { type: 'code_execution_call', id: 'c2', arguments: { language: 'python', code: 'print(1 + 1)' } },
    { type: 'code_execution_result', call_id: 'c2', result: '2' },
  ]);
});

test('a tool that the client carries out becomes a function call of the client', async () => {
  const screen: ToolRunner<'computer_use'> = {
    tool: 'computer_use',
    isRepeatable: true,
    callUsageMax: [],
    declare: () => Promise.resolve([{ name: 'click_at' }]),
  };
  const { open, work, state, result, provider } = await createInteractionWorld({ runners: { computer_use: screen } });
  provider.script(calls(call('c1', 'click_at', { x: 1 })));
  const id = await open({ tools: [{ kind: 'computer_use', environment: 'browser' }] });
  await work();
  expect(await state(id)).toBe('requires_action');
  expect((await result(id)).steps).toEqual([
    { type: 'function_call', id: 'c1', name: 'click_at', arguments: { x: 1 } },
  ]);
});

test('keeps the media that came with its request for the request that continues it', async () => {
  const { open, work, state, world, provider } = await createInteractionWorld();
  const blobKey = 'sent/picture';
  const bytes = Buffer.from('a picture');
  await storePendingBlob(world.engine, blobKey, Readable.from([bytes]));
  const media = { kind: 'blob', mimeType: 'image/png', sizeBytes: bytes.length, blobKey } as const;
  provider.script(answer({ text: 'A cat.' }));
  const id = await open({ input: [{ kind: 'user_input', content: [{ kind: 'given', media }] }] });
  await work();
  expect(await state(id)).toBe('completed');
  await world.clock.advance(2 * defaultInteractionLimits.blobsKeptMs);
  await work();
  expect(await world.storage.blobs.get(blobKey)).toEqual(Uint8Array.from(bytes));
  await world.clock.advance(defaultInteractionLimits.historyKeptMs);
  await work();
  expect(await world.storage.blobs.get(blobKey)).toBeUndefined();
});

test('an interaction that fails without a charge keeps none of the media that came with its request', async () => {
  const { open, work, find, world, provider } = await createInteractionWorld({ limits: { triesMax: 1 } });
  const blobKey = 'sent/picture';
  const bytes = Buffer.from('a picture');
  await storePendingBlob(world.engine, blobKey, Readable.from([bytes]));
  const media = { kind: 'blob', mimeType: 'image/png', sizeBytes: bytes.length, blobKey } as const;
  provider.script({ kind: 'not_executed', reason: 'unavailable' });
  const id = await open({ input: [{ kind: 'user_input', content: [{ kind: 'given', media }] }] });
  expect(await world.storage.blobs.get(blobKey)).toEqual(Uint8Array.from(bytes));
  await work();
  expect((await find(id)).operation).toMatchObject({ state: 'failed', chargedMicros: 0n });
  expect(await world.storage.blobs.get(blobKey)).toBeUndefined();
});
