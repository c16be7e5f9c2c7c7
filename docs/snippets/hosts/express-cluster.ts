// #region cluster
import cluster from 'node:cluster';

const processes = 4;

if (cluster.isPrimary) {
  let isEnding = false;
  for (let started = 0; started < processes; started += 1) cluster.fork();
  cluster.on('exit', () => {
    if (!isEnding) setTimeout(() => cluster.fork(), 1_000);
  });
  process.on('SIGTERM', () => {
    isEnding = true;
    for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill('SIGTERM');
  });
  // A terminal sends SIGINT to every process by itself; a second signal would end a member before it has drained.
  process.on('SIGINT', () => {
    isEnding = true;
  });
} else {
  // The program of one process: its gateway, its jobs, its server.
  await import('./express.ts');
}
// #endregion cluster
