import { GatewayError, isGatewayError } from '@tollgate/contract';
import type { Access, FoundResource } from '@tollgate/engine';
import { endPieces, pushPiece, type EventChannel } from '../event-channel.ts';
import type { EventFeed } from '../event-feed.ts';
import { hasEnded, nextPauseMs } from '../resources/await-resource.ts';
import { requireResource } from '../resources/resource-queries.ts';
import type { Service } from '../service.ts';
import { openPieces } from '../stream-in-time.ts';

/** How long a stream says nothing while tools run. Agents take one for broken after minutes. */
const silenceMsMax = 10_000;
/** How long one connection follows an interaction; the client asks for the rest by its id. */
const followMsMax = 3_600_000;

/** Writes the events of an interaction, each of which ends with a blank line. They are a function of its record alone. */
export interface InteractionWriter {
  /** The events that open the stream. */
  readonly begin: () => string;
  /** The events of what is new in the record since the last call. */
  readonly more: (found: FoundResource) => Promise<string>;
  /** The events that end the stream of an interaction that has ended, after those of `more`. */
  readonly end: (found: FoundResource) => Promise<string>;
  /** An event that shows that the stream lives: no part of what another connection resumes. */
  readonly alive: () => string;
  /** The last event of a stream that cannot go on. */
  readonly fail: (error: GatewayError) => string;
}

/** Whose interaction is followed, and from which event on. */
export interface Following {
  readonly service: Service;
  readonly access: Access;
  /** Events that the client has already. */
  readonly skipped?: number;
}

/** Leaves out the first events of a stream, however its text comes. */
const createSkip = (events: number): ((text: string) => string) => {
  let left = events;
  return (text) => {
    let from = 0;
    while (left > 0 && from < text.length) {
      // An event ends with a blank line, and holds none.
      from = text.indexOf('\n\n', from) + 2;
      left -= 1;
    }
    return text.slice(from);
  };
};

interface Follower {
  readonly following: Following;
  readonly channel: EventChannel;
  readonly writer: InteractionWriter;
  readonly skip: (text: string) => string;
}

/** Hands on what the client does not have yet, and returns whether there was any. */
const say = ({ channel, skip }: Follower, text: string): boolean => {
  const said = skip(text);
  if (said !== '') pushPiece(channel, said);
  return said !== '';
};

/**
 * All that its events follow from. It is in the row of the interaction; the steps lie elsewhere and can be as long as a body, so they are
 * read where this has changed, and not at each look of each connection.
 */
const progressOf = ({ operation, resource }: FoundResource): string => JSON.stringify([operation.state, resource.work]);

/** Follows an interaction to its end, for a client that stays. */
const run = async (follower: Follower, first: FoundResource): Promise<void> => {
  const { channel, writer, following } = follower;
  const { service, access } = following;
  const { clock } = service.engine;
  const untilMs = clock.monotonicMs() + followMsMax;
  let found = first;
  let saidAtMs = clock.monotonicMs();
  let pauseMs: number | null = null;
  let progress: string | null = null;
  while (!hasEnded(found)) {
    if (channel.closed) return;
    if (clock.monotonicMs() > untilMs) throw new GatewayError('request_in_progress', { requestId: found.operation.id });
    const seen: string | null = progress;
    progress = progressOf(found);
    if (progress !== seen && say(follower, await writer.more(found))) saidAtMs = clock.monotonicMs();
    if (clock.monotonicMs() - saidAtMs >= silenceMsMax) {
      pushPiece(channel, writer.alive());
      saidAtMs = clock.monotonicMs();
    }
    pauseMs = nextPauseMs(pauseMs);
    await clock.sleep(pauseMs);
    found = await requireResource(service, access, { kind: 'interaction', id: found.resource.id });
  }
  say(follower, await writer.more(found));
  endPieces(channel, follower.skip(await writer.end(found)));
};

const failureOf = ({ service, access }: Following, operationId: string, cause: unknown): GatewayError => {
  if (isGatewayError(cause)) return cause;
  service.logger.error('a stream failed unexpectedly', { requestId: access.requestId, operationId, cause });
  return new GatewayError('request_failed', { requestId: operationId });
};

/** The events of an interaction as they become known. A client that leaves ends only its own stream. */
export const followInteraction = (following: Following, found: FoundResource, writer: InteractionWriter): EventFeed => {
  const { service, skipped = 0 } = following;
  const channel = openPieces(service, { comments: false });
  const follower: Follower = { following, channel, writer, skip: createSkip(skipped) };
  say(follower, writer.begin());
  void run(follower, found).catch((cause: unknown) => {
    endPieces(channel, writer.fail(failureOf(following, found.operation.id, cause)));
  });
  return channel.feed;
};
