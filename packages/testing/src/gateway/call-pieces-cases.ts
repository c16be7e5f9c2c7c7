import assert from 'node:assert/strict';
import type { CallPiece, FunctionCallPart, Part } from '@tollgate/provider';
import { requestIdOf } from './answer.ts';
import { gatewayCase, type GatewayCase } from './gateway-case.ts';
import type { GatewayWorld } from './gateway-world.ts';
import { text } from './generate-stream-reading.ts';
import { askStream, chatStream, messagesStream, responsesStream, type StreamWire } from './stream-wires.ts';

const piece = (id: string, added: string): CallPiece => ({
  kind: 'call_piece',
  id,
  name: 'look',
  arguments: added,
});
const whole = (id: string, json: string): FunctionCallPart => ({
  kind: 'function_call',
  id,
  name: 'look',
  arguments: json,
  context: `state of ${id}`,
});

type Pieces = readonly (Part | CallPiece)[];

const sendsAsWritten = async (world: GatewayWorld, wire: StreamWire): Promise<void> => {
  const { promise: until, resolve } = Promise.withResolvers<void>();
  const next = { kind: 'answer', pieces: [piece('a', '1}'), whole('a', '{"at":1}')] } as const;
  world.provider.script({ kind: 'wait', pieces: [piece('a', ''), piece('a', '{"at":')], until, next });
  const response = await world.open({ path: wire.path, body: wire.body, headers: wire.headers });
  assert.ok(response.body !== null);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let stream = '';
  while (!stream.includes('at\\":')) stream += (await reader.read()).value ?? assert.fail(stream);
  assert.deepEqual(wire.callsIn(stream), [{ id: 'a', name: 'look', deltas: ['{"at":'] }]);
  resolve();
  for (let read = await reader.read(); !read.done; read = await reader.read()) stream += read.value;
  assert.deepEqual(wire.callsIn(stream), [{ id: 'a', name: 'look', deltas: ['{"at":', '1}'] }]);
  assert.equal(wire.endOf(stream), 'success');
};

/** What a model writes, and the arguments that a client reads. */
const sequences: readonly (readonly [pieces: Pieces, ...calls: readonly string[]])[] = [
  [[text('I look.'), piece('a', ''), piece('a', '{"at"'), piece('a', ':1}'), whole('a', '{"at":1}')], '{"at":1}'],
  [
    [
      piece('a', '{"at"'),
      piece('b', '{"at"'),
      piece('a', ':1}'),
      piece('b', ':2}'),
      whole('a', '{"at":1}'),
      whole('b', '{"at":2}'),
    ],
    '{"at":1}',
    '{"at":2}',
  ],
  [
    [piece('a', '{}'), piece('b', ''), piece('a', '\n'), text('more'), whole('a', '{}\n'), whole('b', '{}'), text('!')],
    '{}',
    '{}',
  ],
  [[piece('a', '{"at":'), whole('a', '{"at":1}'), whole('b', '{"at":2}')], '{"at":1}', '{"at":2}'],
  [[piece('a', '{"at":'), piece('b', '{'), whole('a', '{"at":'), whole('b', '{')], '{"at":', '{'],
];

const replays = async (world: GatewayWorld, wire: StreamWire): Promise<void> => {
  for (const [at, [pieces, ...calls]] of sequences.entries()) {
    world.provider.script({ kind: 'answer', pieces });
    const first = await askStream(world, wire, `pieces-${at}`);
    assert.equal(wire.endOf(first.text), 'success', first.text);
    const read = wire.callsIn(first.text).map(({ deltas }) => deltas.join(''));
    assert.deepEqual(read, calls, `sequence ${at}`);
    const again = await askStream(world, wire, `pieces-${at}`);
    assert.equal(again.headers.get('idempotency-replayed'), 'true');
    assert.equal(again.text, first.text, `sequence ${at}`);
  }
  assert.equal(world.provider.calls.length, sequences.length);
};

const refusesOthers = async (world: GatewayWorld, wire: StreamWire): Promise<void> => {
  const begun = [piece('a', '{"at":')];
  for (const [at, ended] of [[whole('a', '{"to":1}')], [text('no call')]].entries()) {
    world.provider.script({ kind: 'answer', pieces: [...begun, ...ended] });
    const first = await askStream(world, wire, `other-${at}`);
    assert.equal(wire.endOf(first.text), 'failure', first.text);
    assert.equal((await world.record(requestIdOf(first))).at('status').value, 'completed');
    const again = await askStream(world, wire, `other-${at}`);
    assert.equal(wire.endOf(again.text), 'success', again.text);
    assert.ok(!again.text.includes('at\\":'), again.text);
  }
  world.provider.script({ kind: 'not_executed', reason: 'unavailable', pieces: begun });
  const cut = await askStream(world, wire, 'cut');
  assert.equal(wire.endOf(cut.text), 'failure', cut.text);
  assert.equal((await world.record(requestIdOf(cut))).at('status').value, 'uncertain');
};

/** Calls whose arguments are sent while the model writes them. Each title stands in the source, where the requirements are read. */
export const callPiecesCases: readonly GatewayCase[] = [
  gatewayCase(
    'chat: sends the arguments of a call while the model writes them',
    (world) => sendsAsWritten(world, chatStream),
    chatStream.settings,
  ),
  gatewayCase(
    'chat: brings calls that alternate in order, and replays the pieces of calls byte for byte',
    (world) => replays(world, chatStream),
    chatStream.settings,
  ),
  gatewayCase(
    'chat: ends a stream with an error where a call is not what its pieces were, and replays what the model wrote',
    (world) => refusesOthers(world, chatStream),
    chatStream.settings,
  ),
  gatewayCase(
    'messages: sends the arguments of a call while the model writes them',
    (world) => sendsAsWritten(world, messagesStream),
    messagesStream.settings,
  ),
  gatewayCase(
    'messages: brings calls that alternate in order, and replays the pieces of calls byte for byte',
    (world) => replays(world, messagesStream),
    messagesStream.settings,
  ),
  gatewayCase(
    'messages: ends a stream with an error where a call is not what its pieces were, and replays what the model wrote',
    (world) => refusesOthers(world, messagesStream),
    messagesStream.settings,
  ),
  gatewayCase(
    'responses: sends the arguments of a call while the model writes them',
    (world) => sendsAsWritten(world, responsesStream),
    responsesStream.settings,
  ),
  gatewayCase(
    'responses: brings calls that alternate in order, and replays the pieces of calls byte for byte',
    (world) => replays(world, responsesStream),
    responsesStream.settings,
  ),
  gatewayCase(
    'responses: ends a stream with an error where a call is not what its pieces were, and replays what the model wrote',
    (world) => refusesOthers(world, responsesStream),
    responsesStream.settings,
  ),
];
