import type { SpendRecord } from '@tollgate/storage';
import type { Step } from './step.ts';

/** How long a record waits that still holds something, such as an operation that is uncertain. */
const againMs = 24 * 60 * 60 * 1_000;

/** Forgets a claimed record of a window that has long ended, or puts it off while something is held under it. */
export const purgeSpend = (claimed: SpendRecord): Step<'kept' | 'purged'> => ({
  keys: [{ table: 'spend', id: claimed.id }],
  decide: (records, nowMs) => {
    const current = records.get('spend', claimed.id);
    if (current === undefined || current.owner !== claimed.owner) return { writes: [], answer: 'kept' };
    if (current.heldMicros === 0n)
      return { writes: [{ kind: 'delete', table: 'spend', id: current.id }], answer: 'purged' };
    const record = { ...current, owner: null, dueAtMs: nowMs + againMs, seq: current.seq + 1 };
    return { writes: [{ kind: 'put', table: 'spend', record }], answer: 'kept' };
  },
});
