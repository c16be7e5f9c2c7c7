import { optionsCheck, required, text } from '@tollgate/contract/configuration';
import { listRowsMax, type IndexCursor, type ProjectRecord } from '@tollgate/storage';
import type { Engine } from '../engine.ts';
import { commitOnce } from '../operations/persist.ts';
import { nameCheck } from './name-check.ts';

export interface ProjectInput {
  readonly accountId: string;
  readonly name: string;
  /** Chosen by the caller, a uuid; creating the same project again changes nothing. */
  readonly id?: string;
}

/** What a host asks of a project. */
export const projectCheck = optionsCheck<ProjectInput>({
  accountId: required(text()),
  name: required(nameCheck),
  id: text(),
});

/** Opens a project of an account, or returns null where there is no such account. */
export const createProject = async (engine: Engine, input: ProjectInput): Promise<ProjectRecord | null> => {
  const id = input.id ?? engine.newId();
  return commitOnce(engine, {
    keys: [
      { table: 'account', id: input.accountId },
      { table: 'project', id },
    ],
    decide: (records, nowMs) => {
      if (records.get('account', input.accountId) === undefined) return { writes: [], answer: null };
      const existing = records.get('project', id);
      if (existing !== undefined) return { writes: [], answer: existing };
      const record: ProjectRecord = {
        id,
        accountId: input.accountId,
        name: input.name,
        status: 'active',
        createdAtMs: nowMs,
      };
      return { writes: [{ kind: 'put', table: 'project', record }], answer: record };
    },
  });
};

/** Pauses, blocks or frees a project (auth:project:paused). Null where there is no such project. */
export const setProjectStatus = async (
  engine: Engine,
  id: string,
  status: ProjectRecord['status'],
): Promise<ProjectRecord | null> => {
  const changed = await commitOnce(engine, {
    keys: [{ table: 'project', id }],
    decide: (records) => {
      const project = records.get('project', id);
      if (project === undefined) return { writes: [], answer: null };
      const record = { ...project, status };
      return { writes: [{ kind: 'put', table: 'project', record }], answer: record };
    },
  });
  engine.access.forget();
  return changed;
};

export const listProjects = (
  engine: Engine,
  accountId: string,
  after?: IndexCursor,
): Promise<readonly ProjectRecord[]> =>
  engine.storage.list('projectsByAccount', {
    of: accountId,
    limit: listRowsMax,
    ...(after === undefined ? {} : { after }),
  });
