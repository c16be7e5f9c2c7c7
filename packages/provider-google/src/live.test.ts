import type { JsonObject, LiveCall, LiveEvent } from '@tollgate/provider';
import { sampleCaller, startFakeGeminiLive, type FakeGeminiLive } from '@tollgate/testing/fakes';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { googleProvider } from './google-provider.ts';

let fake: FakeGeminiLive;
beforeEach(async () => {
  fake = await startFakeGeminiLive();
});
afterEach(() => fake.close());

const attempts: unknown[] = [];
const context = () => ({
  caller: sampleCaller,
  signal: new AbortController().signal,
  recordAttempt: (attempt: unknown) => void attempts.push(attempt),
});

const connect = async (config: JsonObject = {}, kind: LiveCall['kind'] = 'live') => {
  const { live } = googleProvider({ apiKey: 'key', baseUrl: fake.url });
  const call: LiveCall = { operationId: 'operation', upstreamModel: 'gemini-live', kind, config };
  const upstream = await live.connect(call, context());
  const events: LiveEvent[] = [];
  const waiting: (() => void)[] = [];
  upstream.onEvent((event) => {
    events.push(event);
    for (const look of waiting) look();
  });
  const seen = (count: number): Promise<readonly LiveEvent[]> =>
    new Promise((resolve) => {
      const look = (): void => {
        if (events.length >= count) resolve(events);
      };
      waiting.push(look);
      look();
    });
  return { upstream, events, seen, connection: await fake.connected(1) };
};

const message = (body: JsonObject) => ({ body, text: JSON.stringify(body) });
const turn = message({ clientContent: { turns: [{ role: 'user', parts: [{ text: 'Hi' }] }], turnComplete: true } });
const answered = { serverContent: { modelTurn: { role: 'model', parts: [{ text: 'Hello' }] } } };
const usage = (prompt: number, response: number) => ({
  usageMetadata: {
    promptTokenCount: prompt,
    responseTokenCount: response,
    totalTokenCount: prompt + response,
    promptTokensDetails: [{ modality: 'AUDIO', tokenCount: prompt }],
    responseTokensDetails: [{ modality: 'AUDIO', tokenCount: response }],
  },
});
const complete = { serverContent: { turnComplete: true } };

test('opens with a setup of the model and the settings, under the key', async () => {
  const { connection } = await connect({ generationConfig: { responseModalities: ['AUDIO'] } });
  expect(connection.path).toBe('/ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent?key=key');
  expect(connection.setup).toEqual({
    model: 'models/gemini-live',
    generationConfig: { responseModalities: ['AUDIO'] },
    sessionResumption: {},
  });
  expect(attempts.at(-1)).toMatchObject({ status: 101, outcome: 'answered' });
});

test('sends the headers of the gateway with the handshake', async () => {
  const { live } = googleProvider({ apiKey: 'key', baseUrl: fake.url });
  const call: LiveCall = { operationId: 'operation', upstreamModel: 'gemini-live', kind: 'live', config: {} };
  await live.connect(call, { ...context(), upstreamHeaders: { traceparent: 'of the session' } });
  expect((await fake.connected(1)).headers['traceparent']).toBe('of the session');
});

test.each([
  [{ kind: 'status', status: 429 } as const, 'rate_limited'],
  [{ kind: 'status', status: 403 } as const, 'unavailable'],
  [{ kind: 'close', code: 1007 } as const, 'invalid_request'],
  [{ kind: 'close', code: 1011 } as const, 'unavailable'],
])('was certainly not opened for %o', async (opening, reason) => {
  fake.script(opening);
  await expect(connect()).rejects.toMatchObject({ code: 'not_executed', reason });
  expect(attempts.at(-1)).toMatchObject({ outcome: 'refused' });
});

test('gives an opening up', async () => {
  fake.script({ kind: 'silent' });
  const { live } = googleProvider({ apiKey: 'key', baseUrl: fake.url });
  const abort = new AbortController();
  const call: LiveCall = { operationId: 'operation', upstreamModel: 'gemini-live', kind: 'live', config: {} };
  const opening = live.connect(call, { ...context(), signal: abort.signal });
  setImmediate(() => abort.abort());
  await expect(opening).rejects.toMatchObject({ reason: 'cancelled' });
});

