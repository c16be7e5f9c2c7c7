import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { fakeMessage, fakeMessageEvents } from './fake-anthropic-wire.ts';

/** What the fake upstream does with one request. */
export type FakeAnthropicBehaviour =
  /** 200 with a message, as a stream where one is asked for; `message` replaces the default one. */
  | { readonly kind: 'answer'; readonly message?: unknown }
  /** 200 with these events, and then what is said (default: the connection ends). */
  | { readonly kind: 'stream'; readonly events: readonly object[]; readonly afterwards?: 'end' | 'cut' | 'hang' }
  /** Any status, with a body (text as it is, anything else as JSON) and headers such as `retry-after`. */
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly body?: unknown;
      readonly headers?: Readonly<Record<string, string>>;
    }
  /** Reads the request and never answers. */
  | { readonly kind: 'hang' }
  | { readonly kind: 'cut_before_headers' }
  /** Sends headers and a part of the answer, then destroys the connection. */
  | { readonly kind: 'cut_mid_body' };

export interface FakeAnthropicRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Parsed; undefined where it is no JSON. */
  readonly body: unknown;
}

export interface FakeAnthropic {
  /** To be used as `baseUrl`. */
  readonly url: string;
  /** The last 100 requests, oldest first. */
  readonly requests: readonly FakeAnthropicRequest[];
  /** Requests so far. */
  readonly count: () => number;
  /** What it called the last request, in `request-id`. */
  readonly requestId: () => string;
  /** Behaviours of the next requests, in order; a request without one gets the default message. */
  readonly script: (...behaviours: readonly FakeAnthropicBehaviour[]) => void;
  /** Resolves when that many requests have come in all. */
  readonly received: (count: number) => Promise<void>;
  /** Destroys its connections and stops listening. */
  readonly close: () => Promise<void>;
}

const requestsMax = 100;

interface FakeState {
  readonly scripted: FakeAnthropicBehaviour[];
  readonly requests: FakeAnthropicRequest[];
  waiting: { readonly count: number; readonly resolve: () => void }[];
  count: number;
}

const requestIdOf = ({ count }: FakeState): string => `req_fake_${count}`;

/** Starts an upstream on loopback that speaks the Messages API over a real socket and does what a test tells it to. */
export const startFakeAnthropic = async (): Promise<FakeAnthropic> => {
  const state: FakeState = { scripted: [], requests: [], waiting: [], count: 0 };
  const server = createServer((request, response) => receive(state, request, response));
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  return {
    url: `http://127.0.0.1:${port}`,
    requests: state.requests,
    count: () => state.count,
    requestId: () => requestIdOf(state),
    script: (...behaviours) => void state.scripted.push(...behaviours),
    received: (count) =>
      new Promise((resolve) => {
        if (state.count >= count) resolve();
        else state.waiting.push({ count, resolve });
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};

const receive = (state: FakeState, request: IncomingMessage, response: ServerResponse): void => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  // A client that gives up is part of the script.
  request.on('error', () => {});
  request.on('end', () => {
    const body = parse(Buffer.concat(chunks).toString('utf8'));
    record(state, { method: request.method ?? '', path: request.url ?? '', headers: request.headers, body });
    response.setHeader('request-id', requestIdOf(state));
    behave(state.scripted.shift() ?? { kind: 'answer' }, response, asksForStream(body));
  });
};

const record = (state: FakeState, request: FakeAnthropicRequest): void => {
  state.count += 1;
  state.requests.push(request);
  if (state.requests.length > requestsMax) state.requests.shift();
  for (const { count, resolve } of state.waiting) if (state.count >= count) resolve();
  state.waiting = state.waiting.filter(({ count }) => state.count < count);
};

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
};

const asksForStream = (body: unknown): boolean =>
  typeof body === 'object' && body !== null && 'stream' in body && body.stream === true;

const defaultBytes = Buffer.from(JSON.stringify(fakeMessage()));

const behave = (behaviour: FakeAnthropicBehaviour, response: ServerResponse, streams: boolean): void => {
  switch (behaviour.kind) {
    case 'answer': {
      const message = behaviour.message ?? fakeMessage();
      if (streams) writeEvents(response, fakeMessageEvents(message), 'end');
      else write(response, 200, toBytes(message));
      break;
    }
    case 'stream':
      writeEvents(response, behaviour.events, behaviour.afterwards ?? 'end');
      break;
    case 'status':
      write(response, behaviour.status, toBytes(behaviour.body ?? ''), behaviour.headers);
      break;
    case 'hang':
      break;
    case 'cut_before_headers':
      response.destroy();
      break;
    case 'cut_mid_body':
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': defaultBytes.length });
      response.write(defaultBytes.subarray(0, 40), () => response.destroy());
      break;
  }
};

const encode = (event: object): string =>
  `event: ${'type' in event ? String(event.type) : 'message'}\ndata: ${JSON.stringify(event)}\n\n`;

const writeEvents = (response: ServerResponse, events: readonly object[], afterwards: 'end' | 'cut' | 'hang'): void => {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
  const text = events.map(encode).join('');
  if (afterwards === 'end') response.end(text);
  else response.write(text === '' ? ':\n\n' : text, () => (afterwards === 'cut' ? response.destroy() : undefined));
};

const toBytes = (body: unknown): Buffer => Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));

const write = (
  response: ServerResponse,
  status: number,
  bytes: Buffer,
  headers: Readonly<Record<string, string>> = {},
): void => {
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': bytes.length, ...headers });
  response.end(bytes);
};
