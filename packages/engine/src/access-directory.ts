import type { ApiKeyRecord, Records, Storage } from '@tollgate/storage';
import { apiKeyId, isApiKeySecret } from './api-key.ts';
import { accessKeys, refuseAccess, type AccessIds } from './decisions/access.ts';
import type { ErrorCode } from '@tollgate/contract';

/** Who calls, as far as the records of key, project and account say. */
export interface Access extends AccessIds {
  /** The catalog id that the key is bound to, or null. */
  readonly model: string | null;
}

export type AuthenticateAnswer =
  | { readonly kind: 'granted'; readonly access: Access }
  | { readonly kind: 'refused'; readonly code: ErrorCode };

export interface AccessDirectory {
  /** Reads the records as they are now. */
  authenticate(key: string): Promise<AuthenticateAnswer>;
  /**
   * May answer from what this process read a moment ago. Only for requests that open an operation: opening checks the
   * records again in its own step, so nothing runs on a revoked key (auth:bearer:revoked).
   */
  authenticateForOpening(key: string): Promise<AuthenticateAnswer>;
  /** The same for a key that was once accepted, by the ids of its records. */
  authenticateAgain(ids: AccessIds): Promise<AuthenticateAnswer>;
  /** Forgets what was read, after this process changed access. */
  forget(): void;
}

export interface AccessDirectoryOptions {
  readonly storage: Storage;
  readonly monotonicMs: () => number;
  readonly cachedMs: number;
}

/** Keys remembered at the most. */
const cachedKeysMax = 10_000;

const invalid: AuthenticateAnswer = { kind: 'refused', code: 'invalid_api_key' };

const accessOf = (record: ApiKeyRecord): Access => ({
  keyId: record.id,
  projectId: record.projectId,
  accountId: record.accountId,
  model: record.model,
});

const readKey = async (storage: Storage, key: string): Promise<Access | null> => {
  const id = apiKeyId(key);
  if (id === null) return null;
  const records = await storage.read([{ table: 'apiKey', id }]);
  const record = records.get('apiKey', id);
  return record !== undefined && isApiKeySecret(key, record.secretHash) ? accessOf(record) : null;
};

const answerFrom = (records: Records, access: Access): AuthenticateAnswer => {
  const code = refuseAccess(records, access);
  return code === null ? { kind: 'granted', access } : { kind: 'refused', code };
};

export const createAccessDirectory = ({ storage, monotonicMs, cachedMs }: AccessDirectoryOptions): AccessDirectory => {
  const granted = new Map<string, { readonly access: Access; readonly untilMs: number }>();
  const authenticate = async (key: string): Promise<AuthenticateAnswer> => {
    const access = await readKey(storage, key);
    if (access === null) return invalid;
    return answerFrom(await storage.read(accessKeys(access)), access);
  };
  const remember = (key: string, access: Access): void => {
    const [oldest] = granted.keys();
    if (granted.size >= cachedKeysMax && oldest !== undefined) granted.delete(oldest);
    granted.set(key, { access, untilMs: monotonicMs() + cachedMs });
  };
  return {
    authenticate,
    authenticateForOpening: async (key) => {
      const cached = granted.get(key);
      if (cached !== undefined && cached.untilMs > monotonicMs()) return { kind: 'granted', access: cached.access };
      granted.delete(key);
      const answer = await authenticate(key);
      if (answer.kind === 'granted') remember(key, answer.access);
      return answer;
    },
    authenticateAgain: async (ids) => {
      const records = await storage.read(accessKeys(ids));
      const record = records.get('apiKey', ids.keyId);
      return record === undefined ? invalid : answerFrom(records, accessOf(record));
    },
    forget: () => granted.clear(),
  };
};