test('relays what the model says, and withholds measures and handles [live:server:withheld]', async () => {
  const { upstream, connection, seen } = await connect();
  upstream.send(turn);
  await connection.received(1);
  expect(connection.heard).toEqual([turn.body]);
  connection.say({ sessionResumptionUpdate: { newHandle: 'secret', resumable: true } });
  connection.say({ ...answered, ...usage(10, 5) }, 'bytes');
  connection.say({ toolCall: { functionCalls: [{ id: '1', name: 'f', args: {} }] } });
  connection.say({ goAway: { timeLeft: '50s' } });
  connection.say({ ...complete, ...usage(10, 7) });
  const events = await seen(4);
  expect(events).toEqual([
    { kind: 'message', message: message(answered) },
    { kind: 'message', message: message({ toolCall: { functionCalls: [{ id: '1', name: 'f', args: {} }] } }) },
    { kind: 'message', message: message(complete) },
    {
      kind: 'usage',
      usage: expect.arrayContaining([
        { unit: 'input_audio_tokens', quantity: 10, confirmed: true },
        { unit: 'output_audio_tokens', quantity: 7, confirmed: true },
      ]),
    },
  ]);
  expect(JSON.stringify(events)).not.toMatch(/usageMetadata|sessionResumption|secret|goAway/);
});

test('counts the last snapshot of a turn, and adds turns up', async () => {
  const { upstream, connection, seen } = await connect();
  upstream.send(turn);
  connection.say({ ...answered, ...usage(10, 1) });
  connection.say({ ...complete, ...usage(10, 5) });
  upstream.send(turn);
  connection.say({ ...answered, ...usage(30, 2) });
  connection.say({ serverContent: { interrupted: true } });
  const events = await seen(6);
  const counted = events.flatMap((event) => (event.kind === 'usage' ? [event.usage] : []));
  expect(counted.map((turns) => turns.find(({ unit }) => unit === 'input_audio_tokens')?.quantity)).toEqual([10, 30]);
  upstream.close();
  expect((await seen(7)).at(-1)).toEqual({ kind: 'closed', cause: 'ended', measured: true });
});

test('adds what is left of a turn at the end, and says so where nothing was reported of it', async () => {
  const left = await connect();
  left.upstream.send(turn);
  left.connection.say({ ...answered, ...usage(10, 1) });
  await left.seen(1);
  left.upstream.close();
  expect((await left.seen(3)).slice(1).map(({ kind }) => kind)).toEqual(['usage', 'closed']);
  expect(left.events.at(-1)).toMatchObject({ measured: true });
});

test('waits for the measure of the turn in hand when it is closed', async () => {
  const { upstream, connection, seen } = await connect();
  upstream.send(turn);
  connection.say(answered);
  await seen(1);
  upstream.close();
  connection.say({ ...complete, ...usage(10, 5) });
  expect((await seen(4)).slice(1).map(({ kind }) => kind)).toEqual(['message', 'usage', 'closed']);
});

test.each([
  ['a turn without any measure', [answered, complete], true],
  ['a drop in the middle of a turn', [answered], false],
])('is not measured after %s', async (_name, said, closes) => {
  const { upstream, connection, seen } = await connect();
  upstream.send(turn);
  for (const one of said) connection.say(one);
  await seen(said.length);
  if (closes) upstream.close();
  else connection.drop();
  expect((await seen(said.length + 1)).at(-1)).toMatchObject({ kind: 'closed', measured: false });
});

test('goes on with another connection when one is taken away, without a word to the client', async () => {
  const { upstream, connection, events, seen } = await connect({ proactivity: {} });
  connection.say({ sessionResumptionUpdate: { newHandle: 'handle-1', resumable: true } });
  connection.say({ goAway: { timeLeft: '50s' } });
  const second = await fake.connected(2);
  expect(second.setup).toMatchObject({ proactivity: {}, sessionResumption: { handle: 'handle-1' } });
  expect(connection.isOpen()).toBe(false);
  upstream.send(turn);
  await second.received(1);
  second.say({ ...complete, ...usage(1, 1) });
  await seen(2);
  expect(events.map(({ kind }) => kind)).toEqual(['message', 'usage']);
});

