import { createGateway, sqliteStorage, type Gateway } from 'tollgate';

// #region sweeper
/** A process that serves nobody: it tends leases, settlements that wait, and retention. */
export const startSweeper = async (path: string): Promise<Gateway> => {
  const gateway = await createGateway({ storage: sqliteStorage({ path }) });
  gateway.jobs.start();
  process.once('SIGTERM', () => void gateway.close());
  return gateway;
};
// #endregion sweeper
