import { verify } from '@tollgate/signature';
import type { EventStore } from './event-store.ts';

/** A post as it came in. */
export interface Post {
  readonly header: (name: string) => string | null;
  /** The raw body: it must not be parsed before its signature was checked. */
  readonly body: Uint8Array;
}

export interface ReceiveOptions {
  /** The webhook's secret; two while it is being rotated. */
  readonly secrets: readonly string[];
  readonly store: Pick<EventStore, 'store'>;
  readonly nowMs: number;
}

/**
 * The status that a post is answered with: 2xx only once the event is stored, or where it was stored before. What cannot be stored
 * is answered with 503, and comes again.
 */
export const receive = ({ header, body }: Post, { secrets, store, nowMs }: ReceiveOptions): number => {
  const eventId = header('x-service-event-id');
  const delivery = {
    eventId,
    timestamp: header('x-service-timestamp'),
    signature: header('x-service-signature'),
    body,
  };
  if (eventId === null || verify(secrets, delivery, { nowMs }).kind === 'invalid') return 401;
  try {
    return store.store(eventId, Buffer.from(body).toString('utf8')) ? 201 : 200;
  } catch {
    return 503;
  }
};
