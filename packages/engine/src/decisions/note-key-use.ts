import type { Step } from './step.ts';

/** Writes down that a key was used about now. */
export const noteKeyUse = (keyId: string): Step<null> => ({
  keys: [{ table: 'apiKey', id: keyId }],
  decide: (records, nowMs) => {
    const key = records.get('apiKey', keyId);
    if (key === undefined || (key.lastUsedAtMs ?? 0) >= nowMs) return { writes: [], answer: null };
    return { writes: [{ kind: 'put', table: 'apiKey', record: { ...key, lastUsedAtMs: nowMs } }], answer: null };
  },
});
