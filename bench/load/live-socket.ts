import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { createFrameReader, frameOf, opcodes } from '../socket-frames.ts';
import { clientAudio, modelAudio, stampChars, stampOf } from '../audio-message.ts';

export interface LiveSocketOptions {
  /** Of the socket, as the gateway gave it. */
  readonly url: URL;
  /** The first message, which opens the session. */
  readonly first: string;
  /** A piece of audio came back; when it was sent, in microseconds. */
  readonly onAudio: (sentMicros: number) => void;
  readonly onBroken: (why: string) => void;
}

/** A session whose setup is complete. */
export interface LiveClient {
  /** Sends a piece of audio that says when. */
  readonly send: (nowMicros: number) => void;
}

const readBytesMax = 65_536;
/** One for all sockets: what is read is checked at once. */
const readBuffer = Buffer.allocUnsafe(readBytesMax);
const mask = Buffer.from([0x37, 0xfa, 0x21, 0x3d]);
const piece = frameOf(opcodes.text, Buffer.from(clientAudio), mask);
const payloadAt = piece.length - clientAudio.length;
const stampFrom = stampOf(clientAudio);
const answerStampFrom = stampOf(modelAudio);
const digitZero = 0x30;
const pong = frameOf(opcodes.pong, Buffer.alloc(0), mask);
const turnEnd = Buffer.from('"turnComplete":true');
const headEnd = Buffer.from('\r\n\r\n');

/** The piece with its stamp, masked as the rest of it is. */
const stamped = (nowMicros: number): Buffer => {
  const frame = Buffer.from(piece);
  let left = Math.floor(nowMicros);
  for (let at = stampFrom + stampChars - 1; at >= stampFrom; at -= 1) {
    frame[payloadAt + at] = (digitZero + (left % 10)) ^ (mask[at % mask.length] ?? 0);
    left = Math.floor(left / 10);
  }
  return frame;
};

const stampIn = (bytes: Buffer, from: number): number => {
  let micros = 0;
  for (let at = from; at < from + stampChars; at += 1) micros = micros * 10 + ((bytes[at] ?? 0) - digitZero);
  return micros;
};

const handshake = ({ host, pathname, search }: URL): string =>
  `GET ${pathname}${search} HTTP/1.1\r\nHost: ${host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: ${randomBytes(16).toString('base64')}\r\nSec-WebSocket-Version: 13\r\n\r\n`;

/** Opens a session over a socket that costs less than what it measures; resolves once it may send. */
export const openLiveSocket = ({ url, first, onAudio, onBroken }: LiveSocketOptions): Promise<LiveClient> =>
  new Promise((resolve) => {
    let isUpgraded = false;
    let isOpen = false;
    const onMessage = (bytes: Buffer, from: number, to: number): void => {
      if (!isOpen) {
        isOpen = true;
        resolve({ send: (nowMicros) => void socket.write(stamped(nowMicros)) });
      } else if (to - from === modelAudio.length) onAudio(stampIn(bytes, from + answerStampFrom));
      else if (bytes.indexOf(turnEnd, from) === -1)
        onBroken(`another message: ${bytes.toString('latin1', from, Math.min(to, from + 200))}`);
    };
    const reader = createFrameReader((opcode, bytes, from, to) => {
      if (opcode === opcodes.ping) socket.write(pong);
      else if (opcode === opcodes.close) onBroken(`closed with ${bytes.readUInt16BE(from)}`);
      else onMessage(bytes, from, to);
    });
    const onRead = (bytes: Buffer): void => {
      if (isUpgraded) return reader.feed(bytes);
      const end = bytes.indexOf(headEnd);
      if (!bytes.toString('latin1', 0, 12).startsWith('HTTP/1.1 101') || end === -1)
        return onBroken(`no upgrade: ${bytes.toString('latin1', 0, 200)}`);
      isUpgraded = true;
      socket.write(frameOf(opcodes.text, Buffer.from(first), mask));
      reader.feed(bytes.subarray(end + headEnd.length));
    };
    const socket = connect({
      host: '127.0.0.1',
      port: Number(url.port),
      noDelay: true,
      onread: {
        buffer: readBuffer,
        callback: (size) => {
          onRead(readBuffer.subarray(0, size));
          return true;
        },
      },
    });
    socket.on('connect', () => socket.write(handshake(url)));
    socket.on('error', (cause) => onBroken(cause.message));
    socket.on('close', () => onBroken('the socket was closed'));
  });
