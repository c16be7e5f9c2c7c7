import { sqliteStorage } from '@tollgate/storage-sqlite';
import { createGateway, sandboxProvider, serve, silentLogger } from 'tollgate';

/** Serves sessions until it is killed; the directory comes as an argument, and where it listens goes to the parent. */
const [directory = ''] = process.argv.slice(2);
const gateway = await createGateway({
  storage: sqliteStorage({ path: `${directory}/tollgate.db` }),
  provider: sandboxProvider(),
  logger: silentLogger,
  limits: { leaseMs: 1_000, renewMs: 200 },
});
const { origin } = await serve(gateway, { port: 0 });
process.send?.(origin);
