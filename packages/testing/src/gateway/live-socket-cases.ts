import assert from 'node:assert/strict';
import { jsonOf, type Json } from './answer.ts';
import { gatewayCase, type GatewayCase } from './gateway-case.ts';
import type { GatewayWorld } from './gateway-world.ts';
import { accessFrame, liveClient, musicModel, musicTariff, nextJson, until } from './live-ask.ts';
import type { SuiteSocket } from './suite-socket.ts';

const sound = Buffer.alloc(64).toString('base64');

const turn = { clientContent: { turns: [{ role: 'user', parts: [{ text: 'Hello' }] }], turnComplete: true } };

/** Messages of a conversation, as they reach the provider. */
const messages: readonly object[] = [
  turn,
  { clientContent: { turns: [{ parts: [{ inlineData: { data: sound, mimeType: 'image/png' } }] }] } },
  { clientContent: { turnComplete: true } },
  { realtimeInput: { audio: { data: sound, mimeType: 'audio/pcm;rate=16000' } } },
  { realtimeInput: { audio: { data: sound, mimeType: 'audio/pcm' } } },
  { realtimeInput: { video: { data: sound, mimeType: 'image/jpeg' } } },
  { realtimeInput: { video: { data: sound, mimeType: 'image/png' } } },
  { realtimeInput: { video: { data: sound, mimeType: 'image/webp' } } },
  { realtimeInput: { text: 'Hello' } },
  { realtimeInput: { activityStart: {} } },
  { realtimeInput: { activityEnd: {} } },
  { realtimeInput: { audioStreamEnd: true } },
  { toolResponse: { functionResponses: [{ id: 'call_1', name: 'weather', response: { sky: 'blue' } }] } },
];

const badFrames: readonly (string | object)[] = [
  'x',
  '[]',
  { foo: {} },
  { clientContent: { turns: 'Hello' } },
  { clientContent: { turns: [{ role: 'system', parts: [{ text: 'x' }] }] } },
  { clientContent: { foo: 1 } },
  { realtimeInput: { audio: { data: sound, mimeType: 'audio/mp3' } } },
  { realtimeInput: { audio: { data: '***', mimeType: 'audio/pcm' } } },
  { realtimeInput: { video: { data: sound, mimeType: 'video/mp4' } } },
  { toolResponse: { functionResponses: [] } },
  { ...turn, realtimeInput: {} },
  { playbackControl: 'PLAY' },
];

const text = (value: string | object): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** Brings an access to a fresh socket; returns the code by which it is closed. */
const closedWith = async (world: GatewayWorld, frame: string): Promise<number> => {
  const socket = await world.socket();
  socket.send(frame);
  return socket.closed;
};

const assertBadAccess = async (socket: SuiteSocket, frame: string): Promise<void> => {
  socket.send(frame);
  const error = (await nextJson(socket)).at('error');
  assert.deepEqual(error.keys().toSorted(), ['code', 'message']);
  assert.equal(await socket.closed, 4401);
};

const frameOf = (id: Json, accessKey: string): string => JSON.stringify({ id: id.text(), access_key: accessKey });

