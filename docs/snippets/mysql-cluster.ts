import { mysqlStorage } from '@tollgate/storage-mysql';
import type { Storage } from '@tollgate/storage';

/** Three nodes of one cluster, all of which are written. */
export const openCluster = (
  user: string,
  password: string,
  nodes = ['db1:3306', 'db2:3306', 'db3:3306'],
): Promise<Storage> =>
  mysqlStorage({
    connectionString: `mysql://${encodeURIComponent(user)}:${encodeURIComponent(password)}@db1:3306/gateway`,
    nodes,
    connectTimeoutMs: 2_000,
  });
