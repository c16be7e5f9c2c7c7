import type { BrowserTokenRecord } from '@tollgate/storage';
import { accessKeys, refuseAccess, type AccessIds } from './access.ts';
import type { Step } from './step.ts';

/** How long a token is kept after it expired, so that a page hears that it has expired. */
const tokenKeptMs = 24 * 60 * 60 * 1_000;

/** When a token of this expiry is forgotten. */
const tokenDueAtMs = (expiresAtMs: number): number => expiresAtMs + tokenKeptMs;

type Given = Pick<BrowserTokenRecord, 'id' | 'secretHash' | 'origins' | 'models' | 'budgetMicros'>;

export interface CreateTokenCommand extends AccessIds, Given {
  readonly ttlMs: number;
}

/** Makes a token of a key, or returns the one of the id. It expires no later than the key does. Null where the key may not be used now. */
export const createTokenStep = (command: CreateTokenCommand): Step<BrowserTokenRecord | null> => ({
  keys: [...accessKeys(command), { table: 'browserToken', id: command.id }],
  decide: (records, nowMs) => {
    const existing = records.get('browserToken', command.id);
    if (existing !== undefined) return { writes: [], answer: existing };
    if (refuseAccess(records, command, nowMs) !== null) return { writes: [], answer: null };
    const { id, keyId, projectId, accountId, secretHash, origins, models, budgetMicros, ttlMs } = command;
    const keyEndsAtMs = records.get('apiKey', keyId)?.expiresAtMs ?? Infinity;
    const expiresAtMs = Math.min(nowMs + ttlMs, keyEndsAtMs);
    const record: BrowserTokenRecord = {
      id,
      keyId,
      projectId,
      accountId,
      secretHash,
      origins,
      models,
      budgetMicros,
      createdAtMs: nowMs,
      expiresAtMs,
      revokedAtMs: null,
      owner: null,
      dueAtMs: tokenDueAtMs(expiresAtMs),
    };
    return { writes: [{ kind: 'put', table: 'browserToken', record }], answer: record };
  },
});
