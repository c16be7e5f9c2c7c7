import { mysqlStorage } from '@tollgate/storage-mysql';
import { createGateway, type Gateway } from 'tollgate';

/** One of any number of equal processes. */
export const openMysqlGateway = async (connectionString: string): Promise<Gateway> =>
  createGateway({ storage: await mysqlStorage({ connectionString }) });
