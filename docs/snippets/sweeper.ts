import { createGateway, sqliteStorage, type Gateway } from 'tollgate';

// #region sweeper
/** A process that serves no requests: it processes expired leases, waiting settlements, and retention. */
export const startSweeper = async (path: string): Promise<Gateway> => {
  const gateway = await createGateway({ storage: sqliteStorage({ path }) });
  gateway.jobs.start();
  process.once('SIGTERM', () => void gateway.close());
  return gateway;
};
// #endregion sweeper
