import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { WebSocketServer, type RawData, type WebSocket } from 'ws';
import { parseWire, recordOf, type WireRecord } from './fake-gemini-wire.ts';

/** What the next connection does; by default it completes its setup. */
export type FakeLiveOpening =
  | { readonly kind: 'status'; readonly status: number }
  | { readonly kind: 'close'; readonly code: number }
  | { readonly kind: 'silent' };

/** One connection to the fake upstream. */
export interface FakeLiveConnection {
  /** With its query. */
  readonly path: string;
  /** Of the handshake. */
  readonly headers: IncomingHttpHeaders;
  readonly setup: WireRecord;
  /** What came after the setup, in order. */
  readonly heard: readonly WireRecord[];
  /** Says a message, as text or as bytes: the upstream does either. */
  readonly say: (message: object, form?: 'text' | 'bytes') => void;
  readonly close: (code: number) => void;
  /** Ends without a word. */
  readonly drop: () => void;
  readonly isOpen: () => boolean;
  /** Resolves when that many messages have come after the setup. */
  readonly received: (count: number) => Promise<void>;
}

export interface FakeGeminiLive {
  /** To be used as `baseUrl`, without a version. */
  readonly url: string;
  readonly connections: readonly FakeLiveConnection[];
  /** Resolves with the nth connection (from 1) once its setup has come. */
  readonly connected: (count: number) => Promise<FakeLiveConnection>;
  readonly script: (...openings: readonly FakeLiveOpening[]) => void;
  readonly close: () => Promise<void>;
}

const setupKeys = new Set([
  'model',
  'generationConfig',
  'systemInstruction',
  'tools',
  'realtimeInputConfig',
  'inputAudioTranscription',
  'outputAudioTranscription',
  'sessionResumption',
  'contextWindowCompression',
  'proactivity',
  'historyConfig',
]);
const liveKeys = new Set(['clientContent', 'realtimeInput', 'toolResponse']);
const musicKeys = new Set(['clientContent', 'musicGenerationConfig', 'playbackControl']);

const hasOnly = (value: WireRecord, keys: ReadonlySet<string>): boolean =>
  Object.keys(value).every((key) => keys.has(key));

const isMusicPath = (path: string): boolean => path.includes('.BidiGenerateMusic');

/** What the upstream refuses of a setup. */
const isGoodSetup = (setup: WireRecord, path: string): boolean => {
  const { model } = setup;
  if (typeof model !== 'string' || !model.startsWith('models/')) return false;
  return hasOnly(setup, isMusicPath(path) ? new Set(['model']) : setupKeys);
};

const textOf = (data: RawData): string => (Buffer.isBuffer(data) ? data.toString('utf8') : '');

interface FakeState {
  readonly connections: FakeLiveConnection[];
  readonly openings: FakeLiveOpening[];
  readonly waiting: Set<() => void>;
}

const tellAll = (waiting: Set<() => void>): void => {
  for (const look of waiting) look();
};

const when = <T>(waiting: Set<() => void>, look: () => T | undefined): Promise<T> =>
  new Promise((resolve) => {
    const check = (): void => {
      const found = look();
      if (found === undefined) return;
      waiting.delete(check);
      resolve(found);
    };
    waiting.add(check);
    check();
  });

/** A session can be taken up again only once its old connection is gone. */
const isTakenTooEarly = ({ connections }: FakeState, setup: WireRecord): boolean =>
  recordOf(setup['sessionResumption'])['handle'] !== undefined && connections.some((other) => other.isOpen());

const receive = (state: FakeState, socket: WebSocket, { url: path = '', headers }: IncomingMessage): void => {
  const opening = state.openings.shift();
  const heard: WireRecord[] = [];
  let begun = false;
  const begin = (message: WireRecord): void => {
    begun = true;
    const setup = recordOf(message['setup']);
    if (opening?.kind === 'close') return socket.close(opening.code);
    if (Object.keys(message).join(',') !== 'setup' || !isGoodSetup(setup, path)) return socket.close(1007);
    if (isTakenTooEarly(state, setup)) return socket.close(1011);
    if (opening?.kind === 'silent') return;
    socket.send(JSON.stringify({ setupComplete: {} }));
    state.connections.push({
      path,
      headers,
      setup,
      heard,
      say: (said, form = 'text') => {
        const text = JSON.stringify(said);
        socket.send(form === 'text' ? text : Buffer.from(text));
      },
      close: (code) => socket.close(code),
      drop: () => socket.terminate(),
      isOpen: () => socket.readyState === socket.OPEN,
      received: (count) => when(state.waiting, () => (heard.length >= count ? true : undefined)).then(() => undefined),
    });
    tellAll(state.waiting);
  };
  socket.on('error', () => {});
  socket.on('message', (data: RawData) => {
    const message = recordOf(parseWire(textOf(data)));
    if (!begun) return begin(message);
    const known = isMusicPath(path) ? musicKeys : liveKeys;
    if (Object.keys(message).length !== 1 || !hasOnly(message, known)) return socket.close(1007);
    heard.push(message);
    tellAll(state.waiting);
  });
};

/** Starts an upstream on loopback that speaks the Gemini wire of sessions and of music: what it says is a test's business. */
export const startFakeGeminiLive = async (): Promise<FakeGeminiLive> => {
  const state: FakeState = { connections: [], openings: [], waiting: new Set() };
  const sockets = new WebSocketServer({ noServer: true });
  const server = createServer((_request, response) => response.writeHead(404).end());
  server.on('upgrade', (request, socket, head) => {
    const [opening] = state.openings;
    if (opening?.kind === 'status') {
      state.openings.shift();
      socket.end(`HTTP/1.1 ${opening.status} Refused\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
      return;
    }
    sockets.handleUpgrade(request, socket, head, (client) => receive(state, client, request));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : undefined}`,
    connections: state.connections,
    connected: (count) => when(state.waiting, () => state.connections[count - 1]),
    script: (...openings) => void state.openings.push(...openings),
    close: () =>
      new Promise((resolve) => {
        for (const client of sockets.clients) client.terminate();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
