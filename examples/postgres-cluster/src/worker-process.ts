// The job worker of the cluster: it has no server, and processes expired leases, waiting settlements and retention.
import { createGateway } from 'tollgate';
import { clusterLimits, workerSweepMs } from './cluster-limits.ts';
import { databaseOfProcess, openStorage } from './cluster-storage.ts';
import { report } from './member.ts';
import { stalling } from './stalling-storage.ts';

process.on('disconnect', () => process.exit(1));

const storage = await openStorage(databaseOfProcess());
const isToStall = process.env['CLUSTER_WORKER_STALLS'] === 'yes';
const { jobs, close } = await createGateway({
  storage: isToStall ? stalling(storage, (operationIds) => report({ kind: 'claimed', operationIds })) : storage,
  limits: { ...clusterLimits, sweepMs: workerSweepMs },
});
jobs.start();
process.once('SIGTERM', () => void close().then(() => process.exit(0)));
report({ kind: 'ready', address: '', pid: process.pid });
