import { listRowsMax, type EntryRecord, type OperationRecord } from '@tollgate/storage';
import type { OperationState } from '@tollgate/contract';
import type { Engine } from '../engine.ts';

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

/** Operations, newest first; `after` is the last one of the page before. */
export const listOperations = (
  engine: Engine,
  query: OperationQuery,
  after?: Pick<OperationRecord, 'id' | 'createdAtMs'>,
): Promise<readonly OperationRecord[]> => {
  const page = {
    limit: listRowsMax,
    ...(after === undefined ? {} : { after: { order: after.createdAtMs, id: after.id } }),
  };
  switch (query.kind) {
    case 'account':
      return engine.storage.list('operationsByAccount', { of: query.accountId, ...page });
    case 'project':
      return engine.storage.list('operationsByProject', { of: query.projectId, ...page });
    case 'state':
      return engine.storage.list('operationsByState', { of: query.state, ...page });
  }
};

export const readOperation = async (engine: Engine, id: string): Promise<OperationRecord | null> => {
  const records = await engine.storage.read([{ table: 'operation', id }]);
  return records.get('operation', id) ?? null;
};
