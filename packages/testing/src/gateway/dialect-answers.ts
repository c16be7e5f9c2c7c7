import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Part } from '@tollgate/provider';
import { jsonOf, okJson, requestIdOf } from './answer.ts';
import { call } from './chat-in-time-reading.ts';
import { ask, namedEvents, type WireCase } from './dialect-wires.ts';
import { text, thought } from './generate-stream-reading.ts';
import { suiteModel } from './suite-tariff.ts';

const state = (context: string): Part => ({ kind: 'text', text: '', thought: true, context });

const [high = '', low = ''] = '😀'.split('');
const code: Part = { kind: 'executable_code', language: 'PYTHON', code: 'print(1)' };
const printed: Part = { kind: 'code_execution_result', outcome: 'ok', output: '1' };

/** What a model writes, piece by piece. */
const sequences: readonly (readonly Part[])[] = [
  [text('One '), text('and '), text('two.')],
  [thought('Hm'), thought(', '), text(''), text('so'), thought(' then'), text(' be it')],
  [thought('Hm'), state('state'), text('so'), { ...call('a'), context: 'other' }],
  [state('alone'), text('so')],
  [call('a'), text('after'), { ...call('b'), arguments: 'no JSON' }],
  [text(high), text(low), text('\u2028')],
  [thought('only thought')],
  [code, printed, text('It is 1.')],
];

export const respondsWhole: WireCase = async (world, wire) => {
  world.provider.script({ kind: 'answer', generation: { text: 'Good day.' } });
  const headers = { 'idempotency-key': 'whole' };
  const answer = await ask(world, wire, wire.saying('Hello'), { headers });
  const body = okJson(answer);
  assert.equal(wire.textOf(body), 'Good day.');
  assert.equal(body.at('model').value, suiteModel);
  assert.equal(wire.inputTokens(body), 10);
  assert.equal(body.at('usage', 'output_tokens').value, 5);
  assert.equal(body.at('service', 'credits').value, 0.02);
  const again = await ask(world, wire, wire.saying('Hello'), { headers });
  assert.equal(again.headers.get('idempotency-replayed'), 'true');
  assert.equal(again.text, answer.text);
  assert.deepEqual((await world.record(requestIdOf(answer))).at('response').value, body.value);
  assert.equal(world.provider.calls.length, 1);
};

export const sendsInTime: WireCase = async (world, wire) => {
  const { promise: until, resolve } = Promise.withResolvers<void>();
  const next = { kind: 'answer', pieces: [text(' day.')] } as const;
  world.provider.script({ kind: 'wait', pieces: [text('Good')], until, next });
  const body = wire.saying('Hello', { stream: true });
  const response = await world.open({ path: wire.path, body, headers: wire.headers });
  assert.ok(response.body !== null);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let stream = '';
  while (!stream.includes('Good')) stream += (await reader.read()).value ?? assert.fail(stream);
  const [operation] = await world.admin.listOperations({ kind: 'project', projectId: world.projectId });
  assert.equal(operation?.state, 'processing');
  resolve();
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) stream += piece.value;
  const events = namedEvents(stream);
  assert.equal(wire.streamedText(events), 'Good day.');
  assert.equal(wire.creditsIn(events), 0.02);
};

export const replaysByEvents: WireCase = async (world, wire) => {
  for (const [at, pieces] of sequences.entries()) {
    world.provider.script({ kind: 'answer', pieces });
    const asked = wire.saying('Hello', { stream: true });
    const headers = { 'idempotency-key': `events-${at}` };
    const first = await ask(world, wire, asked, { headers });
    const again = await ask(world, wire, asked, { headers });
    assert.equal(again.headers.get('idempotency-replayed'), 'true');
    assert.equal(again.text, first.text, `sequence ${at}`);
    assert.ok(namedEvents(first.text).length > 3);
  }
  assert.equal(world.provider.calls.length, sequences.length);
};

export const finishesForOneThatLeaves: WireCase = async (world, wire) => {
  const { promise: until, resolve } = Promise.withResolvers<void>();
  const next = { kind: 'answer', pieces: [text('over.')] } as const;
  world.provider.script({ kind: 'wait', pieces: [text('Left ')], until, next });
  const body = wire.saying('Hello', { stream: true });
  const headers = { 'idempotency-key': 'left' };
  const response = await world.open({ path: wire.path, body, headers: { ...wire.headers, ...headers } });
  await response.body?.cancel();
  resolve();
  const id = response.headers.get('x-request-id') ?? '';
  while ((await world.record(id)).at('status').value !== 'completed') await nextTurn();
  assert.equal((await world.record(id)).at('charged_credits').value, 0.02);
  const replay = await ask(world, wire, body, { headers });
  assert.equal(wire.streamedText(namedEvents(replay.text)), 'Left over.');
  assert.equal(world.provider.calls.length, 1);
};

export const givesBackStates: WireCase = async (world, wire) => {
  const proposed = { ...call('a'), context: 'call-state' };
  const parts = [thought('Hm'), state('thought-state'), text('I look.'), proposed];
  world.provider.script({ kind: 'answer', generation: { text: 'I look.', functionCalls: [proposed], parts } });
  const first = okJson(await ask(world, wire, wire.saying('Hello', { tools: [wire.tool] })));
  assert.ok(!JSON.stringify(first.value).includes('thought-state'));
  assert.ok(wire.sealedIn(first).length > 20);
  const next = { ...wire.answering(first, 'a', 'seen'), tools: [wire.tool] };
  okJson(await ask(world, wire, next));
  const [, said, result] = world.provider.calls.at(-1)?.call.contents ?? [];
  assert.deepEqual(jsonOf(said?.parts).value, [
    { kind: 'text', text: 'Hm', thought: true, context: 'thought-state' },
    { kind: 'text', text: 'I look.' },
    proposed,
  ]);
  assert.deepEqual(jsonOf(result?.parts).value, [
    { kind: 'function_response', id: 'a', name: 'look', response: 'seen' },
  ]);
  const projectId = await world.createProject(world.accountId);
  const { key } = await world.createCaller({ projectId, model: null });
  okJson(await ask(world, wire, next, { key }));
  const foreign = world.provider.calls.at(-1)?.call.contents[1]?.parts ?? [];
  assert.deepEqual(
    foreign.map((part) => [part.kind, 'context' in part ? part.context : undefined]),
    [
      ['text', undefined],
      ['function_call', undefined],
    ],
  );
};

export const reportsEndings: WireCase = async (world, wire) => {
  const endings = {
    messages: ['end_turn', 'max_tokens', 'refusal'],
    responses: ['completed', 'max_output_tokens', 'content_filter'],
  };
  const expected = wire.name === 'messages' ? endings.messages : endings.responses;
  for (const [at, finish] of (['stop', 'length', 'content_filter'] as const).entries()) {
    world.provider.script({ kind: 'answer', generation: { text: 'Half', finish } });
    const body = okJson(await ask(world, wire, wire.saying('Hello')));
    assert.equal(wire.endOf(body), expected[at]);
    assert.equal(wire.textOf(body), finish === 'content_filter' ? '' : 'Half');
  }
};
