// One process of the shop. It reports its addresses to the process that started it, and ends with it.
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { fetchListener } from 'tollgate';
import { openBooks } from './books.ts';
import { createApp } from './create-app.ts';
import { customersOf } from './customers.ts';
import { openGateway } from './open-gateway.ts';
import { openPayments } from './payments.ts';
import { settingsOfProcess } from './settings.ts';
import { openTelemetry } from './shop-telemetry.ts';
import { openUsers } from './users.ts';

/** What a process reports when it serves. */
export interface Ready {
  readonly origin: string;
  /** Its metrics, for Prometheus, on a port that customers do not reach. */
  readonly metricsUrl: string;
}

const host = '127.0.0.1';

const listen = async (server: Server, port: number): Promise<string> => {
  server.listen(port, host);
  await once(server, 'listening');
  const address = server.address();
  return `http://${host}:${typeof address === 'object' ? address?.port : port}`;
};

// Until it serves, it has nothing to end in good order.
const leave = (): never => process.exit(1);
process.on('disconnect', leave);

const settings = settingsOfProcess();
const server = createServer();
const origin = await listen(server, Number(process.env['PORT'] ?? '0'));
const users = openUsers(settings, origin);
const books = openBooks(settings.databaseUrl, (accountId) => payments.topUp(accountId));
const telemetry = await openTelemetry();
const { gateway, metrics } = await openGateway(settings, books, {
  traced: telemetry?.observer ?? null,
  // The page of a signed-in user calls without a key.
  authenticate: async ({ headers }) => {
    const user = await users.userOf(headers);
    return user === null ? null : customers.callerOf(user);
  },
});
const customers = customersOf(gateway, origin);
const payments = openPayments(settings, gateway);
const shop = { origin, gateway, users, customers, payments, books };
server.on('request', createApp(shop, telemetry?.spans));
const scraped = createServer(fetchListener(metrics));
const metricsUrl = `${await listen(scraped, 0)}/metrics`;
gateway.jobs.start();

let closing: Promise<void> | null = null;
const close = async (): Promise<void> => {
  server.close();
  scraped.close();
  await gateway.close();
  server.closeAllConnections();
  scraped.closeAllConnections();
  await Promise.all([users.close(), books.close(), telemetry?.close()]);
  process.exit(0);
};
const end = (): void => {
  closing ??= close().catch(() => process.exit(1));
};
// The terminal interrupts all processes at once; the one that started this one ends it.
process.on('SIGINT', () => undefined);
process.on('SIGTERM', end);
process.off('disconnect', leave).on('disconnect', end);

process.send?.({ origin, metricsUrl } satisfies Ready);
