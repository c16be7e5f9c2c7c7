import assert from 'node:assert/strict';
import type { CallPiece } from '@tollgate/provider';
import { jsonOf, okJson, requestIdOf } from './answer.ts';
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

/** A stream of which two pieces were sent before its outcome was lost. */
const lose = async (world: GatewayWorld, wire: StreamWire, key: string): Promise<string> => {
  world.provider.script({ kind: 'unknown', pieces: [text('Half '), text('of it')] });
  const answer = await askStream(world, wire, key);
  assert.equal(wire.endOf(answer.text), 'failure', answer.text);
  assert.equal(wire.textIn(answer.text), 'Half of it');
  return requestIdOf(answer);
};

const isKept = async (world: GatewayWorld, wire: StreamWire): Promise<void> => {
  const id = await lose(world, wire, 'kept');
  const record = await world.record(id);
  assert.deepEqual([record.at('status').value, record.at('response').value], ['uncertain', null]);
  const stored = await world.admin.readStoredAnswer(id);
  assert.equal(stored?.partial, true);
  assert.ok(stored.text?.includes('Half of it') === true, stored.text ?? '');
  const again = await askStream(world, wire, 'kept');
  assert.equal(again.status, 409);
  const verdict = await world.admin.resolveOperation(id, { executed: true, amountMicros: 1n });
  assert.equal(verdict.kind, 'resolved');
  const response = JSON.stringify((await world.record(id)).at('response').value);
  assert.ok(
    response.includes('Half of it') && /length|max_tokens|MAX_TOKENS|max_output_tokens/.test(response),
    response,
  );
  const replay = await askStream(world, wire, 'kept');
  assert.equal(wire.endOf(replay.text), 'success', replay.text);
  assert.equal(wire.textIn(replay.text), 'Half of it');
  assert.equal(world.provider.calls.length, 1);
};

const goesWithRelease = async (world: GatewayWorld, wire: StreamWire): Promise<void> => {
  const id = await lose(world, wire, 'released');
  await world.admin.resolveOperation(id, { executed: false });
  const record = await world.record(id);
  assert.deepEqual([record.at('status').value, record.at('response').value], ['failed', null]);
  await world.runJobs();
  assert.equal(await world.admin.readStoredAnswer(id), null);
};

/** A call whose arguments are not complete is kept as far as it was sent. */
const keepsCalls = async (world: GatewayWorld, wire: StreamWire): Promise<void> => {
  const piece: CallPiece = { kind: 'call_piece', id: 'a', name: 'look', arguments: '{"at":"roof' };
  world.provider.script({ kind: 'unknown', pieces: [text('I look.'), piece] });
  const id = requestIdOf(await askStream(world, wire, 'called'));
  const stored = await world.admin.readStoredAnswer(id);
  assert.ok(jsonOf(stored?.text).text().includes('roof'), stored?.text ?? '');
};

const keepsNothing = async (world: GatewayWorld): Promise<void> => {
  world.provider.script({ kind: 'unknown' }, { kind: 'answer', generation: { usage: [] } });
  const lost = requestIdOf(await askStream(world, chatStream, 'lost'));
  assert.equal(await world.admin.readStoredAnswer(lost), null);
  const unmeasured = requestIdOf(await askStream(world, chatStream, 'unmeasured'));
  assert.equal((await world.admin.readStoredAnswer(unmeasured))?.partial, false);
  world.provider.script({ kind: 'answer' });
  const whole = await world.send({ path: '/chat/completions', body: { ...chatStream.body, stream: false } });
  okJson(whole);
  assert.equal((await world.admin.readStoredAnswer(requestIdOf(whole)))?.partial, false);
  assert.equal(await world.admin.readStoredAnswer('nothing'), null);
};

/** What a client was sent of an answer whose outcome is lost. */
export const sentSoFarCases: readonly GatewayCase[] = [
  gatewayCase(
    'chat: keeps what was sent of a stream whose outcome is lost, for the operator, and for the client once it is charged',
    (world) => isKept(world, chatStream),
    chatStream.settings,
  ),
  gatewayCase(
    'messages: keeps what was sent of a stream whose outcome is lost, for the operator, and for the client once it is charged',
    (world) => isKept(world, messagesStream),
    messagesStream.settings,
  ),
  gatewayCase(
    'responses: keeps what was sent of a stream whose outcome is lost, for the operator, and for the client once it is charged',
    (world) => isKept(world, responsesStream),
    responsesStream.settings,
  ),
  gatewayCase(
    'completions: keeps what was sent of a stream whose outcome is lost, for the operator, and for the client once it is charged',
    (world) => isKept(world, completionsStream),
    completionsStream.settings,
  ),
  gatewayCase(
    'generate: keeps what was sent of a stream whose outcome is lost, for the operator, and for the client once it is charged',
    (world) => isKept(world, generateStream),
    generateStream.settings,
  ),
  gatewayCase(
    'removes what was sent of a stream that is not charged',
    (world) => goesWithRelease(world, chatStream),
    chatStream.settings,
  ),
  gatewayCase(
    'chat: keeps the arguments of a call as far as they were sent',
    (world) => keepsCalls(world, chatStream),
    chatStream.settings,
  ),
  gatewayCase(
    'messages: keeps the arguments of a call as far as they were sent',
    (world) => keepsCalls(world, messagesStream),
    messagesStream.settings,
  ),
  gatewayCase(
    'responses: keeps the arguments of a call as far as they were sent',
    (world) => keepsCalls(world, responsesStream),
    responsesStream.settings,
  ),
  gatewayCase(
    'marks no answer as partial of which nothing was sent, or that is whole',
    keepsNothing,
    chatStream.settings,
  ),
];
