import type { IncomingMessage, ServerResponse } from 'node:http';
import { callable, checkConfiguration, isWebOrigin, optionsCheck, text, whole } from '@tollgate/contract/configuration';
import { checkHandler } from './check-handler.ts';
import { discardRest } from './discard-rest.ts';
import { tellOfProcessing } from './interim-responses.ts';
import { defaultNodeLimits, nodeLimitChecks, type NodeLimits } from './node-limits.ts';
import { sendBytes } from './send-bytes.ts';
import { toFetchRequest, type FetchRequestRules, type ReadyRequest } from './to-fetch-request.ts';
import type { NodeListener } from './to-node-listener.ts';

/** What the administration, the console, the metrics and the webhook endpoint of payments are. */
export type FetchHandler = (request: Request) => Response | Promise<Response>;

export interface FetchListenerOptions extends Partial<NodeLimits> {
  /** How many bytes of a body reach the handler: 16 MiB by default. A handler may read less. */
  readonly bodyBytesMax?: number;
  /**
   * The origin that clients use, such as `https://shop.example`, where a proxy ends TLS or changes the host. By default the
   * origin is that of the request, by its `Host`.
   */
  readonly origin?: string;
  /** Is called with what the handler threw, and with a response that broke off. By default standard error gets it. */
  readonly onError?: (cause: unknown) => void;
}

const defaultBodyBytesMax = 16_777_216;

const optionsOfListener = optionsCheck<FetchListenerOptions>({
  ...nodeLimitChecks,
  bodyBytesMax: whole(),
  origin: text({ isSound: isWebOrigin, accepted: 'is a scheme, http or https, with a host and nothing behind it' }),
  onError: callable(),
});

interface Parts {
  readonly handler: FetchHandler;
  readonly rules: FetchRequestRules;
  readonly onError: (cause: unknown) => void;
}

/** Aborts when the client leaves before it has the whole response. */
const signalOf = (response: ServerResponse): AbortSignal => {
  const controller = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) controller.abort();
  });
  if (response.destroyed) controller.abort();
  return controller.signal;
};

/** Pairs, for a response may set several cookies. */
const headersOf = ({ headers }: Response): string[] =>
  [...headers]
    .flatMap(([name, value]) => (name === 'set-cookie' ? [] : [name, value]))
    .concat(headers.getSetCookie().flatMap((cookie) => ['set-cookie', cookie]));

/** The chunks of a body. When the client leaves, what the handler still makes is cancelled at once, not at its next chunk. */
async function* chunksOf(body: ReadableStream<Uint8Array>, signal: AbortSignal): AsyncGenerator<Uint8Array, void> {
  const reader = body.getReader();
  const cancel = (): void => void reader.cancel().catch(() => undefined);
  if (signal.aborted) cancel();
  else signal.addEventListener('abort', cancel, { once: true });
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    signal.removeEventListener('abort', cancel);
    cancel();
  }
}

interface Sending {
  readonly isHead: boolean;
  readonly signal: AbortSignal;
  readonly answerMs: number;
}

const send = async (
  outgoing: ServerResponse,
  response: Response,
  { isHead, signal, answerMs }: Sending,
): Promise<void> => {
  const { status, body } = response;
  if (isHead || signal.aborted) await body?.cancel();
  if (signal.aborted) return;
  outgoing.writeHead(status, headersOf(response));
  if (isHead || body === null) {
    outgoing.end();
    return;
  }
  // A stream may begin long after its headers.
  outgoing.flushHeaders();
  await sendBytes(outgoing, { chunks: chunksOf(body, signal) }, answerMs);
};

const refusal = (status: number): Response => new Response(null, { status });

/** The response of the handler. A body that the listener itself stopped explains why the handler failed. */
const handled = async ({ request, body }: ReadyRequest, { handler, onError }: Parts): Promise<Response> => {
  try {
    return await handler(request);
  } catch (cause) {
    if (body.stopped === 'too_large') return refusal(413);
    if (body.stopped === 'incomplete') return refusal(400);
    // A handler whose client left is free to give up.
    if (!request.signal.aborted) onError(cause);
    return refusal(500);
  }
};

const respond = async (incoming: IncomingMessage, outgoing: ServerResponse, parts: Parts): Promise<void> => {
  const { limits } = parts.rules;
  const sending = { isHead: incoming.method === 'HEAD', signal: signalOf(outgoing), answerMs: limits.answerMs };
  const asked = toFetchRequest(incoming, parts.rules, sending.signal);
  if (asked.kind === 'refused') {
    if (asked.cause !== null) parts.onError(asked.cause);
    discardRest(incoming, limits);
    await send(outgoing, refusal(asked.status), sending);
    return;
  }
  const stopTelling = tellOfProcessing(incoming, outgoing, limits.processingMs);
  await send(outgoing, await handled(asked, parts).finally(stopTelling), sending);
};

/**
 * A `fetch` handler as a Node request listener, for `http.createServer` and Express. The bodies of both directions are streamed,
 * and the signal of the request aborts when the client leaves. In Express the handler gets the whole path, also where the
 * listener is mounted by `app.use`. Mount it before body parsers. A handler that throws responds with 500.
 */
export const fetchListener = (handler: FetchHandler, options: FetchListenerOptions = {}): NodeListener => {
  checkHandler('fetchListener', 'handler', handler);
  checkConfiguration('fetchListener', optionsOfListener, options);
  const {
    bodyBytesMax = defaultBodyBytesMax,
    origin = null,
    onError = (cause) => console.error(cause),
    ...given
  } = options;
  const parts: Parts = {
    handler,
    onError,
    rules: { origin, bodyBytesMax, limits: { ...defaultNodeLimits, ...given } },
  };
  return (incoming, outgoing) => {
    respond(incoming, outgoing, parts).catch((cause: unknown) => {
      // Where the client left there is no receiver; otherwise the response broke off, and the client must see that.
      if (!outgoing.destroyed) onError(cause);
      outgoing.destroy();
    });
  };
};
