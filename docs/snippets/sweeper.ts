import { createGateway, serveProcesses, sqliteStorage, type Gateway, type ServingProcesses } from 'tollgate';

// #region sweeper
/** A process that serves no requests: it processes expired leases, waiting settlements, and retention. */
export const startSweeper = async (path: string): Promise<Gateway> => {
  const gateway = await createGateway({ storage: sqliteStorage({ path }) });
  gateway.jobs.start();
  // The timers of the jobs keep no process running.
  const running = setInterval(() => {}, 60_000);
  process.once('SIGTERM', () => {
    clearInterval(running);
    void gateway.close();
  });
  return gateway;
};
// #endregion sweeper

// #region processes
/** The same program runs in every process; each opens a gateway of its own on the same storage. */
export const serveOnFourCores = (path: string, port = 8787): Promise<ServingProcesses> =>
  serveProcesses(() => createGateway({ storage: sqliteStorage({ path }) }), { port, processes: 4 });
// #endregion processes
