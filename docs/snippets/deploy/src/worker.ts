import { createServer } from 'node:http';
import { openGateway } from './open-gateway.ts';

const { HOST = '127.0.0.1', PORT = '8788' } = process.env;

/** Serves no requests: due work alone, such as retention, videos, batches, triggers and events to webhooks. */
const gateway = await openGateway();
gateway.jobs.start();

// The probe of the platform. An open port also keeps the process running, which the timers of the jobs do not.
const probe = createServer((_, response) => {
  void gateway.health().then(({ isAlive }) => response.writeHead(isAlive ? 200 : 503).end());
}).listen(Number(PORT), HOST, () => console.log('working'));

const close = (): void => {
  probe.close();
  void gateway.close({ drainMs: 25_000 });
};
process.once('SIGTERM', close).once('SIGINT', close);
