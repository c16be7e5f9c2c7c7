import { GatewayError, isGatewayError } from '@tollgate/contract';
import type { Access, FoundResource } from '@tollgate/engine';
import { endPieces, pushPiece, type EventChannel } from '../../event-channel.ts';
import type { EventFeed } from '../../event-feed.ts';
import { hasEnded, nextPauseMs } from '../../resources/await-resource.ts';
import { requireResource } from '../../resources/resource-queries.ts';
import type { Service } from '../../service.ts';
import { openPieces } from '../../stream-in-time.ts';
import { partsOfSteps, readCarried, type CarriedAnswer } from './carried-answer.ts';
import type { GenerationDialect, StreamWriter } from './generation-dialect.ts';
import type { SealState } from './kept-answer.ts';
import { createStateSeal } from './seal-state.ts';
import { settledCarried, unfinishedOf } from './write-carried.ts';

/** How long a stream says nothing while tools run. Agents take one for broken after minutes. */
const silenceMsMax = 10_000;
/** How long one connection follows an interaction; the client asks for the rest by its id. */
const followMsMax = 3_600_000;

/** Whose interaction is followed, in which dialect, and from which event on. */
export interface Following {
  readonly service: Service;
  readonly access: Access;
  readonly dialect: GenerationDialect;
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
  readonly writer: StreamWriter;
  readonly seal: SealState;
  readonly skip: (text: string) => string;
  /** Parts that were written. */
  written: number;
}

const say = ({ channel, skip }: Follower, text: string): boolean => {
  const said = skip(text);
  if (said !== '') pushPiece(channel, said);
  return said !== '';
};

const writeNew = (follower: Follower, { steps }: CarriedAnswer): string => {
  const parts = partsOfSteps(steps, follower.seal);
  const fresh = parts.slice(follower.written);
  follower.written = parts.length;
  return fresh.length === 0 ? '' : follower.writer.piece(fresh);
};

/** The events that end a stream. */
const lastEvents = (follower: Follower, found: FoundResource, carried: CarriedAnswer): string => {
  const { following, writer } = follower;
  const unfinished = unfinishedOf(found, carried);
  if (unfinished === null) {
    const rest = writeNew(follower, carried);
    return rest + writer.end(settledCarried(following.service, found, carried));
  }
  const cancelled = (): GatewayError => new GatewayError('request_cancelled', { requestId: found.operation.id });
  return writer.fail(unfinished.status === 'failed' ? unfinished.error : cancelled());
};

const readAgain = async ({ service, access, dialect }: Following, id: string) => {
  const found = await requireResource(service, access, { kind: 'interaction', id });
  const carried = await readCarried(service, dialect.name, found);
  if (carried === null) throw new GatewayError('not_found');
  return { found, carried };
};

/** Follows an interaction to its end, for a client that stays. The events are a function of its record alone. */
const run = async (follower: Follower, first: Awaited<ReturnType<typeof readAgain>>): Promise<void> => {
  const { channel, following } = follower;
  const { clock } = following.service.engine;
  let { found, carried } = first;
  let silentMs = 0;
  let pauseMs: number | null = null;
  for (let waitedMs = 0; !hasEnded(found); waitedMs += pauseMs) {
    if (channel.closed) return;
    if (waitedMs > followMsMax) throw new GatewayError('request_in_progress', { requestId: found.operation.id });
    if (say(follower, writeNew(follower, carried))) silentMs = 0;
    if (silentMs >= silenceMsMax) {
      pushPiece(channel, follower.writer.alive?.() ?? ': \n\n');
      silentMs = 0;
    }
    pauseMs = nextPauseMs(pauseMs);
    await clock.sleep(pauseMs);
    silentMs += pauseMs;
    ({ found, carried } = await readAgain(following, found.resource.id));
  }
  endPieces(channel, follower.skip(lastEvents(follower, found, carried)));
};

const failureOf = (service: Service, operationId: string, cause: unknown): GatewayError => {
  if (isGatewayError(cause)) return cause;
  service.logger.error('a stream failed unexpectedly', { operationId, cause });
  return new GatewayError('request_failed', { requestId: operationId });
};

/** The events of an interaction that carries a request, as they become known. A client that leaves ends only its own stream. */
export const followCarried = async (following: Following, found: FoundResource): Promise<EventFeed> => {
  const { service, dialect, skipped = 0 } = following;
  const carried = await readCarried(service, dialect.name, found);
  if (carried === null) throw new GatewayError('not_found');
  const seal = createStateSeal(service, found.operation.projectId);
  const writer = dialect.openStream(carried.head);
  const channel = openPieces(service, { comments: false });
  const follower: Follower = { following, channel, writer, seal, skip: createSkip(skipped), written: 0 };
  say(follower, writer.alive?.() ?? '');
  void run(follower, { found, carried }).catch((cause: unknown) => {
    endPieces(channel, writer.fail(failureOf(service, found.operation.id, cause)));
  });
  return channel.feed;
};
