import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CallPiece, Part } from '@tollgate/provider';
import type { ScriptedStep } from '../fakes.ts';
import { requestIdOf } from './answer.ts';
import { gatewayCase, type GatewayCase } from './gateway-case.ts';
import type { GatewayWorld } from './gateway-world.ts';
import { text } from './generate-stream-reading.ts';
import {
  askStream,
  chatStream,
  completionsStream,
  generateStream,
  messagesStream,
  responsesStream,
  type StreamWire,
} from './stream-wires.ts';

const piece = (added: string): CallPiece => ({ kind: 'call_piece', id: 'a', name: 'look', arguments: added });

/** What a model writes; a wire without calls sends the texts alone. */
const pieces: readonly (Part | CallPiece)[] = [
  text('One '),
  text('and two.'),
  piece(''),
  piece('{"at":'),
  piece('1}'),
  { kind: 'function_call', id: 'a', name: 'look', arguments: '{"at":1}' },
];
const wholeText = 'One and two.';

/** Hands over one piece after another, each when its gate is open. */
const gated = (gates: readonly Promise<void>[]): ScriptedStep =>
  pieces.reduceRight<ScriptedStep>(
    (next, each, at) => ({ kind: 'wait', pieces: [each], until: gates[at] ?? Promise.resolve(), next }),
    { kind: 'answer', pieces: [] },
  );

const eventsIn = (stream: string): number => stream.split('\n\n').length - 1;

/** Reads what comes next. As long as nothing comes, the model writes on. */
const readOpening = async (
  reader: ReadableStreamDefaultReader<string>,
  writeOn: () => void,
): ReturnType<typeof reader.read> => {
  const read = reader.read();
  const isThere = read.then(() => true);
  while (!(await Promise.race([isThere, nextTurn(false)]))) writeOn();
  return read;
};

/** Reads so many events, opening the gates one by one where there are none to read; then leaves. */
const leaveAfter = async (world: GatewayWorld, wire: StreamWire, events: number): Promise<string> => {
  const gates = pieces.map(() => Promise.withResolvers<void>());
  world.provider.script(gated(gates.map(({ promise }) => promise)));
  const headers = { ...wire.headers, 'idempotency-key': `left-${events}` };
  const response = await world.open({ path: wire.path, body: wire.body, headers });
  assert.equal(response.status, 200);
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader() ?? assert.fail();
  let stream = '';
  let opened = 0;
  let ended = false;
  while (eventsIn(stream) < events && !ended) {
    const { done, value } = await readOpening(reader, () => gates[opened++]?.resolve());
    stream += value ?? '';
    ended = done;
  }
  await reader.cancel();
  for (const { resolve } of gates) resolve();
  return response.headers.get('x-request-id') ?? '';
};

/** More events than any wire has for these pieces. */
const eventsMax = 24;

const goneAtEachEvent = async (world: GatewayWorld, wire: StreamWire): Promise<void> => {
  for (let events = 0; events < eventsMax; events += 1) {
    const id = await leaveAfter(world, wire, events);
    while ((await world.record(id)).at('status').value !== 'completed') await nextTurn();
    const record = await world.record(id);
    assert.deepEqual([record.at('charged_credits').value, record.at('reserved_credits').value], [0.02, 0]);
    const replay = await askStream(world, wire, `left-${events}`);
    assert.equal(replay.headers.get('idempotency-replayed'), 'true');
    assert.equal(requestIdOf(replay), id);
    assert.deepEqual([wire.endOf(replay.text), wire.textIn(replay.text)], ['success', wholeText], replay.text);
  }
  assert.equal(world.provider.calls.length, eventsMax);
};

const cutAtEachPiece = async (world: GatewayWorld, wire: StreamWire): Promise<void> => {
  for (let sent = 0; sent <= pieces.length; sent += 1) {
    world.provider.script({ kind: 'unknown', pieces: pieces.slice(0, sent) });
    const answer = await askStream(world, wire, `cut-${sent}`);
    if (sent === 0) assert.ok(answer.status >= 500 && !answer.text.includes('data:'), answer.text);
    else assert.deepEqual([answer.status, wire.endOf(answer.text)], [200, 'failure'], answer.text);
    const id = requestIdOf(answer);
    const record = await world.record(id);
    assert.deepEqual([record.at('status').value, record.at('charged_credits').value], ['uncertain', 0]);
    assert.ok(record.at('reserved_credits').number() > 0);
    assert.equal(await world.admin.readStoredAnswer(id).then((stored) => stored !== null), sent > 0);
    const again = await askStream(world, wire, `cut-${sent}`);
    assert.equal(again.status, 409, again.text);
  }
  assert.equal(world.provider.calls.length, pieces.length + 1);
};

/** Every fault of a stream that happens within a process, at each event of every wire. */
export const streamFaultCases: readonly GatewayCase[] = [
  gatewayCase(
    'chat: charges once, and replays, whichever event a client leaves after',
    (world) => goneAtEachEvent(world, chatStream),
    chatStream.settings,
  ),
  gatewayCase(
    'chat: keeps the hold, and never shows success, whichever piece an upstream is cut after',
    (world) => cutAtEachPiece(world, chatStream),
    chatStream.settings,
  ),
  gatewayCase(
    'messages: charges once, and replays, whichever event a client leaves after',
    (world) => goneAtEachEvent(world, messagesStream),
    messagesStream.settings,
  ),
  gatewayCase(
    'messages: keeps the hold, and never shows success, whichever piece an upstream is cut after',
    (world) => cutAtEachPiece(world, messagesStream),
    messagesStream.settings,
  ),
  gatewayCase(
    'responses: charges once, and replays, whichever event a client leaves after',
    (world) => goneAtEachEvent(world, responsesStream),
    responsesStream.settings,
  ),
  gatewayCase(
    'responses: keeps the hold, and never shows success, whichever piece an upstream is cut after',
    (world) => cutAtEachPiece(world, responsesStream),
    responsesStream.settings,
  ),
  gatewayCase(
    'completions: charges once, and replays, whichever event a client leaves after',
    (world) => goneAtEachEvent(world, completionsStream),
    completionsStream.settings,
  ),
  gatewayCase(
    'completions: keeps the hold, and never shows success, whichever piece an upstream is cut after',
    (world) => cutAtEachPiece(world, completionsStream),
    completionsStream.settings,
  ),
  gatewayCase(
    'generate: charges once, and replays, whichever event a client leaves after',
    (world) => goneAtEachEvent(world, generateStream),
    generateStream.settings,
  ),
  gatewayCase(
    'generate: keeps the hold, and never shows success, whichever piece an upstream is cut after',
    (world) => cutAtEachPiece(world, generateStream),
    generateStream.settings,
  ),
];
