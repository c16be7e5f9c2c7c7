import type { IncomingMessage } from 'node:http';
import { BodyStopped } from '@tollgate/routes';
import { discardRest } from './discard-rest.ts';
import { readKeptBody, wasRead } from './kept-body.ts';
import type { NodeLimits } from './node-limits.ts';

type Event =
  | { readonly kind: 'chunk'; readonly chunk: Buffer }
  | { readonly kind: 'end' }
  | { readonly kind: 'stopped'; readonly why: 'too_large' | 'incomplete' };

/** Chunks of 64 KiB at the most that are taken off the socket before a reader asks for them. */
const waitingChunksMax = 2;
/** A smaller chunk is left to the garbage collector: to free it costs more. */
const freedBytesMin = 16_384;

/** What happens next on the socket. It is paused when enough wait, so that unread bytes stay with the client. */
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
    tell(size > bytesMax ? { kind: 'stopped', why: 'too_large' } : { kind: 'chunk', chunk });
    if (waiting.length >= waitingChunksMax) request.pause();
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
        else if (request.isPaused()) request.resume();
        await promise;
      }
    },
    close: (): void => {
      clearTimeout(timer);
      request.off('data', onData).off('end', onEnd).off('close', onClose).off('error', onClose);
    },
  };
};

/**
 * Gives the memory of a chunk back at once. Left to the garbage collector, the chunks of large uploads pile up outside of its heap
 * until it goes through all of it. A chunk that another listener takes, or that shares its memory, stays.
 */
const freeChunk = (request: IncomingMessage, { buffer, length }: Buffer): void => {
  if (length < freedBytesMin || length !== buffer.byteLength || request.listenerCount('data') !== 1) return;
  if (buffer instanceof ArrayBuffer) buffer.transfer(0);
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
          freeChunk(request, event.chunk);
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

/**
 * Reads a body straight from the socket in chunks, each when it is asked for and good until the next one is; the rest is thrown
 * away when it is not read.
 */
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
