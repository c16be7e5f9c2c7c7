import { listRowsMax, type EntryRecord, type IndexQuery, type OperationRecord } from '@tollgate/storage';
import type { OperationState } from '@tollgate/contract';
import { jsonBytes } from '../decisions/quotas.ts';
import type { Engine } from '../engine.ts';
import { fixedBytesMax, listPage, listWithin } from '../operations/list-within.ts';

/** The entries of an account, newest first; `beforeSeq` pages on. */
export const readStatement = (engine: Engine, accountId: string, beforeSeq?: number): Promise<readonly EntryRecord[]> =>
  engine.storage.list('entriesByAccount', {
    of: accountId,
    limit: listRowsMax,
    ...(beforeSeq === undefined ? {} : { after: { order: beforeSeq, id: '' } }),
  });

export type OperationQuery =
  | { readonly kind: 'account'; readonly accountId: string }
  | { readonly kind: 'project'; readonly projectId: string }
  /** Open operations only: what has ended is found by account or project. */
  | { readonly kind: 'state'; readonly state: Exclude<OperationState, 'completed' | 'failed'> };

type Page = Omit<IndexQuery, 'of'>;

const readOperations = (
  { storage }: Pick<Engine, 'storage'>,
  query: OperationQuery,
  page: Page,
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
