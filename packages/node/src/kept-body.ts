import type { IncomingMessage } from 'node:http';
import type { BodyRead } from '@tollgate/routes';

/** The bytes of a body that was read before the gateway was asked; a body parser may have kept them as `rawBody`. */
export const readKeptBody = (request: IncomingMessage, bytesMax: number): BodyRead => {
  const kept: unknown = 'rawBody' in request ? request.rawBody : undefined;
  if (!(kept instanceof Uint8Array))
    throw new Error('the body was read already: mount the gateway before body parsers, or have them keep rawBody');
  return kept.byteLength > bytesMax ? { kind: 'too_large' } : { kind: 'read', bytes: kept };
};

/** Whether another reader took the body before the gateway was asked. */
export const wasRead = (request: IncomingMessage): boolean => request.readableDidRead || request.readableEnded;
