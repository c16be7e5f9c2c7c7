import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import {
  asObject,
  NotExecuted,
  parseJson,
  readTextsFirst,
  type CallContext,
  type JsonObject,
  type NotExecutedReason,
} from '@tollgate/provider';
import type { RawData, WebSocket } from 'ws';
import { shortFrameBytesMax, writeMasked } from './masked-frame.ts';

/** The largest message that is taken from the upstream. */
const messageBytesMax = 16 * 1_048_576;

export interface ConnectionListener {
  /** A message, as the bytes that it came in: text, or bytes that should be text. */
  readonly onMessage: (utf8: Buffer) => void;
  readonly onClose: () => void;
}

/** One connection whose setup is complete. */
export interface LiveConnection {
  readonly send: (text: string | Uint8Array) => void;
  readonly bufferedBytes: () => number;
  /** Called once; what came before is reported at once. */
  readonly listen: (listener: ConnectionListener) => void;
  /** Ends it; resolves when the upstream has let go of it. */
  readonly end: () => Promise<void>;
}

export interface ConnectionOptions {
  /** With the key; never disclosed. */
  readonly url: string;
  readonly setup: JsonObject;
  readonly now: () => number;
}

const bytesOf = (data: RawData): Buffer => {
  if (Buffer.isBuffer(data)) return data;
  return Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data);
};

/** How long the upstream may take to answer a goodbye. */
const goodbyeMs = 1_000;

/** Why a handshake was refused; nothing was said yet, so nothing ran. */
const reasonOfStatus = (status: number): NotExecutedReason => {
  if (status === 429) return 'rate_limited';
  return status === 400 ? 'invalid_request' : 'unavailable';
};

/** Why a connection ended before its setup was complete. */
const reasonOfCode = (code: number): NotExecutedReason => (code === 1007 ? 'invalid_request' : 'unavailable');

/** Who takes the messages of a socket at the moment. */
interface Inbox {
  take: (utf8: Buffer) => void;
}

/** Takes the messages of a socket from its first one on, and keeps them until a listener is set. */
const toConnection = (socket: WebSocket, wire: Duplex, inbox: Inbox): LiveConnection => {
  const { promise: gone, resolve: tellGone } = Promise.withResolvers<void>();
  let waiting: (() => void)[] = [];
  let listener: ConnectionListener | null = null;
  const tell = (run: (to: ConnectionListener) => void): void => {
    if (listener === null) waiting.push(() => listener !== null && run(listener));
    else run(listener);
  };
  inbox.take = (utf8) => {
    if (listener === null) tell(({ onMessage }) => onMessage(utf8));
    else listener.onMessage(utf8);
  };
  socket.on('close', () => {
    tellGone();
    tell(({ onClose }) => onClose());
  });
  return {
    send: (text) => {
      if (socket.readyState !== socket.OPEN) return;
      if (typeof text === 'string' || text.length > shortFrameBytesMax) socket.send(text, { binary: false });
      // The library keeps nothing back, compression being off, so that whole frames may stand beside its own.
      else writeMasked(wire, text);
    },
    bufferedBytes: () => socket.bufferedAmount,
    listen: (to) => {
      listener = to;
      const before = waiting;
      waiting = [];
      for (const run of before) run();
    },
    end: () => {
      socket.close(1000);
      setTimeout(() => socket.terminate(), goodbyeMs).unref();
      return gone;
    },
  };
};

/** Resolves with the first message, which completes the setup; what follows it is the connection's. */
const completeSetup = (socket: WebSocket, setup: JsonObject): Promise<LiveConnection> =>
  new Promise((resolve, reject) => {
    const refuse = (reason: NotExecutedReason, cause: unknown): void => reject(new NotExecuted({ reason, cause }));
    socket.on('error', (cause) => refuse('unavailable', cause));
    socket.once('unexpected-response', (_request, response: IncomingMessage) => {
      refuse(reasonOfStatus(response.statusCode ?? 0), `handshake refused with ${response.statusCode}`);
      response.destroy();
    });
    socket.once('close', (code) => refuse(reasonOfCode(code), `closed with ${code} before its setup`));
    let wire: Duplex | undefined;
    const inbox: Inbox = {
      take: (utf8) => {
        if (asObject(parseJson(utf8.toString('utf8')))?.['setupComplete'] === undefined || wire === undefined) {
          refuse('unavailable', 'another first message than setupComplete');
          socket.terminate();
        } else resolve(toConnection(socket, wire, inbox));
      },
    };
    const take = (utf8: Buffer): void => inbox.take(utf8);
    socket.once('upgrade', (response: IncomingMessage) => {
      wire = response.socket;
    });
    socket.once('open', () => {
      if (wire !== undefined) readTextsFirst(socket, wire, { masked: false, payloadBytesMax: messageBytesMax }, take);
      socket.send(JSON.stringify(setup));
    });
    socket.on('message', (data: RawData) => take(bytesOf(data)));
  });

/**
 * Opens a connection and completes its setup. Throws `NotExecuted` alone: until then nothing was said that a model answers.
 * The library is loaded with the first session.
 */
export const openConnection = async (options: ConnectionOptions, context: CallContext): Promise<LiveConnection> => {
  const { WebSocket: Socket } = await import('ws');
  if (context.signal.aborted) throw new NotExecuted({ reason: 'cancelled' });
  const startedAtMs = options.now();
  const headers = { ...context.upstreamHeaders };
  const socket = new Socket(options.url, { headers, perMessageDeflate: false, maxPayload: messageBytesMax });
  const giveUp = (): void => socket.terminate();
  context.signal.addEventListener('abort', giveUp, { once: true });
  const record = (status: number | null, outcome: 'answered' | 'refused' | 'not_sent'): void =>
    context.recordAttempt({ startedAtMs, durationMs: options.now() - startedAtMs, status, outcome });
  try {
    const connection = await completeSetup(socket, options.setup);
    record(101, 'answered');
    return connection;
  } catch (cause) {
    record(null, 'refused');
    giveUp();
    throw context.signal.aborted ? new NotExecuted({ reason: 'cancelled', cause }) : cause;
  } finally {
    context.signal.removeEventListener('abort', giveUp);
  }
};
