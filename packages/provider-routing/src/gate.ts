export interface GateLimits {
  /** Let in at the same time. */
  readonly inFlightMax: number;
  /** Waiting to be let in. */
  readonly waitingMax: number;
  readonly waitMsMax: number;
}

export interface GateOptions extends GateLimits {
  /** Runs after so many milliseconds, unless the timer is cancelled. */
  readonly after: (ms: number, run: () => void) => () => void;
}

/** The outcome at the gate; an admitted caller calls `leave` once. */
export type Admission =
  | { readonly kind: 'admitted'; readonly leave: () => void }
  | { readonly kind: 'full' | 'late' | 'given_up' };

interface Waiting {
  readonly settle: (admission: Admission) => void;
}

interface Gate {
  readonly enter: (signal: AbortSignal) => Promise<Admission>;
}

/** Lets in so many at a time, and the others in the order in which they came. No caller waits longer than it says. */
export const createGate = ({ inFlightMax, waitingMax, waitMsMax, after }: GateOptions): Gate => {
  const waiting = new Set<Waiting>();
  let inFlight = 0;
  const letIn = (): Admission => {
    inFlight += 1;
    let left = false;
    return {
      kind: 'admitted',
      leave: () => {
        if (left) return;
        left = true;
        inFlight -= 1;
        const [next] = waiting;
        next?.settle(letIn());
      },
    };
  };
  const wait = (signal: AbortSignal): Promise<Admission> =>
    new Promise((resolve) => {
      const settle = (admission: Admission): void => {
        waiting.delete(entry);
        cancelTimer();
        signal.removeEventListener('abort', giveUp);
        resolve(admission);
      };
      const giveUp = (): void => settle({ kind: 'given_up' });
      const entry: Waiting = { settle };
      const cancelTimer = after(waitMsMax, () => settle({ kind: 'late' }));
      signal.addEventListener('abort', giveUp);
      waiting.add(entry);
    });
  return {
    enter: (signal) => {
      if (signal.aborted) return Promise.resolve({ kind: 'given_up' });
      if (inFlight < inFlightMax) return Promise.resolve(letIn());
      return waiting.size < waitingMax ? wait(signal) : Promise.resolve({ kind: 'full' });
    },
  };
};
