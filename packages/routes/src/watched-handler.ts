import type { Clock, Observe } from '@tollgate/engine';
import type { EventFeed, FeedSink } from './event-feed.ts';
import type { GatewayHandler, GatewayRequest, GatewayResponse } from './gateway-request.ts';

export interface WatchOptions {
  readonly newId: () => string;
  readonly clock: Pick<Clock, 'monotonicMs'>;
  /** Null where no one observes. */
  readonly observe: Observe | null;
}

/** The same feed, which says once when it is over: complete, cut, or left by its client. */
const endingFeed = (feed: EventFeed, end: () => void): EventFeed => {
  let isOver = false;
  const over = (): void => {
    if (isOver) return;
    isOver = true;
    end();
  };
  const watched = (sink: FeedSink): FeedSink => ({
    write: (text) => sink.write(text),
    end: () => {
      over();
      sink.end();
    },
    cut: () => {
      over();
      sink.cut();
    },
  });
  return {
    kind: 'events',
    attach: (sink) => {
      const tap = feed.attach(watched(sink));
      return {
        resume: () => tap.resume(),
        leave: () => {
          over();
          tap.leave();
        },
      };
    },
  };
};

const watch = async (
  { clock, observe }: WatchOptions & { readonly observe: Observe },
  request: GatewayRequest & { readonly id: string },
  handle: GatewayHandler,
): Promise<GatewayResponse> => {
  const { id: requestId, method } = request;
  const fromMs = clock.monotonicMs();
  observe({ kind: 'request_started', requestId, method, header: (name) => request.header(name) });
  const response = await handle(request);
  const { status, headers, body } = response;
  const shownId = headers['x-request-id'] ?? requestId;
  const ended = (isStream: boolean): void => {
    const durationMs = clock.monotonicMs() - fromMs;
    observe({ kind: 'request_ended', requestId, shownId, method, status, durationMs, isStream });
  };
  // To HEAD no body is sent.
  if (typeof body === 'string' || body.kind === 'bytes' || method === 'HEAD') {
    ended(false);
    return response;
  }
  return { ...response, body: endingFeed(body, () => ended(true)) };
};

/** Gives every request an id for its lines, and shows its beginning and its end to an observer, where there is one. */
export const watchedHandler =
  (options: WatchOptions, handle: GatewayHandler): GatewayHandler =>
  (request) => {
    const identified = { ...request, id: request.id ?? options.newId() };
    const { observe } = options;
    return observe === null ? handle(identified) : watch({ ...options, observe }, identified, handle);
  };