test('ends the turn before it changes connections, and takes a lost one up again between turns', async () => {
  const { upstream, connection, seen } = await connect();
  connection.say({ sessionResumptionUpdate: { newHandle: 'handle-1', resumable: true } });
  upstream.send(turn);
  await connection.received(1);
  connection.say({ goAway: { timeLeft: '50s' } });
  connection.say(answered);
  await seen(1);
  expect(connection.isOpen()).toBe(true);
  connection.say({ ...complete, ...usage(1, 1) });
  const second = await fake.connected(2);
  second.drop();
  const third = await fake.connected(3);
  upstream.send(turn);
  await third.received(1);
  expect(third.heard).toEqual([turn.body]);
});

test('is lost where a connection ends without a handle', async () => {
  const { connection, seen } = await connect();
  connection.close(1011);
  expect(await seen(1)).toEqual([{ kind: 'closed', cause: 'lost', measured: true }]);
});

const spoken = (data: string) => ({
  serverContent: { modelTurn: { role: 'model', parts: [{ inlineData: { mimeType: 'audio/pcm;rate=24000', data } }] } },
});

test('passes speech that goes on to the client as it came, without losing a measure, a handle or the end of a turn', async () => {
  const { upstream, connection, seen } = await connect();
  upstream.send(turn);
  connection.say(spoken('AAAA'));
  connection.say(spoken('BBBBBBBB'));
  connection.say({ ...spoken('CCCC'), ...usage(10, 4) });
  connection.say(spoken(''), 'bytes');
  connection.say({ ...complete, ...usage(10, 7) });
  upstream.send(turn);
  connection.say(spoken('DDDD'));
  connection.say(complete);
  const events = await seen(8);
  const bytes = (data: string) => ({ kind: 'bytes', utf8: Buffer.from(JSON.stringify(spoken(data))) });
  expect(events.slice(0, 5)).toEqual([
    { kind: 'message', message: message(spoken('AAAA')) },
    bytes('BBBBBBBB'),
    { kind: 'message', message: message(spoken('CCCC')) },
    bytes(''),
    { kind: 'message', message: message(complete) },
  ]);
  expect(events.slice(5, 8).map(({ kind }) => kind)).toEqual(['usage', 'bytes', 'message']);
  upstream.close();
  // The second turn was not measured: speech that is not parsed opens a turn like any other.
  expect((await seen(9)).at(-1)).toEqual({ kind: 'closed', cause: 'ended', measured: false });
});

test.each([
  ['a quote that is escaped', spoken('AA"AA')],
  ['another type', JSON.parse(JSON.stringify(spoken('AAAA')).replace('24000', '16000'))],
  ['a member more', { serverContent: { ...spoken('AAAA').serverContent, turnComplete: true } }],
  ['a letter that is no ASCII', spoken('AAÄA')],
  [
    'a second piece of sound',
    { serverContent: { modelTurn: { role: 'model', parts: [1, 2].map(() => ({ inlineData: { data: 'A' } })) } } },
  ],
])('reads what differs from speech by %s', async (_name, body: JsonObject) => {
  const { upstream, connection, seen } = await connect();
  upstream.send(turn);
  connection.say(spoken('AAAA'));
  connection.say(body);
  expect((await seen(2))[1]).toEqual({ kind: 'message', message: message(body) });
});

test('speaks music on its own path, measured by its audio alone', async () => {
  const { upstream, connection, seen } = await connect({}, 'music');
  expect(connection.path).toContain('.BidiGenerateMusic?');
  expect(connection.setup).toEqual({ model: 'models/gemini-live' });
  upstream.send(message({ playbackControl: 'PLAY' }));
  await connection.received(1);
  const chunk = { serverContent: { audioChunks: [{ data: 'AAAA', mimeType: 'audio/l16' }] } };
  connection.say(chunk);
  expect(await seen(1)).toEqual([{ kind: 'message', message: message(chunk) }]);
  connection.drop();
  expect((await seen(2)).at(-1)).toEqual({ kind: 'closed', cause: 'lost', measured: true });
});
