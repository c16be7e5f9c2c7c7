// One of two processes on one wallet: waits for a line on standard input, runs the load, prints the result.
import { postgresStorage } from '@tollgate/storage-postgres';
import { pairOn, runLoad, type LoadPlan } from './ledger-load.ts';

const [url = '', plan = '{}'] = process.argv.slice(2);
// The parent process wrote the plan.
// oxlint-disable-next-line typescript/no-unsafe-type-assertion
const load = JSON.parse(plan) as LoadPlan;
const storage = await postgresStorage({ connectionString: url, migrate: false });
process.stdout.write('ready\n');
await new Promise((resolve) => process.stdin.once('data', resolve));
process.stdin.pause();
process.stdout.write(`${JSON.stringify(await runLoad(pairOn(storage), load))}\n`);
await storage.close();
