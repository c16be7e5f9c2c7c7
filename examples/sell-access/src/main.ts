// A shop that sells access to models: users of its own, credits by Stripe, keys, a console, two processes on one PostgreSQL.
import { once } from 'node:events';
import { startShop } from './start-shop.ts';

// From the beginning: a signal while it starts ends what has started by then.
const ended = Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);

const { processes, pids, settings, staffPassword, close } = await startShop();
for (const { origin, metricsUrl } of processes) console.log(`shop at ${origin}, metrics at ${metricsUrl}`);
console.log(`processes: ${pids.join(' ')}`);
console.log(`the console is at /console, for ${settings.staffEmail} with the password ${staffPassword}`);
if (settings.stripeOrigin !== '') console.log(`payments go to a Stripe of this program at ${settings.stripeOrigin}`);

await ended;
await close();
