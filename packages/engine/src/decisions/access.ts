import type { ErrorCode } from '@tollgate/contract';
import type { AccountRecord, Key, ProjectRecord, Records } from '@tollgate/storage';
import type { OperationMarks } from '../ports/asked-call.ts';
import type { Budget } from './spend.ts';

/** The records that say whether a key may be used. */
export interface AccessIds {
  readonly keyId: string;
  readonly projectId: string;
  readonly accountId: string;
  /** The plan by which the account is charged; absent or null for none. */
  readonly plan?: string | null | undefined;
  /** What the host's hook decided of the call; absent where it was not asked. */
  readonly marks?: OperationMarks | undefined;
  /** The token by which the caller came, beside its key; absent for a caller with the key itself. */
  readonly tokenId?: string | undefined;
  /** What that token may spend. */
  readonly budget?: Budget | undefined;
  /** The request of a client that this is about, for lines and observers; absent where none waits. */
  readonly requestId?: string | undefined;
}

export const accessKeys = (ids: AccessIds): readonly Key[] => {
  const keys: Key[] = [
    { table: 'apiKey', id: ids.keyId },
    { table: 'project', id: ids.projectId },
    { table: 'account', id: ids.accountId },
  ];
  if (ids.tokenId !== undefined) keys.push({ table: 'browserToken', id: ids.tokenId });
  return keys;
};

/** Why a token may not be used now, or null: also for a caller without one. */
const refuseToken = (records: Records, { tokenId }: AccessIds, nowMs: number | null): ErrorCode | null => {
  if (tokenId === undefined) return null;
  const token = records.get('browserToken', tokenId);
  if (token === undefined || token.revokedAtMs !== null) return 'invalid_api_key';
  return nowMs !== null && token.expiresAtMs <= nowMs ? 'ai_key_expired' : null;
};

const isShut = ({ status }: { readonly status: string }): boolean => status === 'blocked' || status === 'closed';

/** Why the keys of a project may not be used now, or null: project first, then account. */
export const refuseProject = (project: ProjectRecord, account: AccountRecord): ErrorCode | null => {
  if (project.status === 'paused') return 'project_paused';
  if (isShut(project) || isShut(account)) return 'access_blocked';
  if (account.status === 'inactive') return 'ai_contract_inactive';
  return null;
};

// ledger:precheck:key-project-account
/**
 * Why a key may not be used now, or null. Token and key first, then project, then account. Without a time
 * an expired key is not refused: what it has begun goes on.
 */
export const refuseAccess = (records: Records, ids: AccessIds, nowMs: number | null): ErrorCode | null => {
  const key = records.get('apiKey', ids.keyId);
  const project = records.get('project', ids.projectId);
  const account = records.get('account', ids.accountId);
  const ofToken = refuseToken(records, ids, nowMs);
  if (ofToken !== null) return ofToken;
  if (key === undefined || key.status === 'revoked') return 'invalid_api_key';
  if (key.status === 'inactive') return 'ai_key_inactive';
  if (nowMs !== null && key.expiresAtMs !== null && key.expiresAtMs <= nowMs) return 'ai_key_expired';
  if (project === undefined || account === undefined) return 'invalid_api_key';
  return refuseProject(project, account);
};
