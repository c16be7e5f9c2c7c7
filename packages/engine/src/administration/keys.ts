import { listRowsMax, type ApiKeyRecord, type IndexCursor } from '@tollgate/storage';
import { createApiKeyText } from '../api-key.ts';
import type { Engine } from '../engine.ts';
import { requireStatus } from './require-status.ts';

export interface KeyInput {
  readonly projectId: string;
  /** The catalog id the key is bound to for life; null chooses automatically. */
  readonly model: string | null;
  readonly name?: string;
}

/** A key as its owner may list it. */
export type KeyInfo = Omit<ApiKeyRecord, 'secretHash'>;

/** What creating a key answers: its text is shown this once and cannot be had again. */
export interface CreatedKey extends KeyInfo {
  readonly key: string;
}

const infoOf = ({ secretHash: _, ...info }: ApiKeyRecord): KeyInfo => info;

/** Makes a key of a project, or answers null where there is no such project. */
export const createKey = async (engine: Engine, input: KeyInput): Promise<CreatedKey | null> => {
  const id = engine.newId();
  const { key, secretHash } = createApiKeyText(id, engine.randomBytes);
  const created = await engine.storage.transact(
    [
      { table: 'project', id: input.projectId },
      { table: 'apiKey', id },
    ],
    (records, nowMs) => {
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
  );
  return created === null ? null : { ...infoOf(created), key };
};

/** Switches a key off or on, or revokes it for good; a revoked key stays revoked. Null where there is no such key. */
export const setKeyStatus = async (
  engine: Engine,
  id: string,
  status: ApiKeyRecord['status'],
): Promise<KeyInfo | null> => {
  requireStatus(['active', 'inactive', 'revoked'], status);
  const changed = await engine.storage.transact([{ table: 'apiKey', id }], (records, nowMs) => {
    const key = records.get('apiKey', id);
    if (key === undefined || key.status === 'revoked') return { writes: [], answer: key ?? null };
    const record = { ...key, status, revokedAtMs: status === 'revoked' ? nowMs : null };
    return { writes: [{ kind: 'put', table: 'apiKey', record }], answer: record };
  });
  engine.directory.forget();
  return changed === null ? null : infoOf(changed);
};

export const listKeys = async (engine: Engine, projectId: string, after?: IndexCursor): Promise<readonly KeyInfo[]> => {
  const query = { of: projectId, limit: listRowsMax, ...(after === undefined ? {} : { after }) };
  return (await engine.storage.list('keysByProject', query)).map(infoOf);
};
