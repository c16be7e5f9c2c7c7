import type { IncomingMessage, ServerResponse } from 'node:http';
import { checkConfiguration } from '@tollgate/contract/configuration';
import type { GatewayHandler, GatewayRequest, GatewayResponse } from '@tollgate/routes';
import { checkHandler } from './check-handler.ts';
import { toHeaders } from './to-headers.ts';
import { tellOfProcessing } from './interim-responses.ts';
import { originOf, pathOf, splitAddress } from './node-address.ts';
import { defaultNodeLimits, nodeLimitsCheck, type NodeLimits } from './node-limits.ts';
import { readNodeBody } from './read-node-body.ts';
import { readNodeChunks } from './read-node-chunks.ts';
import { sendBytes } from './send-bytes.ts';
import { sendFeed } from './send-feed.ts';
import { createTurnEnd, type AtTurnEnd } from './turn-end.ts';

/** What `http.createServer`, Express and every other Node server call. */
export type NodeListener = (request: IncomingMessage, response: ServerResponse) => void;

const headerOf = (request: IncomingMessage, name: string): string | null => {
  const value = request.headers[name];
  if (value === undefined) return null;
  return typeof value === 'string' ? value : value.join(', ');
};

/** A connection that closes before the head of its answer was written is a client that leaves; the interim ones do not count. */
const watchLeaving = (response: ServerResponse, leave: () => void): (() => void) => {
  const onClose = (): void => {
    if (!response.headersSent) leave();
  };
  if (response.destroyed) onClose();
  else response.once('close', onClose);
  return () => void response.off('close', onClose);
};

const fromNode = (request: IncomingMessage, response: ServerResponse, limits: NodeLimits): GatewayRequest => ({
  method: request.method ?? 'GET',
  ...splitAddress(pathOf(request)),
  origin: originOf(request),
  raw: request,
  headers: () => toHeaders(request),
  header: (name) => headerOf(request, name),
  readBody: (bytesMax) => readNodeBody(request, bytesMax, limits),
  readBodyChunks: (bytesMax) => readNodeChunks(request, bytesMax, limits),
  isGone: () => response.destroyed,
  onGone: (leave) => watchLeaving(response, leave),
});

/** Cuts off a client that does not read; where the socket took everything at once, as it nearly always does, nothing is set. */
const limitReading = (response: ServerResponse, answerMs: number): void => {
  if (response.writableLength === 0) return;
  const timer = setTimeout(() => response.destroy(), answerMs);
  response.once('close', () => clearTimeout(timer));
};

/** 304 has no body, and the length of an empty one would be read as that of the document. */
const notModified = 304;

/** Bytes of a body whose length is known before it is sent; null where no length is to be sent. */
const lengthOf = ({ status, body }: GatewayResponse): number | null => {
  if (status === notModified) return null;
  if (typeof body === 'string') return Buffer.byteLength(body);
  return body.kind === 'bytes' ? body.sizeBytes : null;
};

interface Sending {
  readonly answerMs: number;
  readonly atTurnEnd: AtTurnEnd;
}

const send = (
  response: ServerResponse,
  body: GatewayResponse['body'],
  { answerMs, atTurnEnd }: Sending,
): undefined | Promise<void> => {
  if (typeof body === 'string') {
    response.end(body);
    limitReading(response, answerMs);
  } else if (body.kind === 'bytes') return sendBytes(response, body, answerMs);
  else sendFeed(response, body, { stallMs: answerMs, atTurnEnd });
  return undefined;
};

/**
 * The gateway as a Node request listener, without the `Request` and `Response` objects between: the fastest way to serve it.
 * Mount it before body parsers. A client that leaves cancels nothing.
 */
export const toNodeListener = (handle: GatewayHandler, limits: Partial<NodeLimits> = {}): NodeListener => {
  checkHandler('toNodeListener', 'handle', handle);
  checkConfiguration('toNodeListener', nodeLimitsCheck, limits);
  const bounds = { ...defaultNodeLimits, ...limits };
  const sending: Sending = { answerMs: bounds.answerMs, atTurnEnd: createTurnEnd() };
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const stopTelling = tellOfProcessing(request, response, bounds.processingMs);
    let answered: GatewayResponse;
    try {
      answered = await handle(fromNode(request, response, bounds));
    } finally {
      stopTelling();
    }
    const { status, headers, body } = answered;
    if (response.destroyed) return;
    const length = lengthOf(answered);
    response.writeHead(status, length === null ? { ...headers } : { ...headers, 'content-length': length });
    if (request.method === 'HEAD') {
      response.end();
      return;
    }
    const sent = send(response, body, sending);
    if (sent !== undefined) await sent;
  };
  // A handler never throws; what is left to fail is the socket, and then no receiver is left.
  return (request, response) => void respond(request, response).catch(() => response.destroy());
};
