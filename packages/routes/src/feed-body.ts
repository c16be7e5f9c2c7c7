import type { EventFeed, FeedTap } from './event-feed.ts';

const encoder = new TextEncoder();

/**
 * A feed as the body of a fetch answer. It asks for one piece whenever its reader wants one, and never ahead. Where the feed is
 * cut the body errors, so that a reader cannot take it for complete.
 */
export const feedBody = (feed: EventFeed): ReadableStream<Uint8Array> => {
  let tap: FeedTap | undefined;
  return new ReadableStream<Uint8Array>(
    {
      start: (controller) => {
        tap = feed.attach({
          write: (text) => {
            controller.enqueue(encoder.encode(text));
            return false;
          },
          end: () => controller.close(),
          cut: () => controller.error(new Error('the stream was broken off')),
        });
      },
      pull: () => tap?.resume(),
      cancel: () => tap?.leave(),
    },
    { highWaterMark: 0 },
  );
};
