/** A use of one key is noted at most once in this time by one process. */
const notedEveryMs = 60_000;
/** Keys whose last note is remembered. */
const keysMax = 10_000;
/** Keys that wait to be written at the most; others are noted by their next use. */
const waitingMax = 1_000;

/** Which keys were used, for a sweep to write down: a request itself writes nothing of it. */
export interface KeyUses {
  readonly note: (keyId: string) => void;
  /** The keys that were used since it was last called. */
  readonly take: () => readonly string[];
}

export const createKeyUses = (monotonicMs: () => number): KeyUses => {
  const notedAt = new Map<string, number>();
  let waiting = new Set<string>();
  return {
    note: (keyId) => {
      const nowMs = monotonicMs();
      const lastMs = notedAt.get(keyId);
      if ((lastMs !== undefined && nowMs - lastMs < notedEveryMs) || waiting.size >= waitingMax) return;
      notedAt.delete(keyId);
      const [oldest] = notedAt.keys();
      if (notedAt.size >= keysMax && oldest !== undefined) notedAt.delete(oldest);
      notedAt.set(keyId, nowMs);
      waiting.add(keyId);
    },
    take: () => {
      const taken = [...waiting];
      waiting = new Set();
      return taken;
    },
  };
};
