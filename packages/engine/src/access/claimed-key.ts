import type { ErrorCode } from '@tollgate/contract';
import type { ApiKeyRecord, Storage } from '@tollgate/storage';
import { refuseProject } from '../decisions/access.ts';
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

/** A claim that stands for no caller, or whose caller is shut out. */
export type RefusedClaim =
  /** The claim contradicts the records; `fault` is a sentence for the operator. */
  { readonly kind: 'unknown'; readonly fault: string } | { readonly kind: 'refused'; readonly code: ErrorCode };

export const foreignAccount: RefusedClaim = { kind: 'unknown', fault: 'accountId is not the account of the project' };

/** Why no record may be made of a claim, or null: a caller who is refused leaves none. */
const refuseRecord = async (storage: Storage, claim: CallerClaim): Promise<RefusedClaim | null> => {
  const { projectId, accountId } = claim;
  const project = (await storage.read([{ table: 'project', id: projectId }])).get('project', projectId);
  if (project === undefined) return { kind: 'unknown', fault: 'projectId names no project' };
  if (accountId !== undefined && accountId !== project.accountId) return foreignAccount;
  const id = project.accountId;
  const account = (await storage.read([{ table: 'account', id }])).get('account', id);
  const code = account === undefined ? 'invalid_api_key' : refuseProject(project, account);
  return code === null ? null : { kind: 'refused', code };
};

/** The record under which a caller counts, which is made where a claim without a `keyId` has none. */
export const findClaimedKey = async (
  options: ClaimedKeyOptions,
  claim: CallerClaim,
): Promise<{ readonly kind: 'found'; readonly record: ApiKeyRecord } | RefusedClaim> => {
  const id = claimedKeyId(claim);
  const key = { table: 'apiKey', id } as const;
  const { cells } = options.storage;
  // The project tells in which cell the key would be, so that the others need not be asked.
  const keys = cells === undefined ? [key] : [key, { table: 'project', id: claim.projectId } as const];
  const existing = (await options.storage.read(keys)).get('apiKey', id);
  if (existing !== undefined) return { kind: 'found', record: existing };
  if (claim.keyId !== undefined) return { kind: 'unknown', fault: 'keyId names no key' };
  const refused = await refuseRecord(options.storage, claim);
  if (refused !== null) return refused;
  const record = await createWithoutSecret(options, claim, id);
  // The project was closed since it was read.
  return record === null ? { kind: 'refused', code: 'access_blocked' } : { kind: 'found', record };
};
