/** How many may run and wait, of all projects and of one. */
export interface TurnGateLimits {
  readonly runningMax: number;
  readonly waitingMax: number;
  readonly runningPerProjectMax: number;
  readonly waitingPerProjectMax: number;
}

/** Who waits at a gate. */
export interface TurnCaller {
  readonly projectId: string;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Lets a bounded number in at once, and a bounded number wait. Projects take turns: a place that becomes free goes to the project
 * that was served least recently, whatever the others have waiting.
 */
export interface TurnGate {
  /** Runs when it is its turn; returns undefined where too many wait already, or as soon as the caller gives up waiting. */
  readonly run: <T>(work: () => Promise<T>, caller: TurnCaller) => Promise<T | undefined>;
}

/** What runs and waits of one project; each that waits is begun by a call. */
interface Share {
  running: number;
  readonly waiting: Set<() => void>;
}

/** The default share of one project: a place is left to the others where there is more than one. */
export const placesPerProject = (runningMax: number): number => Math.max(1, runningMax - 1);

/** Waits in a share; false where the caller gives up first, which is reported at once. */
const wait = async (share: Share, signal: AbortSignal | undefined, onGone: () => void): Promise<boolean> => {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const begin = (): void => resolve(true);
  const giveUp = (): void => {
    if (!share.waiting.delete(begin)) return;
    onGone();
    resolve(false);
  };
  share.waiting.add(begin);
  signal?.addEventListener('abort', giveUp, { once: true });
  try {
    return await promise;
  } finally {
    signal?.removeEventListener('abort', giveUp);
  }
};

/** The places of all projects, and whose turn is next. */
const createShares = (limits: TurnGateLimits) => {
  /** The project that was served least recently comes first. */
  const shares = new Map<string, Share>();
  let running = 0;
  const of = (projectId: string): Share => shares.get(projectId) ?? { running: 0, waiting: new Set() };
  const hasPlace = (share: Share): boolean =>
    running < limits.runningMax && share.running < limits.runningPerProjectMax;
  /** Puts a project behind the others, or forgets it where nothing of it is left. */
  const putLast = (projectId: string, share: Share): void => {
    shares.delete(projectId);
    if (share.running > 0 || share.waiting.size > 0) shares.set(projectId, share);
  };
  const enter = (projectId: string, share: Share): void => {
    running += 1;
    share.running += 1;
    putLast(projectId, share);
  };
  /** A project that is served is behind the others, and comes again after them. */
  const admit = (): void => {
    for (const [projectId, share] of shares) {
      const [begin] = share.waiting;
      if (begin === undefined || !hasPlace(share)) continue;
      share.waiting.delete(begin);
      enter(projectId, share);
      begin();
    }
  };
  const leave = (projectId: string, share: Share): void => {
    running -= 1;
    share.running -= 1;
    putLast(projectId, share);
    admit();
  };
  const waiting = (): number =>
    Array.from(shares.values(), ({ waiting: { size } }) => size).reduce((sum, size) => sum + size, 0);
  const expect = (projectId: string, share: Share): void => void shares.set(projectId, share);
  return { of, hasPlace, enter, leave, waiting, expect, putLast };
};

export const createTurnGate = (limits: TurnGateLimits): TurnGate => {
  const shares = createShares(limits);
  const takeTurn = async ({ projectId, signal }: TurnCaller, share: Share): Promise<boolean> => {
    if (shares.hasPlace(share)) {
      shares.enter(projectId, share);
      return true;
    }
    if (shares.waiting() >= limits.waitingMax || share.waiting.size >= limits.waitingPerProjectMax) return false;
    shares.expect(projectId, share);
    return wait(share, signal, () => shares.putLast(projectId, share));
  };
  return {
    run: async (work, caller) => {
      const { projectId, signal } = caller;
      const share = shares.of(projectId);
      if (signal?.aborted === true || !(await takeTurn(caller, share))) return undefined;
      try {
        return await work();
      } finally {
        shares.leave(projectId, share);
      }
    },
  };
};
