import type { LiveLimits } from './live-limits.ts';
import type { LiveSocket } from './live-socket.ts';

export interface LifeOptions {
  readonly socket: LiveSocket;
  readonly limits: Pick<LiveLimits, 'pingMs' | 'pongsMissedMax'>;
  readonly after: (ms: number, run: () => void) => () => void;
}

/** Asks a client for signs of life, and says when too many were missed in a row. Returns how to stop. */
export const watchLife = ({ socket, limits, after }: LifeOptions, onLost: () => void): (() => void) => {
  let missed = 0;
  const ask = (): void => {
    if (missed >= limits.pongsMissedMax) {
      onLost();
      return;
    }
    missed += 1;
    socket.ping();
    plan();
  };
  const plan = (): void => {
    cancelTimer = after(limits.pingMs, ask);
  };
  socket.onPong(() => {
    missed = 0;
  });
  let cancelTimer = after(limits.pingMs, ask);
  return () => cancelTimer();
};
