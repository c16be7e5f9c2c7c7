import { expect, test } from 'vitest';
import type { LiveSocket } from '../live-socket.ts';
import { setupComplete } from '../server-frame.ts';
import { googleSocket } from './google-socket.ts';
import type { OpenedSession } from './live-wire.ts';

const credential = { id: 'a', accessKey: 'b' };
const access = '{"id":"a","access_key":"b"}';

/** A socket of a client whose setup was taken, and what the protocol heard and the client was sent. */
const opening = (setup: object, bufferedBytesMax = 10_000) => {
  const heard: string[] = [];
  const sent: unknown[] = [];
  const listeners: ((utf8: Buffer | null) => void)[] = [];
  const { promise, resolve } = Promise.withResolvers<OpenedSession>();
  const socket: LiveSocket = {
    origin: null,
    send: (text) => void sent.push(text),
    close: (code, reason) => void sent.push([code, reason]),
    terminate: () => {},
    ping: () => {},
    bufferedBytes: () => 0,
    onMessage: (listener) => void listeners.push(listener),
    onPong: () => {},
    onClose: () => {},
  };
  const limits = { frameBytesMax: 1_000, frameNodesMax: 100, bufferedBytesMax };
  const mapped = googleSocket(socket, { limits, open: () => promise });
  mapped.onMessage((utf8) => void heard.push(String(utf8)));
  const say = (text: string): void => {
    for (const receive of listeners) receive(Buffer.from(text));
  };
  say(JSON.stringify({ setup }));
  return {
    heard,
    sent,
    say,
    /** The session is made; the protocol completes the setup. */
    open: async (): Promise<void> => {
      resolve({ kind: 'opened', credential });
      await promise;
      mapped.send(setupComplete);
      await Promise.resolve();
    },
  };
};

test('keeps what a client sends before its session is open, and hands it on in order once it is', async () => {
  const { heard, sent, say, open } = opening({ model: 'm' });
  for (const text of ['one', 'two']) say(text);
  expect(heard).toEqual([]);
  await open();
  say('three');
  expect(heard).toEqual([access, 'one', 'two', 'three']);
  expect(sent).toEqual([setupComplete]);
});

test('tells a client that asks how to take its session up again that no session is, and no other client', async () => {
  const { sent, open } = opening({ sessionResumption: {} });
  await open();
  expect(sent).toEqual([setupComplete, '{"sessionResumptionUpdate":{"resumable":false}}']);
});

test('closes with 1009 where more comes before its session is open than may wait, 512 bytes added for each frame', () => {
  const { sent, say } = opening({}, 1_824);
  for (let frame = 0; frame < 2; frame += 1) say('x'.repeat(400));
  expect(sent).toEqual([]);
  say('x');
  expect(sent).toEqual([[1009, 'Too much was sent before the setup was complete.']]);
});
