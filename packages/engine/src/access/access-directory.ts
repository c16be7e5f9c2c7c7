import type { LimitedCaller } from '../ports/usage-limiter.ts';
import type { ApiKeyRecord, BrowserTokenRecord, Records, Storage } from '@tollgate/storage';
import { apiKeyId, isApiKeySecret, tokenId } from './api-key.ts';
import { claimedKeyId, findClaimedKey, foreignAccount, type CallerClaim, type RefusedClaim } from './claimed-key.ts';
import { createKeyUses, type KeyUses } from './key-uses.ts';
import { accessKeys, refuseAccess, type AccessIds } from '../decisions/access.ts';
import { tokenSpendId } from '../decisions/spend-window.ts';
import type { AskedCall } from '../ports/asked-call.ts';
import type { ErrorCode } from '@tollgate/contract';

/** Who calls, as far as the records of key, project and account say. */
export interface Access extends LimitedCaller {
  /** The catalog id that the key is bound to, or null. */
  readonly model: string | null;
  /** The catalog ids that the caller may call; null for all. */
  readonly models: readonly string[] | null;
  /** The origins of pages that its token is for; absent or null for all. */
  readonly origins?: readonly string[] | null | undefined;
  /** The request that it was granted for; present where a hook of the host is asked about requests. */
  readonly asked?: AskedCall | undefined;
}

type Granted = { readonly kind: 'granted'; readonly access: Access };

export type AuthenticateAnswer = Granted | { readonly kind: 'refused'; readonly code: ErrorCode };

/** The same of a claim of the host, which may name what is not there, or not of the project. */
export type ClaimAnswer = Granted | RefusedClaim;

export interface AccessDirectory {
  /** Reads the records as they are now. */
  authenticate(key: string): Promise<AuthenticateAnswer>;
  /**
   * May answer from what this process read a moment ago. Only for requests that open an operation: opening checks the
   * records again in its own step, so nothing runs on a revoked key.
   */
  authenticateForOpening(key: string): AuthenticateAnswer | Promise<AuthenticateAnswer>;
  /** The same for a caller whom the host recognised: `opening` may answer from what was read a moment ago. */
  authenticateClaim(claim: CallerClaim, purpose: 'query' | 'opening'): Promise<ClaimAnswer>;
  /** The same for a key that was once accepted, by the ids of its records. */
  authenticateAgain(ids: AccessIds): Promise<AuthenticateAnswer>;
  /**
   * Why work that a key, or a token of it, has begun must not go on, or null while it may. Reads at most once in `accessCachedMs` for
   * each of them: so long after a revocation in another process a grant may still be returned.
   */
  refusalOf(ids: AccessIds): Promise<ErrorCode | null>;
  /** The keys that were let in since it was last called, each about once a minute. */
  takeUses(): readonly string[];
  /** Forgets what was read, after this process changed access. */
  forget(): void;
}

export interface AccessDirectoryOptions {
  readonly storage: Storage;
  readonly monotonicMs: () => number;
  /** Keys expire by it; the step that opens goes by the storage's clock. */
  readonly wallClockMs: () => number;
  readonly cachedMs: number;
  readonly randomBytes: (size: number) => Uint8Array;
}

/** Keys remembered at the most. */
const cachedKeysMax = 10_000;

const invalid: AuthenticateAnswer = { kind: 'refused', code: 'invalid_api_key' };

const accessOf = (record: ApiKeyRecord): Access => ({
  keyId: record.id,
  projectId: record.projectId,
  accountId: record.accountId,
  model: record.model,
  models: record.models,
  limits: record.limits === null ? null : { key: record.limits },
});

/** What both lists have; null stands for all. */
const inBoth = (some: readonly string[] | null, others: readonly string[] | null): readonly string[] | null =>
  some === null ? others : others === null ? some : some.filter((one) => others.includes(one));

/** What a token may do is never more than what its key may do now. */
const accessOfToken = (key: ApiKeyRecord, token: BrowserTokenRecord): Access => {
  const { id, origins, models, budgetMicros, expiresAtMs } = token;
  return {
    ...accessOf(key),
    models: inBoth(models, key.models),
    tokenId: id,
    origins,
    budget:
      budgetMicros === null ? undefined : { id: tokenSpendId(id), limitMicros: budgetMicros, endsAtMs: expiresAtMs },
  };
};

/** What the key grants, as far as the claim lets it; a claim about another project or account grants nothing. */
const accessOfClaim = (access: Access, { accountId, projectId, models = null, limits }: CallerClaim): ClaimAnswer => {
  if (access.projectId !== projectId) return { kind: 'unknown', fault: 'keyId names a key of another project' };
  if (accountId !== undefined && access.accountId !== accountId) return foreignAccount;
  const bounded = { ...access, models: inBoth(models, access.models) };
  return { kind: 'granted', access: limits ? { ...bounded, limits: { ...access.limits, key: limits } } : bounded };
};

const readToken = async (storage: Storage, id: string, text: string): Promise<Access | null> => {
  const token = (await storage.read([{ table: 'browserToken', id }])).get('browserToken', id);
  if (token === undefined || !isApiKeySecret(text, token.secretHash)) return null;
  const key = (await storage.read([{ table: 'apiKey', id: token.keyId }])).get('apiKey', token.keyId);
  return key === undefined ? null : accessOfToken(key, token);
};

const readKey = async (storage: Storage, key: string): Promise<Access | null> => {
  const token = tokenId(key);
  if (token !== null) return readToken(storage, token, key);
  const id = apiKeyId(key);
  if (id === null) return null;
  const records = await storage.read([{ table: 'apiKey', id }]);
  const record = records.get('apiKey', id);
  return record !== undefined && isApiKeySecret(key, record.secretHash) ? accessOf(record) : null;
};

