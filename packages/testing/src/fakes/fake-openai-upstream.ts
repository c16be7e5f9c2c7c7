import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { fakeResponse, fakeResponseEvents, isFakeResponse } from './fake-openai-responses.ts';
import { fakeChunks, fakeCompletion, fakeEmbeddings } from './fake-openai-wire.ts';

/** What the fake upstream does with one request. */
export type FakeOpenaiBehaviour =
  /**
   * 200 with a chat completion or a response, as the path wants it and as a stream where one is asked for, or with embeddings;
   * `body` replaces the default one, `afterMs` makes it slow.
   */
  | { readonly kind: 'answer'; readonly body?: unknown; readonly afterMs?: number }
  /** 200 with these events, and then what is said; objects as JSON, texts as they are. */
  | {
      readonly kind: 'stream';
      readonly chunks: readonly unknown[];
      /** `done` (default) sends `[DONE]` and ends; `end` only ends. */
      readonly afterwards?: 'done' | 'end' | 'cut' | 'hang';
    }
  /** 200 with embeddings of what is asked for, with these members in place of the default ones. */
  | { readonly kind: 'embeddings'; readonly rest: object }
  /** Any status, with a body (text as it is, anything else as JSON) and headers such as `retry-after`. */
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly body?: unknown;
      readonly headers?: Readonly<Record<string, string>>;
    }
  /** 200 with bytes that are no JSON. */
  | { readonly kind: 'bytes'; readonly mimeType: string; readonly bytes: Uint8Array }
  /** Reads the request and never answers. */
  | { readonly kind: 'hang' }
  | { readonly kind: 'cut_before_headers' }
  /** Sends headers and a part of the answer, then destroys the connection. */
  | { readonly kind: 'cut_mid_body' }
  /** 200 with that many bytes. */
  | { readonly kind: 'huge'; readonly bytes: number };

export interface FakeOpenaiRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** As it came. */
  readonly text: string;
  /** Parsed; undefined where it is no JSON. */
  readonly body: unknown;
}

export interface FakeOpenaiOptions {
  /** What is done with a request that no scripted behaviour waits for (default: a fixed answer). */
  readonly otherwise?: FakeOpenaiBehaviour;
  /** 0 (default) takes a free port. */
  readonly port?: number;
  /** How many of the last requests are kept (default 100); 0 for benchmarks, which then pay for no parsing. */
  readonly requestsMax?: number;
}

export interface FakeOpenai {
  /** To be used as `baseUrl`; ends in `/v1`. */
  readonly url: string;
  /** The last requests, oldest first. */
  readonly requests: readonly FakeOpenaiRequest[];
  /** Requests so far. */
  readonly count: () => number;
  /** What it called the last request, in `x-request-id`. */
  readonly requestId: () => string;
  /** Behaviours of the next requests, in order. */
  readonly script: (...behaviours: readonly FakeOpenaiBehaviour[]) => void;
  /** Resolves when that many requests have come in all. */
  readonly received: (count: number) => Promise<void>;
  /** Destroys its connections and stops listening. */
  readonly close: () => Promise<void>;
}

const requestsMaxDefault = 100;

interface FakeState {
  readonly options: FakeOpenaiOptions;
  readonly scripted: FakeOpenaiBehaviour[];
  readonly requests: FakeOpenaiRequest[];
  waiting: { readonly count: number; readonly resolve: () => void }[];
  count: number;
}

/** Starts an upstream on loopback that speaks chat completions and embeddings over a real socket and does what a test tells it to. */
export const startFakeOpenai = async (options: FakeOpenaiOptions = {}): Promise<FakeOpenai> => {
  const state: FakeState = { options, scripted: [], requests: [], waiting: [], count: 0 };
  const server = createServer((request, response) => receive(state, request, response));
  await new Promise<void>((resolve) => {
    server.listen(options.port ?? 0, '127.0.0.1', resolve);
  });
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  return {
    url: `http://127.0.0.1:${port}/v1`,
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
    const bytes = Buffer.concat(chunks);
    record(state, request, bytes);
    response.setHeader('x-request-id', requestIdOf(state));
    behave(state.scripted.shift() ?? state.options.otherwise ?? { kind: 'answer' }, {
      response,
      bytes,
      method: request.url?.split('?')[0]?.split('/').at(-1) ?? '',
    });
  });
};

const requestIdOf = ({ count }: FakeState): string => `req-fake-${count}`;

const record = (state: FakeState, request: IncomingMessage, bytes: Buffer): void => {
  const kept = state.options.requestsMax ?? requestsMaxDefault;
  state.count += 1;
  if (kept > 0) {
    const text = bytes.toString('utf8');
    state.requests.push({ path: request.url ?? '', headers: request.headers, text, body: parse(text) });
    if (state.requests.length > kept) state.requests.shift();
  }
  if (state.waiting.length === 0) return;
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

const defaultBytes = Buffer.from(JSON.stringify(fakeCompletion()));
const defaultChunks = fakeChunks(fakeCompletion());
const asksForStream = '"stream":true';

interface Exchange {
  readonly response: ServerResponse;
  readonly bytes: Buffer;
  /** The last word of the path, as in `embeddings`. */
  readonly method: string;
}

const behave = (behaviour: FakeOpenaiBehaviour, exchange: Exchange): void => {
  const { response } = exchange;
  switch (behaviour.kind) {
    case 'answer': {
      if (behaviour.afterMs === undefined) answer(behaviour.body, exchange);
      else setTimeout(() => answer(behaviour.body, exchange), behaviour.afterMs);
      break;
    }
    case 'embeddings':
      write(response, 200, toBytes(fakeEmbeddings(parse(exchange.bytes.toString('utf8')), behaviour.rest)));
      break;
    case 'stream':
      writeEvents(response, behaviour.chunks, behaviour.afterwards ?? 'done');
      break;
    case 'status':
      write(response, behaviour.status, toBytes(behaviour.body ?? ''), behaviour.headers);
      break;
    case 'bytes':
      write(response, 200, Buffer.from(behaviour.bytes), { 'content-type': behaviour.mimeType });
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
    case 'huge':
      write(response, 200, Buffer.alloc(behaviour.bytes, ' '));
      break;
  }
};

const eventsOf = (body: unknown): readonly unknown[] =>
  isFakeResponse(body) ? fakeResponseEvents(body) : fakeChunks(body);

const answer = (body: unknown, { response, bytes, method }: Exchange): void => {
  const embeds = method === 'embeddings';
  if (embeds && body === undefined) {
    write(response, 200, toBytes(fakeEmbeddings(parse(bytes.toString('utf8')))));
    return;
  }
  const given = body ?? (method === 'responses' ? fakeResponse() : undefined);
  if (!embeds && bytes.includes(asksForStream)) {
    writeEvents(response, given === undefined ? defaultChunks : eventsOf(given), 'done');
  } else {
    write(response, 200, given === undefined ? defaultBytes : toBytes(given));
  }
};

const writeEvents = (
  response: ServerResponse,
  chunks: readonly unknown[],
  afterwards: 'done' | 'end' | 'cut' | 'hang',
): void => {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const events = [...chunks, ...(afterwards === 'done' ? ['[DONE]'] : [])];
  const text = events.map((event) => `data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`).join('');
  if (afterwards === 'done' || afterwards === 'end') response.end(text);
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
