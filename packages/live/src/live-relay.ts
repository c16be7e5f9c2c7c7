import type { Engine, Logger } from '@tollgate/engine';
import type { Usage } from '@tollgate/provider';
import { defaultLiveLimits, type LiveLimits } from './live-limits.ts';
import type { LiveModel } from './live-model.ts';
import type { LiveSocket } from './live-socket.ts';
import { runSession, type RunningSession } from './run-session.ts';

export interface LiveRelayOptions {
  readonly engine: Engine;
  /** Null where they are not held any more. */
  readonly findModel: (model: string) => LiveModel | null;
  readonly limits?: Partial<LiveLimits> | undefined;
}

/** The sessions of one process. */
export interface LiveRelay {
  readonly limits: LiveLimits;
  /** The logger of the engine, for those who open the sockets. */
  readonly logger: Logger;
  /**
   * Takes a fresh socket on; `onKnown` is called once it is no stranger any more, or gone, and `onUsage` with each measure that
   * the upstream reports.
   */
  readonly accept: (socket: LiveSocket, onKnown?: () => void, onUsage?: (usage: readonly Usage[]) => void) => void;
  /** Closes every session for a restart and takes none on; resolves when all are settled. */
  readonly drain: () => Promise<void>;
  /** Sockets taken on and not yet concluded. */
  readonly count: () => number;
}

export const createLiveRelay = (options: LiveRelayOptions): LiveRelay => {
  const limits = { ...defaultLiveLimits, ...options.limits };
  const running = new Set<RunningSession>();
  let draining = false;
  return {
    limits,
    logger: options.engine.logger,
    accept: (socket, onKnown = () => {}, onUsage = () => {}) => {
      const session = runSession({ ...options, limits, socket, onKnown, onUsage });
      running.add(session);
      void session.end.finally(() => running.delete(session));
      if (draining) session.drain();
    },
    drain: async () => {
      draining = true;
      for (const session of running) session.drain();
      await Promise.all([...running].map(({ end }) => end));
    },
    count: () => running.size,
  };
};
