import type { BrowserTokenRecord } from '@tollgate/storage';
import type { Step } from './step.ts';

/** Ends a token for good: it opens nothing more, and what it began goes on. Null where there is none, or none any more. */
export const revokeTokenStep = (tokenId: string): Step<BrowserTokenRecord | null> => ({
  keys: [{ table: 'browserToken', id: tokenId }],
  decide: (records, nowMs) => {
    const token = records.get('browserToken', tokenId);
    if (token === undefined) return { writes: [], answer: null };
    if (token.revokedAtMs !== null) return { writes: [], answer: token };
    const record = { ...token, revokedAtMs: nowMs };
    return { writes: [{ kind: 'put', table: 'browserToken', record }], answer: record };
  },
});

/** Forgets a claimed token, some time after it expired. */
export const purgeToken = (claimed: BrowserTokenRecord): Step<boolean> => ({
  keys: [{ table: 'browserToken', id: claimed.id }],
  decide: (records) => {
    const current = records.get('browserToken', claimed.id);
    if (current === undefined || current.owner !== claimed.owner) return { writes: [], answer: false };
    return { writes: [{ kind: 'delete', table: 'browserToken', id: claimed.id }], answer: true };
  },
});
