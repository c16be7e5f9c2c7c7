// Signed deliveries over TLS, from the event to the recorded acknowledgement, beside a bare loop of the same posts over kept
// connections, in interleaved rounds. `node --conditions=@tollgate/source bench/deliveries.ts [--events 20000] [--rounds 5]`
import { parseArgs } from 'node:util';
import { judgeDeliveries, writeDeliveryReport } from './delivery-report.ts';
import { measureDeliveries } from './delivery-rows.ts';
import { describeMachine } from './machine.ts';
import { createPinning } from './pinning.ts';
import { verdictTable } from './report.ts';

const { values } = parseArgs({
  options: { events: { type: 'string', default: '20000' }, rounds: { type: 'string', default: '5' } },
});

console.log(JSON.stringify(describeMachine()));
const measurements = await measureDeliveries(createPinning(), {
  events: Number(values.events),
  rounds: Number(values.rounds),
});
console.log(`${writeDeliveryReport(measurements)}\n${verdictTable(judgeDeliveries(measurements))}`);