/** With the limits of the records of project and account beside those of the key; the same where those have none. */
const withRecordLimits = (records: Records, access: Access): Access => {
  const project = records.get('project', access.projectId)?.limits ?? null;
  const account = records.get('account', access.accountId)?.limits ?? null;
  return project === null && account === null ? access : { ...access, limits: { ...access.limits, project, account } };
};

const answerFrom = (records: Records, access: Access, nowMs: number): AuthenticateAnswer => {
  const code = refuseAccess(records, access, nowMs);
  if (code !== null) return { kind: 'refused', code };
  const limited = withRecordLimits(records, access);
  const plan = records.get('account', access.accountId)?.plan ?? null;
  return { kind: 'granted', access: plan === null ? limited : { ...limited, plan } };
};

/** When a read began, and how often grants had been forgotten by then. */
interface ReadBegin {
  readonly atMs: number;
  readonly forgotten: number;
}

/**
 * Remembers what was granted for a while: so many keys at the most. A grant is as old as the beginning of its read, and one that
 * was read while the grants were forgotten is not remembered: the change may have come after the read.
 */
const createGrants = <T>(monotonicMs: () => number, cachedMs: number) => {
  const grants = new Map<string, { readonly granted: T; readonly untilMs: number }>();
  let forgotten = 0;
  return {
    find: (key: string): T | null => {
      const grant = grants.get(key);
      if (grant !== undefined && grant.untilMs > monotonicMs()) return grant.granted;
      grants.delete(key);
      return null;
    },
    begin: (): ReadBegin => ({ atMs: monotonicMs(), forgotten }),
    remember: (key: string, granted: T, begin: ReadBegin): void => {
      if (begin.forgotten !== forgotten) return;
      const [oldest] = grants.keys();
      if (grants.size >= cachedKeysMax && oldest !== undefined) grants.delete(oldest);
      grants.set(key, { granted, untilMs: begin.atMs + cachedMs });
    },
    forget: () => {
      forgotten += 1;
      grants.clear();
    },
  };
};

const readAgain = async (
  { storage, wallClockMs }: Pick<AccessDirectoryOptions, 'storage' | 'wallClockMs'>,
  ids: AccessIds,
): Promise<AuthenticateAnswer> => {
  const records = await storage.read(accessKeys(ids));
  const record = records.get('apiKey', ids.keyId);
  return record === undefined ? invalid : answerFrom(records, accessOf(record), wallClockMs());
};

/** What was granted under the name a moment ago; else what `ask` returns, remembered where it is a grant. */
const remembered = <T extends ClaimAnswer>(
  grants: Grants,
  name: string,
  ask: () => Promise<T>,
): Granted | Promise<T | Granted> => {
  const cached = grants.find(name);
  return cached === null ? askAndRemember(grants, name, ask) : { kind: 'granted', access: cached };
};

type Grants = ReturnType<typeof createGrants<Access>>;

const askAndRemember = async <T extends ClaimAnswer>(
  grants: Grants,
  name: string,
  ask: () => Promise<T>,
): Promise<T> => {
  const begin = grants.begin();
  const answer = await ask();
  if (answer.kind === 'granted') grants.remember(name, answer.access, begin);
  return answer;
};

/** What a refusal is remembered by: a token has another answer than its key. No id has a space. */
const idsName = (ids: AccessIds): string => (ids.tokenId === undefined ? ids.keyId : `${ids.keyId} ${ids.tokenId}`);

/** What the records say of a key, and of a caller whom the host recognised, as they are now. */
const createAnswers = (options: AccessDirectoryOptions, uses: Pick<KeyUses, 'note'>) => {
  const answerTo = async (access: Access): Promise<AuthenticateAnswer> => {
    const answer = answerFrom(await options.storage.read(accessKeys(access)), access, options.wallClockMs());
    if (answer.kind === 'granted') uses.note(access.keyId);
    return answer;
  };
  const authenticate = async (key: string): Promise<AuthenticateAnswer> => {
    const access = await readKey(options.storage, key);
    return access === null ? invalid : answerTo(access);
  };
  const authenticateClaim = async (claimed: CallerClaim): Promise<ClaimAnswer> => {
    const found = await findClaimedKey(options, claimed);
    return found.kind === 'found' ? answerTo(accessOf(found.record)) : found;
  };
  return { authenticate, authenticateClaim };
};

export const createAccessDirectory = (options: AccessDirectoryOptions): AccessDirectory => {
  const { storage, monotonicMs, cachedMs } = options;
  const uses = createKeyUses(monotonicMs);
  const byKey = createGrants<Access>(monotonicMs, cachedMs);
  const byIds = createGrants<true>(monotonicMs, cachedMs);
  const { authenticate, authenticateClaim } = createAnswers(options, uses);
  return {
    authenticate,
    authenticateForOpening: (key) => remembered(byKey, key, () => authenticate(key)),
    authenticateClaim: async (claimed, purpose) => {
      const ask = () => authenticateClaim(claimed);
      // No text of a key has a space.
      const answer = await (purpose === 'opening' ? remembered(byKey, `claimed ${claimedKeyId(claimed)}`, ask) : ask());
      return answer.kind === 'granted' ? accessOfClaim(answer.access, claimed) : answer;
    },
    authenticateAgain: (ids) => readAgain(options, ids),
    refusalOf: async (ids) => {
      const name = idsName(ids);
      if (byIds.find(name) !== null) return null;
      const begin = byIds.begin();
      const code = refuseAccess(await storage.read(accessKeys(ids)), ids, null);
      if (code === null) byIds.remember(name, true, begin);
      return code;
    },
    takeUses: uses.take,
    forget: () => {
      byKey.forget();
      byIds.forget();
    },
  };
};
