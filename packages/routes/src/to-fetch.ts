import { BodyStopped } from './body-stopped.ts';
import { byteStream } from './byte-body.ts';
import { feedBody } from './feed-body.ts';
import type { BodyRead, GatewayHandler, GatewayRequest, GatewayResponse } from './gateway-request.ts';

const concat = (chunks: readonly Uint8Array[], size: number): Uint8Array => {
  const [only] = chunks;
  return chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks, size);
};

/** Counts while reading, and stops at the first byte too many without reading the rest. Throws where another reader has taken it. */
const readBody = async (request: Request, bytesMax: number): Promise<BodyRead> => {
  const declared = Number(request.headers.get('content-length') ?? 0);
  if (declared > bytesMax) return { kind: 'too_large' };
  if (request.bodyUsed)
    throw new Error('the body of the request was read before the gateway was asked: give it the request unread');
  if (request.body === null) return { kind: 'read', bytes: new Uint8Array(0) };
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of request.body as ReadableStream<Uint8Array>) {
      size += chunk.byteLength;
      if (size > bytesMax) return { kind: 'too_large' };
      chunks.push(chunk);
    }
  } catch {
    return { kind: 'incomplete' };
  }
  return { kind: 'read', bytes: concat(chunks, size) };
};

/** The next piece, or undefined at the end. */
const readPiece = async (reader: ReadableStreamDefaultReader<Uint8Array>): Promise<Uint8Array | undefined> => {
  try {
    return (await reader.read()).value;
  } catch {
    throw new BodyStopped('incomplete');
  }
};

/** The chunks of a body as they are asked for; a reader that stops cancels the rest. */
async function* readBodyChunks(request: Request, bytesMax: number): AsyncGenerator<Uint8Array, void> {
  if (Number(request.headers.get('content-length') ?? 0) > bytesMax) throw new BodyStopped('too_large');
  if (request.bodyUsed)
    throw new Error('the body of the request was read before the gateway was asked: give it the request unread');
  if (request.body === null) return;
  const reader = request.body.getReader();
  let size = 0;
  try {
    for (;;) {
      const piece = await readPiece(reader);
      if (piece === undefined) return;
      size += piece.byteLength;
      if (size > bytesMax) throw new BodyStopped('too_large');
      yield piece;
    }
  } finally {
    // After the end there is nothing to cancel, and of a body that broke nothing is left.
    await reader.cancel().catch(() => undefined);
  }
}

const addressOf = (request: Request): Pick<GatewayRequest, 'path' | 'query' | 'origin'> => {
  const { pathname, search, origin } = new URL(request.url);
  return { path: pathname, query: search.slice(1), origin };
};

/** Whether an answer was handed to the server: what becomes of it there is not told. */
interface Answering {
  answered: boolean;
}

const watchLeaving = ({ signal }: Request, answering: Answering, leave: () => void): (() => void) => {
  const onAbort = (): void => {
    if (!answering.answered) leave();
  };
  if (signal.aborted) onAbort();
  else signal.addEventListener('abort', onAbort, { once: true });
  return () => signal.removeEventListener('abort', onAbort);
};

const fromFetch = (request: Request, answering: Answering): GatewayRequest => ({
  method: request.method,
  ...addressOf(request),
  raw: request,
  headers: () => request.headers,
  header: (name) => request.headers.get(name),
  readBody: (bytesMax) => readBody(request, bytesMax),
  readBodyChunks: (bytesMax) => readBodyChunks(request, bytesMax),
  isGone: () => request.signal.aborted,
  onGone: (leave) => watchLeaving(request, answering, leave),
});

const toBody = (body: GatewayResponse['body']): string | ReadableStream<Uint8Array> => {
  if (typeof body === 'string') return body;
  return body.kind === 'bytes' ? byteStream(body) : feedBody(body);
};

/** The gateway as the function that every JavaScript server can mount. */
export const toFetch =
  (handle: GatewayHandler) =>
  async (request: Request): Promise<Response> => {
    const answering: Answering = { answered: false };
    const { status, headers, body } = await handle(fromFetch(request, answering));
    answering.answered = true;
    const isBodyless = request.method === 'HEAD' || status === 304;
    return new Response(isBodyless ? null : toBody(body), { status, headers });
  };
