import { oneOf, optionsCheck, required } from '@tollgate/contract/configuration';
import { listRowsMax, type IndexCursor, type IndexQuery, type Metadata, type ProjectRecord } from '@tollgate/storage';
import { changeProjectStep, type ChangeProjectCommand } from '../decisions/change-project.ts';
import type { Engine } from '../engine.ts';
import { commitOnce } from '../operations/persist.ts';
import type { CallerLimits } from '../ports/caller-limits.ts';
import { keptLimits, limitsCheck } from './limits-check.ts';
import { idCheck } from './id-check.ts';
import { keptMetadata, metadataCheck } from './metadata-check.ts';
import { nameCheck } from './name-check.ts';
import { byAge, matches, selectPage, type Page, type SearchQuery } from './search.ts';

/** A new project. */
export interface ProjectInput {
  readonly accountId: string;
  readonly name: string;
  /** Chosen by the caller, a uuid; creating the same project again changes nothing. */
  readonly id?: string | undefined;
  /** Texts of the host's own. */
  readonly metadata?: Metadata | null | undefined;
  /** For a limiter, over all keys of the project together. */
  readonly limits?: CallerLimits | null | undefined;
}

/** What a host asks of a project. */
export const projectCheck = optionsCheck<ProjectInput>({
  accountId: required(idCheck),
  name: required(nameCheck),
  id: idCheck,
  metadata: metadataCheck,
  limits: limitsCheck,
});

/** Opens a project of an account, or returns null where there is no such account, or it is closed. */
export const createProject = async (engine: Engine, input: ProjectInput): Promise<ProjectRecord | null> => {
  const id = input.id ?? engine.newId();
  return commitOnce(engine, {
    keys: [
      { table: 'account', id: input.accountId },
      // An id that was made here has no record yet.
      input.id === undefined ? { table: 'project', id, fresh: true } : { table: 'project', id },
    ],
    decide: (records, nowMs) => {
      const account = records.get('account', input.accountId);
      if (account === undefined) return { writes: [], answer: null };
      const existing = records.get('project', id);
      if (existing !== undefined) return { writes: [], answer: existing };
      if (account.status === 'closed') return { writes: [], answer: null };
      const record: ProjectRecord = {
        id,
        accountId: input.accountId,
        name: input.name,
        status: 'active',
        createdAtMs: nowMs,
        metadata: keptMetadata(input.metadata),
        closedAtMs: null,
        limits: keptLimits(input.limits) ?? null,
      };
      return { writes: [{ kind: 'put', table: 'project', record }], answer: record };
    },
  });
};

/** What is changed of a project; what is not named stays. */
export type ProjectChange = Omit<ChangeProjectCommand, 'projectId'>;

export const projectStatusCheck = oneOf<ProjectRecord['status']>('active', 'paused', 'blocked', 'closed');

/** What a host may change of a project. */
export const projectChangeCheck = optionsCheck<ProjectChange>({
  name: nameCheck,
  metadata: metadataCheck,
  limits: limitsCheck,
  status: projectStatusCheck,
});

// auth:project:paused
/**
 * Changes the name, the metadata, the limits and the status of a project. `closed` is final: a closed project keeps its
 * status. Null where there is no such project.
 */
export const changeProject = async (
  engine: Engine,
  projectId: string,
  change: ProjectChange,
): Promise<ProjectRecord | null> => {
  const metadata = change.metadata === undefined ? undefined : keptMetadata(change.metadata);
  const step = changeProjectStep({ ...change, projectId, metadata, limits: keptLimits(change.limits) });
  const changed = await commitOnce(engine, step);
  engine.access.forget();
  return changed;
};

/** Pauses, blocks, frees or closes a project. Null where there is no such project. */
export const setProjectStatus = (
  engine: Engine,
  projectId: string,
  status: ProjectRecord['status'],
): Promise<ProjectRecord | null> => changeProject(engine, projectId, { status });

/** Ends a project for good: it opens no operation any more, and what it runs ends. Null where there is no such project. */
export const closeProject = (engine: Engine, projectId: string): Promise<ProjectRecord | null> =>
  changeProject(engine, projectId, { status: 'closed' });

/** A project, or null. */
export const readProject = async (engine: Engine, projectId: string): Promise<ProjectRecord | null> => {
  const records = await engine.storage.read([{ table: 'project', id: projectId }]);
  return records.get('project', projectId) ?? null;
};

/** What projects are listed by. */
export interface ProjectQuery extends SearchQuery {
  /** Those of one account; by default of all. */
  readonly accountId?: string | undefined;
}

/** A page of the projects, newest first, of which a search keeps those that have its text. */
export const findProjects = (
  { storage }: Pick<Engine, 'storage'>,
  query: ProjectQuery = {},
): Promise<Page<ProjectRecord>> => {
  const { accountId, search } = query;
  const read = (page: Omit<IndexQuery, 'of'>): Promise<readonly ProjectRecord[]> =>
    accountId === undefined
      ? storage.list('projects', { of: '', ...page })
      : storage.list('projectsByAccount', { of: accountId, ...page });
  return selectPage(read, { ...query, placeOf: byAge, keeps: matches(search) });
};

/** The projects of an account, newest first, up to a hundred; `after` is the place of the last one of the page before. */
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
