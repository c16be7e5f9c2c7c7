import { also, checkConfiguration, type OptionCheck } from '@tollgate/contract/configuration';
import { listRowsMax, type ApiKeyRecord, type CapRecord, type IndexCursor } from '@tollgate/storage';
import { createApiKeyText } from '../access/api-key.ts';
import { referredKeyId } from '../access/key-ids.ts';
import { changeKeyStep } from '../decisions/change-key.ts';
import { createKeyStep } from '../decisions/create-key.ts';
import { pastExpiry } from '../decisions/past-expiry.ts';
import type { Engine } from '../engine.ts';
import { commitOnce } from '../operations/persist.ts';
import { pastExpiryError } from './expiry-fault.ts';
import {
  keyChangeCheck,
  keyCheck,
  modelFaults,
  referredKeyCheck,
  type KeyCap,
  type KeyChange,
  type KeyInput,
  type KeyTerms,
  type ReferredKeyInput,
} from './key-checks.ts';
import { keptLimits } from './limits-check.ts';
import { keptMetadata } from './metadata-check.ts';
import { byAge, matches, selectPage, type Page, type SearchQuery } from './search.ts';

/** A key as its owner may list it. */
export interface KeyInfo extends Omit<ApiKeyRecord, 'secretHash' | 'cap'> {
  readonly cap: Required<KeyCap> | null;
}

/** What creating a key answers: its text is shown this once and cannot be had again. */
export interface CreatedKey extends KeyInfo {
  readonly key: string;
}

/** A key of a reference: its text where this very call made it, and null where the key was there. */
export interface ReferredKey extends KeyInfo {
  readonly key: string | null;
}

const capOf = ({ micros, window, timeZone }: CapRecord): Required<KeyCap> => ({
  amountMicros: BigInt(micros),
  window,
  timeZone: timeZone,
});

const infoOf = ({ secretHash: _, cap, ...info }: ApiKeyRecord): KeyInfo => ({
  ...info,
  cap: cap === null ? null : capOf(cap),
});

const capRecord = ({ amountMicros, window, timeZone = 'UTC' }: KeyCap): CapRecord => ({
  micros: String(amountMicros),
  window,
  timeZone,
});

/** Null takes a cap away; without one it stays. */
const changedCap = (cap: KeyTerms['cap']): CapRecord | null | undefined =>
  cap === null || cap === undefined ? cap : capRecord(cap);

const checkModels = <T extends Pick<KeyInput, 'models'>>(
  { policy }: Engine,
  method: string,
  check: OptionCheck<T>,
  given: T,
): void =>
  checkConfiguration(
    method,
    also(check, (sound, place) => modelFaults(sound, policy.models, place)),
    given,
  );

interface NewKey {
  readonly id: string;
  readonly secretHash: string;
  readonly reference: string | null;
}

/** What is made of an input; null where the project takes no keys. */
const created = (engine: Engine, input: KeyInput, { id, secretHash, reference }: NewKey) => {
  const { projectId, model = null, name = '', expiresAtMs = null, models = null, cap, limits, metadata } = input;
  return commitOnce(
    engine,
    createKeyStep({
      id,
      projectId,
      name,
      model,
      secretHash,
      expiresAtMs,
      models,
      cap: changedCap(cap) ?? null,
      limits: keptLimits(limits) ?? null,
      metadata: keptMetadata(metadata),
      reference,
    }),
  );
};

/** What a step stored. Throws where the expiry that was asked is past. */
const unlessPast = <T extends object>(
  method: string,
  { expiresAtMs }: Pick<KeyTerms, 'expiresAtMs'>,
  outcome: T | typeof pastExpiry | null,
): T | null => {
  if (outcome === pastExpiry) throw pastExpiryError(method, expiresAtMs ?? 0);
  return outcome;
};

/**
 * Makes a key of a project, or returns null where there is no such project, or it is closed. Throws a `ConfigurationError` for a model
 * that the catalog does not have, and for an expiry that is past.
 */
