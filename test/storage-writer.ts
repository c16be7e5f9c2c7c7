// A process that writes to a storage until it is killed, for the suite of storages: `sqlite <path>` or `postgres <url> <schema>`.
import { runStorageWriter } from '@tollgate/testing/storage';
import { postgresStorage } from '../packages/storage-postgres/src/index.ts';
import { sqliteStorage } from '../packages/storage-sqlite/src/index.ts';

const [kind, place = '', schema = ''] = process.argv.slice(2);
await runStorageWriter(
  kind === 'sqlite' ? sqliteStorage({ path: place }) : await postgresStorage({ connectionString: place, schema }),
);
