import type { IncomingMessage } from 'node:http';
import { BodyStopped } from '@tollgate/routes';
import { discardRest } from './discard-rest.ts';
import { readKeptBody, wasRead } from './kept-body.ts';
import type { NodeLimits } from './node-limits.ts';

type Event =
  | { readonly kind: 'chunk'; readonly chunk: Buffer }
  | { readonly kind: 'end' }
  | { readonly kind: 'stopped'; readonly why: 'too_large' | 'incomplete' };

/** What happens next on the socket. It is paused while nobody asks, so that what is not taken waits with the client. */
const createEvents = (request: IncomingMessage, bytesMax: number, bodyMs: number) => {
  const waiting: Event[] = [];
  let wake: (() => void) | null = null;
  let size = 0;
  let over = false;
  const tell = (event: Event): void => {
    if (over) return;
    over = event.kind !== 'chunk';
    waiting.push(event);
    wake?.();
  };
  const onData = (chunk: Buffer): void => {
    size += chunk.length;
    request.pause();
    tell(size > bytesMax ? { kind: 'stopped', why: 'too_large' } : { kind: 'chunk', chunk });
  };
  const onEnd = (): void => tell({ kind: 'end' });
  const onClose = (): void => tell({ kind: 'stopped', why: 'incomplete' });
  const timer = setTimeout(onClose, bodyMs);
  request.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onClose);
  return {
    next: async (): Promise<Event> => {
      for (;;) {
        const event = waiting.shift();
        if (event !== undefined) return event;
        const { promise, resolve } = Promise.withResolvers<void>();
        wake = resolve;
        if (request.destroyed) onClose();
        else request.resume();
        await promise;
      }
    },
    close: (): void => {
      clearTimeout(timer);
      request.off('data', onData).off('end', onEnd).off('close', onClose).off('error', onClose);
    },
  };
};

async function* readSocketChunks(
  request: IncomingMessage,
  bytesMax: number,
  limits: NodeLimits,
): AsyncGenerator<Buffer, void> {
  const events = createEvents(request, bytesMax, limits.bodyMs);
  let ended = false;
  try {
    for (;;) {
      const event = await events.next();
      switch (event.kind) {
        case 'chunk':
          yield event.chunk;
          break;
        case 'end':
          ended = true;
          return;
        case 'stopped':
          throw new BodyStopped(event.why);
      }
    }
  } finally {
    events.close();
    if (!ended) discardRest(request, limits);
  }
}

/** Reads a body straight from the socket in chunks, each when it is asked for; the rest is thrown away when nobody asks. */
export async function* readNodeChunks(
  request: IncomingMessage,
  bytesMax: number,
  limits: NodeLimits,
): AsyncGenerator<Uint8Array, void> {
  if (wasRead(request)) {
    const kept = readKeptBody(request, bytesMax);
    if (kept.kind !== 'read') throw new BodyStopped(kept.kind);
    yield kept.bytes;
    return;
  }
  if (Number(request.headers['content-length'] ?? 0) > bytesMax) {
    discardRest(request, limits);
    throw new BodyStopped('too_large');
  }
  yield* readSocketChunks(request, bytesMax, limits);
}
