import { GatewayError, parseIdempotencyKey, type RouteId } from '@tollgate/contract';
import { hasUndelivered, lacksMeans, type Access, type Engine, type Estimate } from '@tollgate/engine';
import type { BodyRead, GatewayRequest } from './gateway-request.ts';
import { retryOf } from './retry-of.ts';
import type { Service } from './service.ts';

/** A body of more bytes is not read before it is known that its sender has any credits at all. */
const unpaidBodyBytesMax = 262_144;

const text: Estimate = [{ unit: 'output_text_tokens', quantity: 1 }];

/** What a call of a route is certain to use beside the price list's minimum. A route that may cost nothing is not here. */
const leastOf: Partial<Readonly<Record<RouteId, Estimate>>> = {
  createChatCompletion: text,
  generateContent: text,
  streamGenerateContent: text,
  createEmbeddings: [],
  createVideo: [],
  createInteraction: [],
  createBatch: [],
  createCache: [],
};

/**
 * Whether a request may take up what was paid for: a retry of a key that has an operation without a reader, or an identity that
 * the handler refuses. That a client calls its request a retry is not enough.
 */
const mayBeRepeat = async (engine: Engine, keyId: string, request: GatewayRequest): Promise<boolean> => {
  const header = request.header('idempotency-key');
  if (header === null) return (retryOf(request).retry?.count ?? 0) > 0 && (await hasUndelivered(engine, keyId));
  try {
    parseIdempotencyKey(header);
    return false;
  } catch {
    return true;
  }
};

const declaredBytes = (request: GatewayRequest): number | null => {
  const header = request.header('content-length');
  return header === null ? null : Number(header);
};

/** Reads on behind so many bytes only where the check lets it. */
async function* checkedChunks(
  chunks: AsyncIterable<Uint8Array>,
  check: () => Promise<void>,
): AsyncGenerator<Uint8Array, void> {
  let size = 0;
  let isChecked = false;
  for await (const chunk of chunks) {
    size += chunk.byteLength;
    if (!isChecked && size > unpaidBodyBytesMax) {
      isChecked = true;
      await check();
    }
    yield chunk;
  }
}

/** Whose call of which route it is. */
export interface Charged {
  readonly access: Access;
  readonly route: RouteId;
}

/**
 * The same request, but a large body of it is read only where the caller has credits: 402 is reported before the rest is read. What may
 * be a repeat of something that was paid for is read as ever, and so is what is too large for its route in any case.
 */
export const withMeansFirst = (
  { engine }: Pick<Service, 'engine'>,
  request: GatewayRequest,
  { access, route }: Charged,
): GatewayRequest => {
  const { model } = access;
  const estimate = leastOf[route];
  if (model === null || estimate === undefined) return request;
  const check = async (): Promise<void> => {
    if (await mayBeRepeat(engine, access.keyId, request)) return;
    const identity = request.header('idempotency-key');
    const intent = { access, kind: null, model, estimate, identity };
    if (await lacksMeans(engine, intent)) throw new GatewayError('ai_insufficient_credits');
  };
  const bytes = declaredBytes(request);
  if (bytes !== null && bytes <= unpaidBodyBytesMax) return request;
  const readBody = async (bytesMax: number): Promise<BodyRead> => {
    if (bytes !== null && bytes <= bytesMax) await check();
    return request.readBody(bytesMax);
  };
  async function* readBodyChunks(bytesMax: number): AsyncGenerator<Uint8Array, void> {
    if (bytes === null) return yield* checkedChunks(request.readBodyChunks(bytesMax), check);
    if (bytes <= bytesMax) await check();
    yield* request.readBodyChunks(bytesMax);
  }
  return { ...request, readBody, readBodyChunks };
};