/** What goes over a socket. */
export const liveSocketCases: readonly GatewayCase[] = [
  gatewayCase(
    'opens with an access and no other credential, and says setupComplete first [live:socket:access-message] [live:socket:setup-complete-first]',
    async (world) => {
      const client = await liveClient(world);
      const { socket, id } = await client.open();
      assert.deepEqual(socket.unread(), []);
      socket.close();
      await client.ended(id);
    },
  ),
  gatewayCase(
    'refuses an access that is wrong, of another session, expired or used, all alike [live:close:bad-access] [live:access:session-exclusive] [live:access:no-reuse-after-drop]',
    async (world) => {
      const client = await liveClient(world);
      const [one, other] = [await client.created(), await client.created()];
      await assertBadAccess(await world.socket(), frameOf(one.at('id'), other.at('access_key').text()));
      await assertBadAccess(await world.socket(), frameOf(one.at('id'), 'x'));
      await assertBadAccess(await world.socket(), frameOf(jsonOf('no id'), one.at('access_key').text()));
      const socket = await world.socket();
      socket.send(accessFrame(one));
      await nextJson(socket);
      socket.drop();
      await assertBadAccess(await world.socket(), accessFrame(one));
      await client.ended(one.at('id').text());
      await assertBadAccess(await world.socket(), accessFrame(one));
      assert.equal(world.provider.live.sessions.length, 1);
    },
  ),
  gatewayCase('opens at 59 seconds and not at 61 [live:access:expires-60s]', async (world) => {
    const client = await liveClient(world);
    const [early, late] = [await client.created(), await client.created()];
    world.time.advance(59_000);
    const socket = await world.socket();
    socket.send(accessFrame(early));
    assert.deepEqual((await nextJson(socket)).value, { setupComplete: {} });
    world.time.advance(2_000);
    await assertBadAccess(await world.socket(), accessFrame(late));
    socket.close();
    await client.ended(early.at('id').text());
  }),
  gatewayCase(
    'opens one of a hundred sockets that bring one access at once [live:access:single-use]',
    async (world) => {
      const client = await liveClient(world);
      const access = await client.created();
      const sockets = await Promise.all(Array.from({ length: 100 }, () => world.socket()));
      for (const socket of sockets) socket.send(accessFrame(access));
      const first = await Promise.all(sockets.map((socket) => socket.next()));
      assert.equal(first.filter((frame) => frame.includes('setupComplete')).length, 1);
      assert.equal(first.filter((frame) => frame.includes('error')).length, 99);
      assert.equal(world.provider.live.sessions.length, 1);
      for (const socket of sockets) socket.close();
      await client.ended(access.at('id').text());
    },
  ),
  gatewayCase(
    'hands every message of a client to the provider [live:client:client-content] [live:client:realtime-audio] [live:client:realtime-video] [live:client:realtime-keys] [live:client:tool-response]',
    async (world) => {
      const client = await liveClient(world);
      const { socket, upstream, id } = await client.open();
      for (const message of messages) socket.send(text(message));
      socket.send(
        text({
          realtimeInput: {
            mediaChunks: [
              { data: sound, mimeType: 'audio/pcm;rate=16000' },
              { data: sound, mimeType: 'image/png' },
            ],
          },
        }),
      );
      await upstream.received(messages.length + 2);
      assert.deepEqual(upstream.heard, [
        ...messages,
        { realtimeInput: { audio: { data: sound, mimeType: 'audio/pcm;rate=16000' } } },
        { realtimeInput: { video: { data: sound, mimeType: 'image/png' } } },
      ]);
      socket.close();
      await client.ended(id);
    },
  ),
  gatewayCase(
    'closes with 1007 for a frame that is no message, and hands none of it on [live:close:bad-frame] [live:client:realtime-audio] [live:client:realtime-video]',
    async (world) => {
      const client = await liveClient(world);
      for (const bad of badFrames) {
        const { socket, upstream, id } = await client.open();
        socket.send(text(bad));
        assert.equal(await socket.closed, 1007, text(bad));
        assert.deepEqual(upstream.heard, []);
        assert.equal((await client.ended(id)).at('status').value, 'completed');
      }
    },
  ),
  gatewayCase('relays what the model says and calls [live:server:messages]', async (world) => {
    const client = await liveClient(world);
    const { socket, upstream, id } = await client.open();
    const said = [
      { serverContent: { modelTurn: { role: 'model', parts: [{ text: 'Hello' }] } } },
      { toolCall: { functionCalls: [{ id: 'call_1', name: 'weather', args: {} }] } },
      { toolCallCancellation: { ids: ['call_1'] } },
      { serverContent: { turnComplete: true } },
    ];
    for (const body of said) upstream.say(body);
    for (const body of said) assert.deepEqual((await nextJson(socket)).value, body);
    socket.close();
    await client.ended(id);
  }),
  gatewayCase(
    'speaks music with a model of music, both ways [live:music:client] [live:music:server]',
    async (world) => {
      const client = await liveClient(world, musicModel);
      const { socket, upstream, id } = await client.open({ config: {} });
      const steering = [
        { clientContent: { weightedPrompts: [{ text: 'piano', weight: 1 }] } },
        { musicGenerationConfig: { bpm: 90, guidance: 4, density: 0.5, muteBass: true } },
        { playbackControl: 'PLAY' },
      ];
      for (const message of steering) socket.send(text(message));
      await upstream.received(steering.length);
      assert.deepEqual([upstream.call.kind, upstream.heard], ['music', steering]);
      const played = [
        { serverContent: { audioChunks: [{ data: sound, mimeType: 'audio/l16;rate=48000;channels=2' }] } },
        { filteredPrompt: { text: 'x', filteredReason: 'SAFETY' } },
      ];
      for (const body of played) upstream.say(body);
      for (const body of played) assert.deepEqual((await nextJson(socket)).value, body);
      socket.send(text(turn));
      assert.equal(await socket.closed, 1007);
      assert.equal((await client.ended(id)).at('charged_credits').value, 1);
    },
    { tariff: musicTariff },
  ),
  gatewayCase('closes with 1008 for anything but an access first [live:close:before-setup]', async (world) => {
    assert.equal(await closedWith(world, text(turn)), 1008);
    assert.equal(await closedWith(world, 'x'), 1008);
    assert.equal(await closedWith(world, '{"id":"a","access_key":"b","more":1}'), 1008);
    const socket = await world.socket();
    socket.send(new Uint8Array([1, 2, 3]));
    assert.equal(await socket.closed, 1008);
  }),
  gatewayCase('closes with 1008 for a message before setupComplete [live:close:before-setup]', async (world) => {
    const client = await liveClient(world);
    world.provider.live.script('hangs');
    const access = await client.created();
    const socket = await world.socket();
    socket.send(accessFrame(access));
    socket.send(text(turn));
    assert.equal(await socket.closed, 1008);
    const record = await client.ended(access.at('id').text());
    assert.deepEqual([record.at('status').value, record.at('reserved_credits').value], ['failed', 0]);
  }),
  gatewayCase('closes with 1009 for a first frame above 4 KiB, and with 1003 for bytes', async (world) => {
    assert.equal(await closedWith(world, JSON.stringify({ id: 'a', access_key: 'b'.repeat(4_096) })), 1009);
    const client = await liveClient(world);
    const { socket, id } = await client.open();
    socket.send(new Uint8Array([1, 2, 3]));
    assert.equal(await socket.closed, 1003);
    await client.ended(id);
  }),
  gatewayCase(
    'closes with 4408 where no access comes in ten seconds [live:close:first-frame-timeout]',
    async (world) => {
      const socket = await world.socket();
      let code: number | null = null;
      socket.onClose((closed) => {
        code = closed;
      });
      world.time.advance(9_999);
      await new Promise((resolve) => setImmediate(resolve));
      assert.equal(code, null);
      // Over a wire the gateway may not have taken the socket on when the time was moved.
      await until('the socket is closed', () => {
        world.time.advance(10_000);
        return code !== null;
      });
      assert.equal(code, 4408);
    },
  ),
];
