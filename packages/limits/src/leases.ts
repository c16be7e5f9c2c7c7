/** The places that requests of this process have taken. */
export interface Leases {
  readonly begin: (ticket: string, places: readonly string[]) => void;
  readonly end: (ticket: string) => void;
  readonly stop: () => void;
}

export interface LeasesOptions {
  readonly leaseMs: number;
  readonly every: (ms: number, run: () => void) => () => void;
  /** Renews the leases of the pairs; where it fails, the next turn tries again. */
  readonly renew: (places: readonly string[], tickets: readonly string[]) => Promise<unknown>;
}

/** Renewals within the time of one lease: two may fail. */
const renewalsPerLease = 3;

/** Renews all leases of this process in one statement as long as there are any; those of a process that died run out. */
export const createLeases = ({ leaseMs, every, renew }: LeasesOptions): Leases => {
  const held = new Map<string, readonly string[]>();
  let stopTimer: (() => void) | null = null;
  const stop = (): void => {
    stopTimer?.();
    stopTimer = null;
  };
  const renewAll = async (): Promise<void> => {
    const pairs = [...held].flatMap(([ticket, places]) => places.map((place) => [place, ticket] as const));
    try {
      await renew(
        pairs.map(([place]) => place),
        pairs.map(([, ticket]) => ticket),
      );
    } catch {
      // The next turn renews them, and a lease lasts for several.
    }
  };
  return {
    begin: (ticket, places) => {
      held.set(ticket, places);
      stopTimer ??= every(Math.ceil(leaseMs / renewalsPerLease), () => void renewAll());
    },
    end: (ticket) => {
      held.delete(ticket);
      if (held.size === 0) stop();
    },
    stop,
  };
};
