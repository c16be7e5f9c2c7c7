import { mysqlStorage } from '@tollgate/storage-mysql';
import type { Storage } from '@tollgate/storage';
import { afterAll } from 'vitest';
import { startMariaDb, type MariaDb } from '../mariadb-server.ts';
import type { CreateData } from './open-in-process.ts';

interface Database {
  readonly name: string;
  uses: number;
  /** Storages on it that are not closed. */
  open: number;
}

const countingCloses = (storage: Storage, database: Database): Storage => {
  database.open += 1;
  return {
    ...storage,
    close: async () => {
      await storage.close();
      database.open -= 1;
    },
  };
};

/** Empty databases of a server that ends with the tests of the file that asks for it; one that is closed is emptied and used again. */
export const createMysqlData = (): CreateData => {
  let starting: Promise<MariaDb> | undefined;
  afterAll(async () => {
    await (await starting)?.stop();
  });
  const databases: Database[] = [];
  const takeDatabase = (): Database => {
    const free = databases.find(({ open }) => open === 0);
    const taken = free ?? { name: `gateway${databases.length}`, uses: 0, open: 0 };
    if (free === undefined) databases.push(taken);
    taken.uses += 1;
    // Until its storage is open, no other gateway may take it.
    taken.open += 1;
    return taken;
  };
  return (now) => {
    const database = takeDatabase();
    let isReserved = true;
    let preparing: Promise<unknown> | undefined;
    return async () => {
      const server = await (starting ??= startMariaDb());
      await (preparing ??=
        database.uses === 1 ? server.root.query(`CREATE DATABASE ${database.name}`) : server.empty(database.name));
      const storage = await mysqlStorage({
        connectionString: server.url.replace(/\w+$/, database.name),
        batchConnections: 1,
        now,
      });
      const counted = countingCloses(storage, database);
      if (isReserved) database.open -= 1;
      isReserved = false;
      return counted;
    };
  };
};
