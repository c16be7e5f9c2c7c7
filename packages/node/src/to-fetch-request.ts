import type { IncomingMessage } from 'node:http';
import { BodyStopped } from '@tollgate/routes';
import { readKeptBody, wasRead } from './kept-body.ts';
import { originOf, pathOf } from './node-address.ts';
import type { NodeLimits } from './node-limits.ts';
import { readNodeChunks } from './read-node-chunks.ts';
import { toHeaders } from './to-headers.ts';

/** How a request of Node becomes a `Request`. */
export interface FetchRequestRules {
  /** The origin that clients use, where a proxy ends TLS or changes the host; by default what the request itself says. */
  readonly origin: string | null;
  readonly bodyBytesMax: number;
  readonly limits: NodeLimits;
}

/** Takes the place of the host where a client of HTTP/1.0 sends none. */
const unnamedHost = 'localhost';

/** A host with an optional port, and nothing that would move the path, such as a slash or the sign `@`. */
const isHost = (text: string): boolean => /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i.test(text);

/** The whole address, or null where the request names no address of this server. */
const addressOf = (request: IncomingMessage, origin: string | null): URL | null => {
  const path = pathOf(request) || '/';
  const { host = unnamedHost } = request.headers;
  if (!path.startsWith('/') || (origin === null && !isHost(host))) return null;
  const base = origin ?? (request.headers.host === undefined ? `http://${unnamedHost}` : originOf(request));
  const address = `${base}${path}`;
  return URL.canParse(address) ? new URL(address) : null;
};

/** What became of reading a body. */
export interface BodyState {
  stopped: BodyStopped['why'] | null;
}

/** The socket takes its chunks back when the next one is asked for, and a `Request` keeps what it was given: each is copied. */
async function* copiedChunks(
  request: IncomingMessage,
  { bodyBytesMax, limits }: FetchRequestRules,
  state: BodyState,
): AsyncGenerator<Uint8Array, void> {
  try {
    for await (const chunk of readNodeChunks(request, bodyBytesMax, limits)) yield Uint8Array.from(chunk);
  } catch (error) {
    if (error instanceof BodyStopped) state.stopped = error.why;
    throw error;
  }
}

const hasBody = ({ method, headers }: IncomingMessage): boolean =>
  method !== 'GET' &&
  method !== 'HEAD' &&
  (headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0);

/** Methods that a `Request` cannot have. */
const refusedMethods: ReadonlySet<string> = new Set(['CONNECT', 'TRACE', 'TRACK']);

export interface ReadyRequest {
  readonly kind: 'request';
  readonly request: Request;
  readonly body: BodyState;
}

interface Refusal {
  readonly kind: 'refused';
  readonly status: 400 | 405 | 413 | 500;
  /** What the host must mend; null where the client is at fault. */
  readonly cause: unknown;
}

const refused = (status: Refusal['status'], cause: unknown = null): Refusal => ({ kind: 'refused', status, cause });

/** Why the body cannot be read at all, or null. A body that another reader took must have been kept. */
const bodyRefusal = (incoming: IncomingMessage, { bodyBytesMax }: FetchRequestRules): Refusal | null => {
  if (Number(incoming.headers['content-length'] ?? 0) > bodyBytesMax) return refused(413);
  if (!wasRead(incoming)) return null;
  try {
    return readKeptBody(incoming, bodyBytesMax).kind === 'too_large' ? refused(413) : null;
  } catch (cause) {
    return refused(500, cause);
  }
};

/** The request with its body unread: the body is read from the socket as far as the handler reads it. */
export const toFetchRequest = (
  incoming: IncomingMessage,
  rules: FetchRequestRules,
  signal: AbortSignal,
): ReadyRequest | Refusal => {
  const { method = 'GET' } = incoming;
  if (refusedMethods.has(method)) return refused(405);
  const address = addressOf(incoming, rules.origin);
  if (address === null) return refused(400);
  const body: BodyState = { stopped: null };
  const init: RequestInit = { method, headers: toHeaders(incoming), signal };
  if (hasBody(incoming)) {
    const refusal = bodyRefusal(incoming, rules);
    if (refusal !== null) return refusal;
    init.body = ReadableStream.from(copiedChunks(incoming, rules, body));
    init.duplex = 'half';
  }
  return { kind: 'request', request: new Request(address, init), body };
};
