import { GatewayError, bodyTurnBounds } from '@tollgate/contract';
import { createFairQueue, type FairQueue } from './fair-queue.ts';

/**
 * Waits until it is the turn of a body. What follows is computed without a pause, and is to be short; before more is computed,
 * another turn is waited for. Throws `rate_limited` or `service_unavailable` where too many bodies wait.
 */
export type BodyTurn = () => Promise<void>;

/** One request under way. */
export interface RequestTurns {
  readonly turn: BodyTurn;
  /** The request has been answered. */
  readonly leave: () => void;
}

/** The order in which large bodies are read and checked, so that other requests are served between. */
export interface BodyTurns {
  readonly enter: (projectId: string) => RequestTurns;
  /** How many bodies wait for a turn. */
  readonly waiting: () => number;
}

/** Limits of the turns, all of them by name. */
type Bounds = Readonly<Record<keyof typeof bodyTurnBounds, number>>;

export interface BodyTurnsOptions {
  /** Runs a function behind everything that waits for the event loop now. */
  readonly atNextPass: (run: () => void) => void;
  /** Runs a function after so many milliseconds. */
  readonly after: (ms: number, run: () => void) => void;
  readonly monotonicMs: () => number;
  readonly bounds?: Partial<Bounds>;
}

type Resume = () => void;

/** What Retry-After says where too many bodies wait. */
const retryAfterMs = 1_000;

/** Counts what is under way: all requests, and those of them that had a turn. */
const createTally = () => {
  let requests = 0;
  let large = 0;
  return {
    enter: (): void => {
      requests += 1;
    },
    grow: (): void => {
      large += 1;
    },
    leave: (wasLarge: boolean): void => {
      requests -= 1;
      if (wasLarge) large -= 1;
    },
    hasOthers: (): boolean => requests > large,
  };
};

/** The passes of the event loop, of which large bodies have a share. */
const createPasses = (
  { atNextPass, after, monotonicMs }: BodyTurnsOptions,
  { passMsMax, restMsMax }: Bounds,
  { takeNext, hasOthers }: { readonly takeNext: () => Resume | undefined; readonly hasOthers: () => boolean },
) => {
  let state: 'free' | 'taken' | 'resting' = 'free';
  let takenAtMs = 0;
  const begin = (): void => {
    state = 'taken';
    takenAtMs = monotonicMs();
    atNextPass(rest);
  };
  const goOn = (): void => {
    const resume = takeNext();
    state = 'free';
    if (resume === undefined) return;
    begin();
    resume();
  };
  const rest = (): void => {
    if (!hasOthers()) {
      goOn();
      return;
    }
    state = 'resting';
    after(Math.min(restMsMax, Math.max(1, Math.ceil(monotonicMs() - takenAtMs))), goOn);
  };
  return {
    /** Whether there is time for a body at once. */
    isFree: (): boolean => {
      if (state === 'free') begin();
      return state === 'taken' && monotonicMs() - takenAtMs < passMsMax;
    },
  };
};

const checkRoom = (line: FairQueue<Resume>, projectId: string, { waitingPerProjectMax, waitingMax }: Bounds): void => {
  if (line.sizeOf(projectId) >= waitingPerProjectMax)
    throw new GatewayError('rate_limited', {
      detail:
        `The project has ${waitingPerProjectMax} large bodies that wait to be read; ` +
        `accepted are at most ${waitingPerProjectMax} at once.`,
      retryAfterMs,
    });
  if (line.size() >= waitingMax) throw new GatewayError('service_unavailable', { retryAfterMs });
};

/**
 * Gives large bodies a few milliseconds of one pass of the event loop, all of them together. While other requests are under way,
 * large bodies rest afterwards for as long as they took. A turn ends by itself, so a client that sends slowly holds no other up.
 */
export const createBodyTurns = (options: BodyTurnsOptions): BodyTurns => {
  const bounds: Bounds = { ...bodyTurnBounds, ...options.bounds };
  // Its room is checked before the first turn of a body: one that had a turn waits for the next in any case.
  const line = createFairQueue<Resume>({ waitingMax: Infinity, waitingPerOwnerMax: Infinity });
  const tally = createTally();
  const passes = createPasses(options, bounds, { takeNext: line.take, hasOthers: tally.hasOthers });
  const enter = (projectId: string): RequestTurns => {
    let isLarge = false;
    let isThere = true;
    tally.enter();
    const turn = async (): Promise<void> => {
      const isLet = passes.isFree();
      // A body that had a turn before is read to its end.
      if (!isLet && !isLarge) checkRoom(line, projectId, bounds);
      if (!isLarge && isThere) tally.grow();
      isLarge = true;
      if (isLet) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      line.add(projectId, resolve);
      await promise;
    };
    const leave = (): void => {
      if (isThere) tally.leave(isLarge);
      isThere = false;
    };
    return { turn, leave };
  };
  return { enter, waiting: line.size };
};
