import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { duplexPair, type Duplex } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { readTextsFirst } from '@tollgate/provider';
import { array, assert, asyncProperty, boolean, constantFrom, integer, type Arbitrary } from 'fast-check';
import { expect, test } from 'vitest';
import { WebSocketServer, type RawData, type WebSocket } from 'ws';

const payloadBytesMax = 2_000;

/** Writes down what a socket reports. */
const note = (socket: WebSocket, log: string[]): void => {
  socket.on('message', (data: RawData, isBinary: boolean) => {
    const said = Buffer.isBuffer(data) ? data.toString('utf8') : 'no buffer';
    log.push(`${isBinary ? 'bytes' : 'text'} ${said}`);
    // A session that is ended by a message hears the rest of what was on its way.
    if (said === 'end') socket.close(4_000);
  });
  socket.on('ping', (data: Buffer) => log.push(`ping ${data.toString('utf8')}`));
  socket.on('error', ({ message }) => log.push(`error ${message}`));
  socket.on('close', (code) => log.push(`close ${code}`));
};

const mask = Buffer.from([0xa1, 0x02, 0xf3, 0x44]);
const frame = (first: number, payload: Buffer, masked = true): Buffer => {
  const { length } = payload;
  const bit = masked ? 0x80 : 0;
  const head = length > 125 ? [first, bit | 126, length >> 8, length & 0xff] : [first, bit | length];
  const body = masked ? Buffer.concat([mask, payload.map((byte, at) => byte ^ (mask[at % 4] ?? 0))]) : payload;
  return Buffer.concat([Buffer.from(head), body]);
};
const text = (said: string): Buffer => frame(0x81, Buffer.from(said));

interface Talk {
  readonly reads: readonly Buffer[];
  /** Whether the wire breaks while a last text waits to be read. */
  readonly cutOff: boolean;
}

/** A socket of `ws` over memory, where each write is one read; what it reported, and what it sent. */
const talk = async ({ reads, cutOff }: Talk, attach: (socket: WebSocket, wire: Duplex) => void): Promise<object> => {
  const [wire, client] = duplexPair();
  const log: string[] = [];
  const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false, maxPayload: payloadBytesMax });
  const request = new IncomingMessage(new Socket());
  request.method = 'GET';
  request.headers = {
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': Buffer.alloc(16).toString('base64'),
  };
  sockets.handleUpgrade(request, wire, Buffer.alloc(0), (socket) => {
    attach(socket, wire);
    note(socket, log);
  });
  const sent: Buffer[] = [];
  client.on('data', (bytes: Buffer) => void sent.push(bytes));
  for (const bytes of reads) {
    client.write(Buffer.from(bytes));
    await nextTurn();
  }
  if (cutOff) {
    wire.pause();
    client.write(text('last'));
    wire.destroy();
  } else client.end();
  for (let turn = 0; turn < 5; turn += 1) await nextTurn();
  return { log, destroyed: wire.destroyed, sent: Buffer.concat(sent).toString('hex') };
};

const usual = ['a', 'é'.repeat(40), 'b'.repeat(900), ''].map(text);
const allowed = [
  ...usual,
  frame(0x82, Buffer.from('bytes')),
  frame(0x89, Buffer.from('ping')),
  frame(0x8a, Buffer.from('pong')),
  Buffer.concat([
    frame(0x01, Buffer.from('parted ')),
    frame(0x89, Buffer.from('within')),
    frame(0x80, Buffer.from('text')),
  ]),
  frame(0x01, Buffer.from('first part ')),
  text('end'),
];
const last = [
  frame(0x88, Buffer.from([0x03, 0xe8])),
  frame(0x81, Buffer.from([0xc3, 0x28])),
  frame(0xc1, Buffer.from('reserved')),
  frame(0x81, Buffer.from('no mask'), false),
  text('c'.repeat(payloadBytesMax + 1)),
];

/** Reads of whole frames, and such as are cut at places given in thousandths. */
const cut = (frames: readonly Buffer[], places: readonly number[]): readonly Buffer[] => {
  if (places.length === 0) return frames;
  const bytes = Buffer.concat(frames);
  const ats = places.map((place) => Math.floor((place * bytes.length) / 1_000)).toSorted((one, other) => one - other);
  return [0, ...ats].map((at, index) => bytes.subarray(at, ats[index] ?? bytes.length));
};

const readsOf: Arbitrary<readonly Buffer[]> = array(constantFrom(...allowed, ...usual, ...last), {
  maxLength: 14,
}).chain((frames) => array(integer({ min: 0, max: 1_000 }), { maxLength: 5 }).map((places) => cut(frames, places)));

test('reports what the library reports, in its order, however the bytes come', async () => {
  let firstReads = 0;
  const first = (socket: WebSocket, wire: Duplex): void =>
    readTextsFirst(socket, wire, { masked: true, payloadBytesMax }, (utf8) => {
      firstReads += 1;
      socket.emit('message', utf8, false);
    });
  await assert(
    asyncProperty(readsOf, boolean(), async (reads, cutOff) => {
      expect(await talk({ reads, cutOff }, first)).toEqual(await talk({ reads, cutOff }, () => {}));
    }),
    { numRuns: 300 },
  );
  expect(firstReads).toBeGreaterThan(50);
});

test('leaves a wire alone that another listener reads', () => {
  const [wire] = duplexPair();
  const listeners = [() => {}, () => {}];
  for (const listener of listeners) wire.on('data', listener);
  readTextsFirst({ on: () => {} }, wire, { masked: true, payloadBytesMax }, () => {});
  expect(wire.listeners('data')).toEqual(listeners);
});
