// One gateway of the cluster: it serves, and renews the leases of what it is running.
import { closeOnSignal, createGateway, sandboxProvider, serve } from 'tollgate';
import { clusterLimits, gatewaySweepMs } from './cluster-limits.ts';
import { databaseOfProcess, openStorage } from './cluster-storage.ts';
import { report } from './member.ts';

process.on('disconnect', () => process.exit(1));

const gateway = await createGateway({
  storage: await openStorage(databaseOfProcess()),
  provider: sandboxProvider(),
  limits: { ...clusterLimits, sweepMs: gatewaySweepMs },
});
const server = await serve(gateway, { port: 0 });
closeOnSignal(server, (code) => process.exit(code));
report({ kind: 'ready', address: `${server.origin}/api/v1/ai`, pid: process.pid });
