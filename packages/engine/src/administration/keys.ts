import {
  acceptedWords,
  also,
  checkConfiguration,
  faultAt,
  memberPlace,
  nullable,
  oneOf,
  optionsCheck,
  required,
  text,
} from '@tollgate/contract/configuration';
import { listRowsMax, type ApiKeyRecord, type IndexCursor } from '@tollgate/storage';
import { createApiKeyText } from '../access/api-key.ts';
import { changeKeyStep } from '../decisions/change-key.ts';
import type { Engine } from '../engine.ts';
import { commitOnce } from '../operations/persist.ts';
import { nameCheck } from './name-check.ts';
import { byAge, matches, selectPage, type Page, type SearchQuery } from './search.ts';

export interface KeyInput {
  readonly projectId: string;
  /** The catalog id the key is bound to for life; null chooses automatically. */
  readonly model: string | null;
  readonly name?: string | undefined;
}

/** A key as its owner may list it. */
export type KeyInfo = Omit<ApiKeyRecord, 'secretHash'>;

/** What creating a key answers: its text is shown this once and cannot be had again. */
export interface CreatedKey extends KeyInfo {
  readonly key: string;
}

const infoOf = ({ secretHash: _, ...info }: ApiKeyRecord): KeyInfo => info;

/** What a host asks of a key. */
export const keyCheck = optionsCheck<KeyInput>({
  projectId: required(text()),
  model: required(nullable(text())),
  name: nameCheck,
});

/** What a host asks for, and a model that the catalog has: a key for another could never be used. */
const checkInput = ({ policy: { models } }: Engine, input: KeyInput): void =>
  checkConfiguration(
    'createKey',
    also(keyCheck, ({ model }, place) =>
      model === null || models === null || models.includes(model)
        ? []
        : faultAt(
            memberPlace(place, 'model'),
            `names '${model}', which is no model of the catalog`,
            acceptedWords(model, models),
          ),
    ),
    input,
  );

/**
 * Makes a key of a project, or returns null where there is no such project, or it is closed. Throws a `ConfigurationError` for a model that the
 * catalog does not have.
 */
export const createKey = async (engine: Engine, input: KeyInput): Promise<CreatedKey | null> => {
  checkInput(engine, input);
  const id = engine.newId();
  const { key, secretHash } = createApiKeyText(id, engine.randomBytes);
  const created = await commitOnce(engine, {
    keys: [
      { table: 'project', id: input.projectId },
      { table: 'apiKey', id },
    ],
    decide: (records, nowMs) => {
      const project = records.get('project', input.projectId);
      if (project === undefined || project.status === 'closed') return { writes: [], answer: null };
      const record: ApiKeyRecord = {
        id,
        projectId: project.id,
        accountId: project.accountId,
        name: input.name ?? '',
        model: input.model,
        secretHash,
        status: 'active',
        createdAtMs: nowMs,
        revokedAtMs: null,
      };
      return { writes: [{ kind: 'put', table: 'apiKey', record }], answer: record };
    },
  });
  return created === null ? null : { ...infoOf(created), key };
};

/** What is changed of a key; what is not named stays. */
export interface KeyChange {
  readonly name?: string | undefined;
  readonly status?: ApiKeyRecord['status'] | undefined;
}

const keyStatusCheck = oneOf<ApiKeyRecord['status']>('active', 'inactive', 'revoked');

/** What a host may change of a key. */
export const keyChangeCheck = optionsCheck<KeyChange>({ name: nameCheck, status: keyStatusCheck });

/** Renames a key, and changes its status as `setKeyStatus` does. Null where there is no such key. */
export const changeKey = async (engine: Engine, keyId: string, change: KeyChange): Promise<KeyInfo | null> => {
  const changed = await commitOnce(engine, changeKeyStep({ ...change, keyId }));
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
}

/** A page of the keys of a project, newest first, of which a search keeps those that have its text. */
export const findKeys = async ({ storage }: Pick<Engine, 'storage'>, query: KeyQuery): Promise<Page<KeyInfo>> => {
  const { items, next } = await selectPage<ApiKeyRecord>(
    (page) => storage.list('keysByProject', { of: query.projectId, ...page }),
    {
      ...query,
      placeOf: byAge,
      keeps: matches(query.search),
    },
  );
  return { items: items.map(infoOf), next };
};
