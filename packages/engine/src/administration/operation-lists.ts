import type { IndexQuery, OperationRecord } from '@tollgate/storage';
import type { OperationState } from '@tollgate/contract';
import { ConfigurationError, faultAt } from '@tollgate/contract/configuration';
import { jsonBytes } from '../decisions/quotas.ts';
import type { Engine } from '../engine.ts';
import { fixedBytesMax, listBytesMax, listPage, listWithin } from '../operations/list-within.ts';
import { byAge, firstPlace, isBefore, selectPage, type Page, type PageQuery, type TimeRange } from './search.ts';

/** Which operations are listed. */
export type OperationQuery =
  | { readonly kind: 'account'; readonly accountId: string }
  | { readonly kind: 'project'; readonly projectId: string }
  /** Open operations only: what has ended is found by account or project. */
  | { readonly kind: 'state'; readonly state: Exclude<OperationState, 'completed' | 'failed'> };

type Rows = Omit<IndexQuery, 'of'>;

const readOperations = (
  { storage }: Pick<Engine, 'storage'>,
  query: OperationQuery,
  page: Rows,
): Promise<readonly OperationRecord[]> => {
  switch (query.kind) {
    case 'account':
      return storage.list('operationsByAccount', { of: query.accountId, ...page });
    case 'project':
      return storage.list('operationsByProject', { of: query.projectId, ...page });
    case 'state':
      return storage.list('operationsByState', { of: query.state, ...page });
  }
};

const bytesOf = ({ attempts, usage, usageAtLeast, verdict }: OperationRecord): number =>
  jsonBytes([attempts, usage, usageAtLeast, verdict]) + fixedBytesMax;

/** A page without what is beyond 1 MiB, which goes on behind its last operation. */
const withinBytes = ({ items, next }: Page<OperationRecord>): Page<OperationRecord> => {
  let bytes = 0;
  const beyond = items.findIndex((operation, place) => {
    bytes += bytesOf(operation);
    return place > 0 && bytes > listBytesMax;
  });
  const last = items[beyond - 1];
  return beyond === -1 || last === undefined ? { items, next } : { items: items.slice(0, beyond), next: byAge(last) };
};

/**
 * Operations, newest first, up to a hundred and up to 1 MiB of them; `after` is the last one of the page before, and an empty page
 * the end.
 */
export const listOperations = (
  engine: Engine,
  query: OperationQuery,
  after?: Pick<OperationRecord, 'id' | 'createdAtMs'>,
): Promise<readonly OperationRecord[]> => {
  const first = after === undefined ? undefined : { order: after.createdAtMs, id: after.id };
  return listWithin(async ({ limit, after: last = first }) => {
    const rows = await readOperations(engine, query, { limit, ...(last === undefined ? {} : { after: last }) });
    return listPage(rows, limit, rows);
  }, bytesOf);
};

export const readOperation = async (engine: Engine, id: string): Promise<OperationRecord | null> => {
  const records = await engine.storage.read([{ table: 'operation', id }]);
  return records.get('operation', id) ?? null;
};

/** What operations are searched by. */
export interface OperationSearch extends PageQuery, TimeRange {
  readonly accountId?: string | undefined;
  readonly projectId?: string | undefined;
  readonly keyId?: string | undefined;
  readonly model?: string | undefined;
  readonly state?: OperationState | undefined;
}

const isOpen = (state: OperationState): state is Exclude<OperationState, 'completed' | 'failed'> =>
  state !== 'completed' && state !== 'failed';

/** The project of a key; of one that is not there, a project that has nothing. */
const projectOfKey = async ({ storage }: Pick<Engine, 'storage'>, keyId: string): Promise<OperationQuery> => {
  const key = (await storage.read([{ table: 'apiKey', id: keyId }])).get('apiKey', keyId);
  return { kind: 'project', projectId: key?.projectId ?? '' };
};

/** The narrowest list that has all that is searched for; null where nothing of a search names one. */
const listedBy = (
  engine: Pick<Engine, 'storage'>,
  { accountId, projectId, keyId, state }: OperationSearch,
): Promise<OperationQuery> | OperationQuery | null => {
  if (projectId !== undefined) return { kind: 'project', projectId };
  if (keyId !== undefined) return projectOfKey(engine, keyId);
  if (accountId !== undefined) return { kind: 'account', accountId };
  return state !== undefined && isOpen(state) ? { kind: 'state', state } : null;
};

const keepsAll = (record: object, wanted: Readonly<Record<string, string | undefined>>): boolean =>
  Object.entries(wanted).every(([field, value]) => value === undefined || Reflect.get(record, field) === value);

/**
 * A page of operations, newest first, up to 1 MiB of them. Throws a `ConfigurationError` for a search that names neither account, nor
 * project, nor key, nor a state before the end.
 */
export const findOperations = async (engine: Engine, search: OperationSearch): Promise<Page<OperationRecord>> => {
  const query = await listedBy(engine, search);
  if (query === null) {
    const accepted = 'names accountId, projectId, keyId, or a state before the end';
    throw new ConfigurationError('findOperations', faultAt('the search', 'names none of these', accepted));
  }
  const { accountId, projectId, keyId, model, state, limit } = search;
  const page = await selectPage<OperationRecord>((rows) => readOperations(engine, query, rows), {
    after: firstPlace(search),
    limit,
    placeOf: byAge,
    ends: isBefore(search),
    keeps: (operation) => keepsAll(operation, { accountId, projectId, keyId, model, state }),
  });
  return withinBytes(page);
};
