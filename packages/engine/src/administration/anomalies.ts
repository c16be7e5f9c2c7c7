import type { AnomalyRecord } from '@tollgate/storage';
import type { Engine } from '../engine.ts';
import { byAge, selectPage, type Page, type PageQuery } from './search.ts';

/** What anomalies are listed by; without a name, all of them. */
export interface AnomalyQuery extends PageQuery {
  readonly accountId?: string | undefined;
  readonly operationId?: string | undefined;
}

/** A page of what should not have happened and changed no credits, newest first. */
export const findAnomalies = (
  { storage }: Pick<Engine, 'storage'>,
  query: AnomalyQuery = {},
): Promise<Page<AnomalyRecord>> => {
  const { accountId, operationId } = query;
  return selectPage((page) => storage.list('anomalies', { of: '', ...page }), {
    ...query,
    placeOf: byAge,
    keeps: (anomaly) =>
      (accountId === undefined || anomaly.accountId === accountId) &&
      (operationId === undefined || anomaly.operationId === operationId),
  });
};
