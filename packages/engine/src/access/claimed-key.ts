import type { ApiKeyRecord, Storage } from '@tollgate/storage';
import { createKeyStep } from '../decisions/create-key.ts';
import { pastExpiry } from '../decisions/past-expiry.ts';
import { commitOnce } from '../operations/persist.ts';
import type { CallerLimits } from '../ports/caller-limits.ts';
import { createApiKeyText } from './api-key.ts';
import { callersKeyId, referredKeyId } from './key-ids.ts';

/** A caller that the host recognised by means of its own, without a key of this service. */
export interface CallerClaim {
  readonly projectId: string;
  /** Must be the account of the project where it is named. */
  readonly accountId?: string | undefined;
  /** The key of the project under whose terms the caller counts. */
  readonly keyId?: string | undefined;
  /** The same by the reference of the key; a record without a usable secret is made of it where there is none. */
  readonly reference?: string | undefined;
  /** The models of this call, of those that the key may call; absent or null for all of them. */
  readonly models?: readonly string[] | null | undefined;
  /** The limits of this call, in the place of those of the key. */
  readonly limits?: CallerLimits | null | undefined;
}

/** Under which key a caller counts. */
export const claimedKeyId = ({ projectId, keyId, reference }: CallerClaim): string =>
  keyId ?? (reference === undefined ? callersKeyId(projectId) : referredKeyId(projectId, reference));

export interface ClaimedKeyOptions {
  readonly storage: Storage;
  readonly randomBytes: (size: number) => Uint8Array;
}

/** The text of its key is not kept, so that no client can call with it. */
const createWithoutSecret = async (
  { storage, randomBytes }: ClaimedKeyOptions,
  { projectId, reference }: CallerClaim,
  id: string,
): Promise<ApiKeyRecord | null> => {
  const created = await commitOnce(
    { storage },
    createKeyStep({
      id,
      projectId,
      name: reference ?? 'Callers without a key',
      model: null,
      secretHash: createApiKeyText(id, randomBytes).secretHash,
      expiresAtMs: null,
      models: null,
      cap: null,
      limits: null,
      metadata: null,
      reference: reference ?? null,
    }),
  );
  // It has no expiry that could be past.
  return created === null || created === pastExpiry ? null : created.record;
};

/** The record under which a caller counts; null where there is no such key, or no such project that is open. */
export const findClaimedKey = async (options: ClaimedKeyOptions, claim: CallerClaim): Promise<ApiKeyRecord | null> => {
  const id = claimedKeyId(claim);
  const existing = (await options.storage.read([{ table: 'apiKey', id }])).get('apiKey', id);
  if (existing !== undefined) return existing;
  return claim.keyId === undefined ? createWithoutSecret(options, claim, id) : null;
};