export const createKey = async (engine: Engine, input: KeyInput): Promise<CreatedKey | null> => {
  checkModels(engine, 'createKey', keyCheck, input);
  const id = engine.newId();
  const { key, secretHash } = createApiKeyText(id, engine.randomBytes, engine.policy.keyPrefix);
  const outcome = await created(engine, input, { id, secretHash, reference: null });
  const made = unlessPast('createKey', input, outcome);
  return made === null ? null : { ...infoOf(made.record), key };
};

/**
 * Makes the key of a reference, or returns the one that there is, unchanged: its secret is shown by the call that made it alone. Null
 * where there is no such project, or it is closed.
 */
export const createKeyOnce = async (engine: Engine, input: ReferredKeyInput): Promise<ReferredKey | null> => {
  checkModels(engine, 'createKeyOnce', referredKeyCheck, input);
  const { projectId, reference } = input;
  const id = referredKeyId(projectId, reference);
  const { key, secretHash } = createApiKeyText(id, engine.randomBytes, engine.policy.keyPrefix);
  const made = unlessPast('createKeyOnce', input, await created(engine, input, { id, secretHash, reference }));
  return made === null ? null : { ...infoOf(made.record), key: made.isNew ? key : null };
};

/**
 * Changes what is named of a key; the rest stays. A cap, expiry or models that are changed hold for the next request. Null where there
 * is no such key.
 */
export const changeKey = async (engine: Engine, keyId: string, change: KeyChange): Promise<KeyInfo | null> => {
  checkModels(engine, 'changeKey', keyChangeCheck, change);
  const { cap, limits, metadata, ...rest } = change;
  const kept = metadata === undefined ? undefined : keptMetadata(metadata);
  const step = changeKeyStep({ ...rest, keyId, cap: changedCap(cap), limits: keptLimits(limits), metadata: kept });
  const changed = unlessPast('changeKey', change, await commitOnce(engine, step));
  engine.access.forget();
  return changed === null ? null : infoOf(changed);
};

/** Switches a key off or on, or revokes it for good; a revoked key stays revoked. Null where there is no such key. */
export const setKeyStatus = (engine: Engine, keyId: string, status: ApiKeyRecord['status']): Promise<KeyInfo | null> =>
  changeKey(engine, keyId, { status });

/** The keys of a project without their secrets, newest first, up to a hundred; `after` is the place of the last one of the page before. */
export const listKeys = async (engine: Engine, projectId: string, after?: IndexCursor): Promise<readonly KeyInfo[]> => {
  const query = { of: projectId, limit: listRowsMax, ...(after === undefined ? {} : { after }) };
  return (await engine.storage.list('keysByProject', query)).map(infoOf);
};

/** A key without its secret, or null. */
export const readKey = async (engine: Engine, keyId: string): Promise<KeyInfo | null> => {
  const key = (await engine.storage.read([{ table: 'apiKey', id: keyId }])).get('apiKey', keyId);
  return key === undefined ? null : infoOf(key);
};

/** What keys are listed by. */
export interface KeyQuery extends SearchQuery {
  readonly projectId: string;
  /** Keeps the key of this reference alone, which is one read; it is the whole of its list. */
  readonly reference?: string | undefined;
}

/** The key of a reference, or none. The project, which is read too, tells in which cell it would be. */
const referredKeys = async (
  { storage }: Pick<Engine, 'storage'>,
  projectId: string,
  reference: string,
): Promise<readonly ApiKeyRecord[]> => {
  const id = referredKeyId(projectId, reference);
  const records = await storage.read([
    { table: 'apiKey', id },
    { table: 'project', id: projectId },
  ]);
  const key = records.get('apiKey', id);
  return key === undefined ? [] : [key];
};

/** A page of the keys of a project, newest first, of which a search keeps those that have its text. */
export const findKeys = async (engine: Pick<Engine, 'storage'>, query: KeyQuery): Promise<Page<KeyInfo>> => {
  const { projectId, reference, search } = query;
  const { items, next } = await selectPage<ApiKeyRecord>(
    async (page) => {
      if (reference === undefined) return engine.storage.list('keysByProject', { of: projectId, ...page });
      return page.after === undefined ? referredKeys(engine, projectId, reference) : [];
    },
    { ...query, placeOf: byAge, keeps: matches(search) },
  );
  return { items: items.map(infoOf), next };
};
