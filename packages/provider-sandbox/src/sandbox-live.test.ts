import type { JsonObject, LiveCall, LiveEvent, LiveUpstream } from '@tollgate/provider';
import { sampleCaller } from '@tollgate/testing/fakes';
import { expect, test } from 'vitest';
import { sandboxProvider } from './sandbox-provider.ts';

const context = { caller: sampleCaller, signal: new AbortController().signal, recordAttempt: () => {} };
const live = sandboxProvider({ sleep: () => new Promise((resolve) => setImmediate(resolve)) }).live;

const connect = async (config: JsonObject = {}, more: Partial<LiveCall> = {}) => {
  const call: LiveCall = { operationId: 'operation', upstreamModel: 'live-model', kind: 'live', config, ...more };
  const upstream = await live.connect(call, context);
  const events: LiveEvent[] = [];
  upstream.onEvent((event) => void events.push(event));
  return { upstream, events };
};

const send = (upstream: LiveUpstream, body: JsonObject): void => upstream.send({ body, text: JSON.stringify(body) });

const write = (text: string): JsonObject => ({
  clientContent: { turns: [{ role: 'user', parts: [{ text }] }], turnComplete: true },
});

const bodies = (events: readonly LiveEvent[]): readonly JsonObject[] =>
  events.flatMap((event) => (event.kind === 'message' ? [event.message.body] : []));

const textConfig = { generationConfig: { responseModalities: ['TEXT'] } };

const speakIt = async () => {
  const { upstream, events } = await connect({ outputAudioTranscription: {} });
  send(upstream, write('[[sandbox: echo Good day]]'));
  return bodies(events);
};

const audio = (bytes: Buffer): JsonObject => ({
  realtimeInput: { audio: { data: bytes.toString('base64'), mimeType: 'audio/pcm;rate=16000' } },
});

test('responds to a written turn, and measures it once it is complete', async () => {
  const { upstream, events } = await connect(textConfig);
  send(upstream, write('[[sandbox: echo Good day]]'));
  expect(bodies(events)).toEqual([
    { serverContent: { modelTurn: { role: 'model', parts: [{ text: 'Good day' }] } } },
    { serverContent: { generationComplete: true } },
    { serverContent: { turnComplete: true } },
  ]);
  expect(events.at(-1)).toMatchObject({ kind: 'usage' });
});

test('speaks real samples, the same for the same words, and writes them down where that is asked for', async () => {
  const spoken = await speakIt();
  expect(spoken).toEqual(await speakIt());
  const [first] = spoken;
  expect(first).toMatchObject({
    serverContent: { modelTurn: { parts: [{ inlineData: { mimeType: 'audio/pcm;rate=24000' } }] } },
  });
  expect(spoken.length).toBeGreaterThan(3);
  expect(spoken).toContainEqual({ serverContent: { outputTranscription: { text: 'Good day' } } });
});

test('hears speech end by silence, and writes down how much there was', async () => {
  const { upstream, events } = await connect({ ...textConfig, inputAudioTranscription: {} });
  const loud = Buffer.alloc(16_000);
  for (let at = 0; at < 8_000; at += 1) loud.writeInt16LE(at % 2 === 0 ? 9_000 : -9_000, at * 2);
  send(upstream, audio(loud));
  expect(events).toEqual([]);
  send(upstream, audio(Buffer.alloc(16_000)));
  expect(bodies(events)[0]).toEqual({ serverContent: { inputTranscription: { text: 'Sound of 1000 milliseconds.' } } });
  expect(events.at(-1)).toMatchObject({
    kind: 'usage',
    usage: expect.arrayContaining([{ unit: 'input_audio_tokens', quantity: 32, confirmed: true }]),
  });
});

test('calls a declared function, waits for its answer, and takes the call back for another turn', async () => {
  const config = { ...textConfig, tools: [{ functionDeclarations: [{ name: 'weather' }] }] };
  const { upstream, events } = await connect(config);
  send(upstream, write('[[sandbox: tool weather {"city":"Rome"}]]'));
  const [first] = bodies(events);
  const id = (first as { toolCall: { functionCalls: [{ id: string }] } }).toolCall.functionCalls[0].id;
  expect(first).toEqual({ toolCall: { functionCalls: [{ id, name: 'weather', args: { city: 'Rome' } }] } });
  send(upstream, { toolResponse: { functionResponses: [{ id, name: 'weather', response: { sky: 'blue' } }] } });
  expect(JSON.stringify(bodies(events))).toContain('weather says {\\"sky\\":\\"blue\\"}.');
  send(upstream, write('[[sandbox: tool weather]]'));
  send(upstream, write('Never mind'));
  expect(JSON.stringify(bodies(events))).toContain('toolCallCancellation');
});

test('loses the upstream, or a measure, where it is asked to', async () => {
  const dropped = await connect(textConfig);
  send(dropped.upstream, write('[[sandbox: drop]]'));
  expect(dropped.events).toEqual([{ kind: 'closed', cause: 'lost', measured: false }]);
  const unmeasured = await connect(textConfig);
  send(unmeasured.upstream, write('[[sandbox: unknown-usage]]'));
  unmeasured.upstream.close();
  expect(unmeasured.events.at(-1)).toEqual({ kind: 'closed', cause: 'ended', measured: false });
});

test('refuses to open where its instruction says so', async () => {
  const config = { systemInstruction: { parts: [{ text: '[[sandbox: unavailable]]' }] } };
  await expect(connect(config)).rejects.toMatchObject({ reason: 'unavailable' });
});

test('plays music of its prompts until it is paused, and says which prompts it filtered', async () => {
  const { upstream, events } = await connect({}, { kind: 'music' });
  send(upstream, {
    clientContent: {
      weightedPrompts: [
        { text: 'piano', weight: 1 },
        { text: '[[sandbox: filter]]', weight: 1 },
      ],
    },
  });
  send(upstream, { playbackControl: 'PLAY' });
  while (events.length < 4) await new Promise((resolve) => setImmediate(resolve));
  send(upstream, { playbackControl: 'PAUSE' });
  const [filtered, piece] = bodies(events);
  expect(filtered).toEqual({ filteredPrompt: { text: '[[sandbox: filter]]', filteredReason: 'SAFETY' } });
  const { data } = (piece as { serverContent: { audioChunks: [{ data: string }] } }).serverContent.audioChunks[0];
  expect(Buffer.from(data, 'base64').byteLength).toBe(19_200);
  upstream.close();
  expect(events.at(-1)).toEqual({ kind: 'closed', cause: 'ended', measured: true });
});
