import { DatabaseSync } from 'node:sqlite';
import { driverStorage, type SqliteDriver } from '@tollgate/storage-sqlite/driver';
import { createGateway, type Gateway } from 'tollgate';

export const openDriver = (path: string): SqliteDriver => {
  const database = new DatabaseSync(path, { timeout: 0 });
  return {
    run: (text, values) => {
      const statement = database.prepare(text);
      statement.setReturnArrays(true);
      return statement.all(...values);
    },
    close: () => database.close(),
  };
};

export const gatewayIn = async (path: string): Promise<Gateway> =>
  createGateway({ storage: await driverStorage({ open: () => openDriver(path) }) });
