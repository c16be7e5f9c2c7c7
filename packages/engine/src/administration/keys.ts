import {
  acceptedWords,
  also,
  checkConfiguration,
  faultAt,
  memberPlace,
  nullable,
  optionsCheck,
  required,
  text,
} from '@tollgate/contract/configuration';
import { listRowsMax, type ApiKeyRecord, type IndexCursor } from '@tollgate/storage';
import { createApiKeyText } from '../access/api-key.ts';
import type { Engine } from '../engine.ts';
import { commitOnce } from '../operations/persist.ts';
import { nameCheck } from './name-check.ts';

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
 * Makes a key of a project, or returns null where there is no such project. Throws a `ConfigurationError` for a model that the
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
      if (project === undefined) return { writes: [], answer: null };
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

/** Switches a key off or on, or revokes it for good; a revoked key stays revoked. Null where there is no such key. */
export const setKeyStatus = async (
  engine: Engine,
  id: string,
  status: ApiKeyRecord['status'],
): Promise<KeyInfo | null> => {
  const changed = await commitOnce(engine, {
    keys: [{ table: 'apiKey', id }],
    decide: (records, nowMs) => {
      const key = records.get('apiKey', id);
      if (key === undefined || key.status === 'revoked') return { writes: [], answer: key ?? null };
      const record = { ...key, status, revokedAtMs: status === 'revoked' ? nowMs : null };
      return { writes: [{ kind: 'put', table: 'apiKey', record }], answer: record };
    },
  });
  engine.access.forget();
  return changed === null ? null : infoOf(changed);
};

export const listKeys = async (engine: Engine, projectId: string, after?: IndexCursor): Promise<readonly KeyInfo[]> => {
  const query = { of: projectId, limit: listRowsMax, ...(after === undefined ? {} : { after }) };
  return (await engine.storage.list('keysByProject', query)).map(infoOf);
};
