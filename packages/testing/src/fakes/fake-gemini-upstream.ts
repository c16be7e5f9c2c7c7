import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { checkFakeGemini } from './fake-gemini-checks.ts';
import {
  createFakeGeminiFiles,
  type FakeFileAnswer,
  type FakeGeminiFile,
  type FakeGeminiFiles,
} from './fake-gemini-files.ts';
import { createFakeGeminiJobs, type FakeGeminiJobs } from './fake-gemini-jobs.ts';
import {
  fakeGeminiCount,
  fakeGeminiEmbeddings,
  fakeGeminiError,
  fakeGeminiResponse,
  mergeResponses,
  parseWire,
  recordOf,
  splitResponse,
} from './fake-gemini-wire.ts';

/** How a stream ends: as it should, by a lost connection, or never. */
type StreamEnd = 'clean' | 'cut' | 'hang';

/** What the fake upstream does with one request. */
export type FakeGeminiBehaviour =
  /**
   * 200 with these responses: as events where a stream is asked for, otherwise in one piece. One response alone is split
   * into events. Without any, what the request asks for: a generation, embeddings or a count.
   */
  | { readonly kind: 'answer'; readonly responses?: readonly unknown[]; readonly afterMs?: number }
  /** 200 with these events and this end (default: clean); objects as JSON, texts as they are. */
  | { readonly kind: 'events'; readonly events: readonly unknown[]; readonly end?: StreamEnd }
  /** 200 with embeddings of what is asked for, with these members in place of the default ones. */
  | { readonly kind: 'embeddings'; readonly rest: object }
  /** Any status, with a body (text as it is, anything else as JSON) and headers such as `retry-after`. */
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly body?: unknown;
      readonly headers?: Readonly<Record<string, string>>;
    }
  /** Writes these bytes to the connection as they are and ends it: cleanly, or not. */
  | { readonly kind: 'raw'; readonly bytes: Uint8Array; readonly end: 'clean' | 'cut' }
  /** Reads the request and never answers. */
  | { readonly kind: 'hang' }
  /** Destroys the connection when this much of the request's body has come, after it has written what is said. */
  | { readonly kind: 'cut_in_request'; readonly bytes: number; readonly begun?: string }
  /** 200 with that many bytes. */
  | { readonly kind: 'huge'; readonly bytes: number };

export interface FakeGeminiRequest {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly bytes: Buffer;
  /** Parsed; undefined where it is no JSON. */
  readonly body: unknown;
}

export interface FakeGeminiOptions {
  /** The key that requests must carry (default: any). */
  readonly apiKey?: string;
  /** How often a new file is said to be processing before it is active (default 0). */
  readonly processingReads?: number;
  /** How many of the last requests are kept (default 100). */
  readonly requestsMax?: number;
}

export interface FakeGemini {
  /** To be used as `baseUrl`, without a version. */
  readonly url: string;
  /** The last requests, oldest first. */
  readonly requests: readonly FakeGeminiRequest[];
  /** Requests so far. */
  readonly count: () => number;
  /** Behaviours of the next requests of models, in order. */
  readonly script: (...behaviours: readonly FakeGeminiBehaviour[]) => void;
  /** Behaviours of the next questions for work under way, and of what else is asked of it, in order. */
  readonly scriptJobs: (...behaviours: readonly FakeGeminiBehaviour[]) => void;
  /** Behaviours of the next requests of files, in order. */
  readonly scriptFiles: (...behaviours: readonly FakeGeminiBehaviour[]) => void;
  /** The copies that it keeps. */
  readonly files: () => readonly FakeGeminiFile[];
  readonly forgetFiles: () => void;
  /** Names of the caches that it keeps. */
  readonly caches: () => readonly string[];
  /** Names of the stores that it keeps, and of the documents in them. */
  readonly stores: () => readonly string[];
  /** Resolves when that many requests have come in all. */
  readonly received: (count: number) => Promise<void>;
  /** Destroys its connections and stops listening. */
  readonly close: () => Promise<void>;
}

