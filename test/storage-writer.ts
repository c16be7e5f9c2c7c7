// A process that writes to a storage until it is killed, for the suite of storages: `sqlite <path>`, `driver <path>`, `postgres <url> <schema>` or `mysql <url>`.
import { runStorageWriter } from '@tollgate/testing/storage';
import { mysqlStorage } from '../packages/storage-mysql/src/index.ts';
import { postgresStorage } from '../packages/storage-postgres/src/index.ts';
import { driverStorage } from '../packages/storage-sqlite/src/driver.ts';
import { sqliteStorage } from '../packages/storage-sqlite/src/index.ts';
import { openDriver } from '../docs/snippets/sqlite-driver.ts';

const [kind, place = '', schema = ''] = process.argv.slice(2);
const open = () => {
  if (kind === 'sqlite') return sqliteStorage({ path: place });
  if (kind === 'driver') return driverStorage({ open: () => openDriver(place) });
  return kind === 'mysql'
    ? mysqlStorage({ connectionString: place })
    : postgresStorage({ connectionString: place, schema });
};
await runStorageWriter(await open());
