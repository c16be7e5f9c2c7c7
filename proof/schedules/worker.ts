// Works on what is due until it is killed: node --conditions=@tollgate/source proof/schedules/worker.ts '<SchedulesPlace as JSON>'
import { openGateway, type SchedulesPlace } from './schedules-gateway.ts';

// Written by the parent, from the same type.
// oxlint-disable-next-line typescript/no-unsafe-type-assertion
const gateway = await openGateway(JSON.parse(process.argv[2] ?? '{}') as SchedulesPlace);
gateway.jobs.start();
process.send?.('ready');
// A process that outlives the run has nothing to do.
process.on('disconnect', () => process.exit());