const requestsMaxDefault = 100;

interface FakeState {
  readonly options: FakeGeminiOptions;
  readonly scripted: FakeGeminiBehaviour[];
  readonly scriptedFiles: FakeGeminiBehaviour[];
  readonly scriptedJobs: FakeGeminiBehaviour[];
  readonly requests: FakeGeminiRequest[];
  readonly files: FakeGeminiFiles;
  readonly jobs: FakeGeminiJobs;
  waiting: { readonly count: number; readonly resolve: () => void }[];
  count: number;
}

/**
 * Starts an upstream on loopback that speaks the Gemini wire over a real socket: generations whole and streamed, counts,
 * embeddings and files. It refuses what the upstream refuses, and otherwise does what a test tells it to.
 */
export const startFakeGemini = async (options: FakeGeminiOptions = {}): Promise<FakeGemini> => {
  let url = '';
  const files = createFakeGeminiFiles({ origin: () => url, processingReads: options.processingReads ?? 0 });
  const state: FakeState = {
    options,
    scripted: [],
    scriptedFiles: [],
    scriptedJobs: [],
    requests: [],
    files,
    jobs: createFakeGeminiJobs(() => url),
    waiting: [],
    count: 0,
  };
  const server = createServer((request, response) => receive(state, request, response));
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : undefined}`;
  return {
    url,
    requests: state.requests,
    count: () => state.count,
    script: (...behaviours) => void state.scripted.push(...behaviours),
    scriptJobs: (...behaviours) => void state.scriptedJobs.push(...behaviours),
    scriptFiles: (...behaviours) => void state.scriptedFiles.push(...behaviours),
    files: files.all,
    forgetFiles: files.forget,
    caches: state.jobs.caches,
    stores: state.jobs.stores,
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

const jobPath =
  /^(?:\/[^/]+)?\/v1(?:beta)?\/(?:batches\/|interactions\/|(?:models|fileSearchStores)\/[^/]+\/operations\/|files\/video-)/;
const modelPath =
  /^\/[^/]+\/[^/]+\/[^/?]+:\w+(\?|$)|\/(?:interactions|cachedContents(?:\/[^/?]+)?|fileSearchStores(?:\/[^?]+)?)(\?|$)/;

/** Which script a request follows. */
const scriptOf = (state: FakeState, method: string, path: string): FakeGeminiBehaviour[] => {
  if (jobPath.test(path)) return state.scriptedJobs;
  return modelPath.test(path) && method !== 'GET' ? state.scripted : state.scriptedFiles;
};

const receive = (state: FakeState, request: IncomingMessage, response: ServerResponse): void => {
  const path = request.url ?? '';
  const behaviour = scriptOf(state, request.method ?? '', path).shift() ?? { kind: 'answer' };
  const chunks: Buffer[] = [];
  let bytes = 0;
  request.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    bytes += chunk.length;
    if (behaviour.kind === 'cut_in_request' && bytes >= behaviour.bytes) {
      request.socket.write(behaviour.begun ?? '', () => request.socket.destroy());
    }
  });
  // A client that gives up is part of the script.
  request.on('error', () => {});
  request.on('end', () => {
    const whole = Buffer.concat(chunks);
    const { method = '', headers } = request;
    const received = { method, path, headers, bytes: whole, body: parseWire(whole.toString('utf8')) };
    record(state, received);
    perform(behaviour, { state, request: received, response });
  });
};

const record = (state: FakeState, request: FakeGeminiRequest): void => {
  state.count += 1;
  state.requests.push(request);
  if (state.requests.length > (state.options.requestsMax ?? requestsMaxDefault)) state.requests.shift();
  for (const { count, resolve } of state.waiting) if (state.count >= count) resolve();
  state.waiting = state.waiting.filter(({ count }) => state.count < count);
};

interface Exchange {
  readonly state: FakeState;
  readonly request: FakeGeminiRequest;
  readonly response: ServerResponse;
}

const perform = (behaviour: FakeGeminiBehaviour, exchange: Exchange): void => {
  const { request, response } = exchange;
  switch (behaviour.kind) {
    case 'answer':
      if (behaviour.afterMs === undefined) answer(behaviour.responses, exchange);
      else setTimeout(() => answer(behaviour.responses, exchange), behaviour.afterMs);
      break;
    case 'events':
      writeEvents(response, behaviour.events, behaviour.end ?? 'clean');
      break;
    case 'embeddings':
      write(response, 200, fakeGeminiEmbeddings(request.body, behaviour.rest));
      break;
    case 'status':
      write(response, behaviour.status, behaviour.body ?? '', behaviour.headers);
      break;
    case 'raw':
      if (behaviour.end === 'clean') response.socket?.end(behaviour.bytes);
      else response.socket?.write(behaviour.bytes, () => response.socket?.destroy());
      break;
    case 'hang':
    case 'cut_in_request':
      break;
    case 'huge':
      write(response, 200, ' '.repeat(behaviour.bytes));
      break;
  }
};

const answer = (responses: readonly unknown[] | undefined, { state, request, response }: Exchange): void => {
  const { apiKey } = state.options;
  if (apiKey !== undefined && request.headers['x-goog-api-key'] !== apiKey) {
    const details = [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'API_KEY_INVALID' }];
    write(response, 400, fakeGeminiError(400, 'INVALID_ARGUMENT', 'API key not valid.', details));
    return;
  }
  const file = told(responses, request) ?? state.files.handle(request) ?? state.jobs.handle(request);
  if (file !== undefined) {
    write(response, file.status, file.body, file.headers);
    return;
  }
  const [, model = '', verb = '', query = ''] = /\/([^/]+):(\w+)(\?.*)?$/.exec(request.path) ?? [];
  if (verb === 'embedContent' || verb === 'batchEmbedContents') {
    write(response, 200, fakeGeminiEmbeddings(request.body));
    return;
  }
  const refusal = checkFakeGemini(request.body, { model, knowsFile: state.files.knows });
  if (refusal !== undefined) {
    write(response, refusal.code, fakeGeminiError(refusal.code, refusal.status, refusal.message));
  } else if (verb === 'countTokens') write(response, 200, fakeGeminiCount(request.body));
  else if (verb === 'generateContent') write(response, 200, mergeResponses(responses ?? [fakeGeminiResponse()]));
  else if (verb === 'streamGenerateContent' && query.includes('alt=sse')) {
    writeEvents(response, eventsOf(responses ?? [fakeGeminiResponse()]), 'clean');
  } else write(response, 404, fakeGeminiError(404, 'NOT_FOUND', 'Requested entity was not found.'));
};

/** What a script says of work under way, in place of what became of it. */
const told = (responses: readonly unknown[] | undefined, { path }: FakeGeminiRequest): FakeFileAnswer | undefined =>
  responses !== undefined &&
  (jobPath.test(path) ||
    /:(?:predictLongRunning|batchGenerateContent|asyncBatch)|\/(?:interactions|cachedContents|fileSearchStores)/.test(
      path,
    ))
    ? { status: 200, body: recordOf(responses[0]) }
    : undefined;

const eventsOf = (responses: readonly unknown[]): readonly unknown[] =>
  responses.length === 1 ? splitResponse(responses[0]) : responses;

/** The text of a stream: a data line and a blank one for each event, and nothing at the end. */
export const fakeGeminiEvents = (events: readonly unknown[]): string =>
  events.map((event) => `data: ${typeof event === 'string' ? event : JSON.stringify(event)}\r\n\r\n`).join('');

const writeEvents = (response: ServerResponse, events: readonly unknown[], end: StreamEnd): void => {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const text = fakeGeminiEvents(events);
  if (end === 'clean') response.end(text);
  else response.write(text === '' ? ':\n\n' : text, () => (end === 'cut' ? response.destroy() : undefined));
};

const write = (
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void => {
  const bytes = Buffer.isBuffer(body) ? body : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': bytes.length, ...headers });
  response.end(bytes);
};
