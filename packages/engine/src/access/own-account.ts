import type { ApiKeyRecord, WalletRecord } from '@tollgate/storage';
import { budgetSpendingOf, currentSpendId, keySpendingOf, type KeySpending } from '../decisions/key-spending.ts';
import type { Engine } from '../engine.ts';
import type { AccessIds } from '../decisions/access.ts';
import type { LevelLimits } from '../ports/usage-limiter.ts';
import type { Access } from './access-directory.ts';

/** What a caller sees of its account's credits. */
export interface OwnBalance extends Pick<WalletRecord, 'balanceMicros' | 'reservedMicros'> {
  /** Of refunds that the credits did not cover. */
  readonly owedMicros: bigint;
}

/** The credits of the caller's account, read together; null where the host keeps the wallets. */
export const readOwnBalance = async (
  { storage, host }: Pick<Engine, 'storage' | 'host'>,
  { accountId }: AccessIds,
): Promise<OwnBalance | null> => {
  if (host.ledger !== null) return null;
  const records = await storage.read([
    { table: 'wallet', id: accountId },
    { table: 'debt', id: accountId },
  ]);
  const { balanceMicros = 0n, reservedMicros = 0n } = records.get('wallet', accountId) ?? {};
  return { balanceMicros, reservedMicros, owedMicros: records.get('debt', accountId)?.owedMicros ?? 0n };
};

/** What the caller may do. */
export interface OwnLimits extends Pick<ApiKeyRecord, 'expiresAtMs' | 'model' | 'models'> {
  /** Of the records of key, project and account; null where they have none, or no limiter enforces them. */
  readonly limits: LevelLimits | null;
  /** The cap of the key, and the budget of the token by which it came. */
  readonly spending: readonly KeySpending[];
}

const earlier = (one: number | null, other: number | null): number | null =>
  one === null || other === null ? (one ?? other) : Math.min(one, other);

/** How far the cap of the key and the budget of the token are used. Without either nothing is read. */
const spendingOf = async (
  { storage }: Pick<Engine, 'storage'>,
  { key, budget, nowMs }: { readonly key: ApiKeyRecord; readonly budget: Access['budget']; readonly nowMs: number },
): Promise<readonly KeySpending[]> => {
  const counted = [currentSpendId(key, nowMs), budget?.id ?? null].filter((id) => id !== null);
  if (counted.length === 0) return [];
  const spends = await storage.read(counted.map((id) => ({ table: 'spend', id }) as const));
  const ofBudget = budget === undefined ? null : budgetSpendingOf(budget, spends);
  return [keySpendingOf(key, spends, nowMs), ofBudget].filter((spending) => spending !== null);
};

/** What the caller may do, as far as its key and its token let it now; null where the key is gone. */
export const readOwnLimits = async (
  { storage, host, clock }: Pick<Engine, 'storage' | 'host' | 'clock'>,
  { keyId, tokenId, budget, models, limits = null }: Access,
): Promise<OwnLimits | null> => {
  const token = tokenId === undefined ? [] : [{ table: 'browserToken', id: tokenId } as const];
  const found = await storage.read([{ table: 'apiKey', id: keyId }, ...token]);
  const record = found.get('apiKey', keyId);
  if (record === undefined) return null;
  const nowMs = clock.wallClockMs();
  return {
    expiresAtMs: earlier(
      record.expiresAtMs,
      tokenId === undefined ? null : (found.get('browserToken', tokenId)?.expiresAtMs ?? null),
    ),
    model: record.model,
    models,
    limits: host.limiter === null ? null : limits,
    spending: await spendingOf({ storage }, { key: record, budget, nowMs }),
  };
};
