import assert from 'node:assert/strict';
import { jsonOf, requestIdOf, type Answer } from './answer.ts';
import { ask, namedEvents, type WireCase } from './dialect-wires.ts';
import { text } from './generate-stream-reading.ts';

const codeOf = (answer: Answer): unknown => jsonOf(JSON.parse(answer.text)).at('error', 'code').value;

export const failsBeforeFirstEvent: WireCase = async (world, wire) => {
  world.provider.script({ kind: 'not_executed', reason: 'failed' }, { kind: 'unknown' });
  for (const status of ['failed', 'uncertain']) {
    const answer = await ask(world, wire, wire.saying('Hello', { stream: true }));
    assert.equal(answer.status, wire.name === 'messages' ? 500 : 502);
    assert.equal(codeOf(answer), 'request_failed');
    assert.equal(answer.headers.get('x-should-retry'), 'false');
    assert.equal((await world.record(requestIdOf(answer))).at('status').value, status);
  }
};

export const failsAfterFirstEvent: WireCase = async (world, wire) => {
  const pieces = [text('Half')];
  world.provider.script({ kind: 'not_executed', reason: 'unavailable', pieces }, { kind: 'unknown', pieces });
  for (let turn = 0; turn < 2; turn += 1) {
    const answer = await ask(world, wire, wire.saying('Hello', { stream: true }));
    assert.equal(answer.status, 200);
    const events = namedEvents(answer.text);
    assert.equal(wire.streamedText(events), 'Half');
    const last = events.at(-1) ?? assert.fail();
    assert.equal(wire.failureIn(last), 'request_failed');
    assert.ok(answer.text.includes(requestIdOf(answer)));
    assert.ok(!/message_stop|message_delta|response\.completed/.test(answer.text), answer.text);
    assert.equal((await world.record(requestIdOf(answer))).at('status').value, 'uncertain');
  }
};

export const completesDebitLater: WireCase = async (world, wire) => {
  const usage = [{ unit: 'output_text_tokens', quantity: 10_000_000, confirmed: true }] as const;
  world.provider.script({ kind: 'answer', pieces: [text('Much')], generation: { usage } });
  const body = wire.saying('Hello', { stream: true });
  const headers = { 'idempotency-key': 'much' };
  const answer = await ask(world, wire, body, { headers });
  assert.equal(wire.failureIn(namedEvents(answer.text).at(-1) ?? assert.fail()), 'settlement_pending');
  await world.wallet.deposit(world.accountId, 100_000_000_000n);
  world.time.advance(120_000);
  await world.runJobs();
  const replay = await ask(world, wire, body, { headers });
  assert.equal(wire.streamedText(namedEvents(replay.text)), 'Much');
};

export const refusesCallers: WireCase = async (world, wire) => {
  const accountId = await world.createAccount(0n);
  const projectId = await world.createProject(accountId);
  const { key } = await world.createCaller({ projectId, model: null });
  const unpaid = await ask(world, wire, wire.saying('Hello'), { key });
  assert.deepEqual([unpaid.status, codeOf(unpaid)], [402, 'ai_insufficient_credits']);
  const unknown = await ask(world, wire, wire.saying('Hello'), { key: null });
  assert.deepEqual([unknown.status, codeOf(unknown)], [401, 'invalid_api_key']);
  const headers = { 'idempotency-key': 'taken' };
  await ask(world, wire, wire.saying('Hello'), { headers });
  const other = await ask(world, wire, wire.saying('Goodbye'), { headers });
  assert.deepEqual([other.status, codeOf(other)], [409, 'ai_idempotency_conflict']);
  assert.equal(other.headers.get('x-should-retry'), 'false');
  assert.equal(world.provider.calls.length, 1);
};
