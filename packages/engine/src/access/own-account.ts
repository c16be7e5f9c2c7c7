import type { ApiKeyRecord, WalletRecord } from '@tollgate/storage';
import { currentSpendId, keySpendingOf, type KeySpending } from '../decisions/key-spending.ts';
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
  readonly spending: KeySpending | null;
}

/** What the caller may do, as far as its key lets it now; null where the key is gone. */
export const readOwnLimits = async (
  { storage, host, clock }: Pick<Engine, 'storage' | 'host' | 'clock'>,
  { keyId, models, limits = null }: Access,
): Promise<OwnLimits | null> => {
  const record = (await storage.read([{ table: 'apiKey', id: keyId }])).get('apiKey', keyId);
  if (record === undefined) return null;
  const { expiresAtMs, model } = record;
  const nowMs = clock.wallClockMs();
  const counted = currentSpendId(record, nowMs);
  const spending =
    counted === null ? null : keySpendingOf(record, await storage.read([{ table: 'spend', id: counted }]), nowMs);
  return { expiresAtMs, model, models, limits: host.limiter === null ? null : limits, spending };
};
