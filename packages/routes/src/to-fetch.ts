import type { GatewayHandler } from './create-handler.ts';
import type { BodyRead, GatewayRequest } from './gateway-request.ts';

const concat = (chunks: readonly Uint8Array[], size: number): Uint8Array => {
  const [only] = chunks;
  return chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks, size);
};

/** Counts while reading, and stops at the first byte too many without reading the rest. Throws where somebody else has read it. */
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

const fromFetch = (request: Request): GatewayRequest => ({
  method: request.method,
  path: new URL(request.url).pathname,
  header: (name) => request.headers.get(name),
  readBody: (bytesMax) => readBody(request, bytesMax),
  isGone: () => request.signal.aborted,
});

/** The gateway as the function that every JavaScript server can mount. */
export const toFetch =
  (handle: GatewayHandler) =>
  async (request: Request): Promise<Response> => {
    const { status, headers, body } = await handle(fromFetch(request));
    return new Response(body, { status, headers });
  };
