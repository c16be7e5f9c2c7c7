import type { Access } from '@tollgate/engine';
import { engineOf } from '@tollgate/engine/access/callers';
import type { Service } from './service.ts';

/** The service for the requests of one account: on a storage of several cells it keeps to that of the account. */
export const serviceOf = (service: Service, { accountId }: Pick<Access, 'accountId'>): Service => {
  const engine = engineOf(service.engine, accountId);
  return engine === service.engine ? service : { ...service, engine };
};
