import { fastify } from 'fastify';
// #if payments=stripe
import { attachLive, fetchListener, toListenError, toNodeListener } from 'tollgate';
// #endif
// #if payments=none
import { attachLive, toListenError, toNodeListener } from 'tollgate';
// #endif
import { addressOf } from './address.ts';
import type { Environment } from './environment.ts';
import { drainMs, openGateway } from './open-gateway.ts';
// #if payments=stripe
import { openPayments } from './payments.ts';
// #endif

/** How long responses that are ready may take to reach their clients when the server closes. */
const flushMs = 1_000;

/** Starts the server: the gateway, and your own routes beside it. */
export const startServer = async (environment: Environment) => {
  const gateway = await openGateway(environment);
  const app = fastify();
  const answer = toNodeListener(gateway.handle);
  // #if payments=stripe
  const receivePayment = fetchListener(openPayments(gateway, environment).handler);
  // #endif
  app.register(async (scope) => {
    // Bodies stay unread here: the gateway needs their exact bytes.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
    for (const url of ['/api/v1/ai/*', '/healthz', '/readyz'])
      scope.all(url, (request, reply) => {
        reply.hijack();
        answer(request.raw, reply.raw);
      });
    // #if payments=stripe
    scope.post('/stripe', (request, reply) => {
      reply.hijack();
      receivePayment(request.raw, reply.raw);
    });
    // #endif
  });
  const sessions = attachLive(app.server, gateway.live);
  // Running requests finish before Fastify closes their connections.
  app.addHook('preClose', async () => {
    sessions.detach();
    await gateway.close({ drainMs });
    setTimeout(() => {
      app.server.closeAllConnections();
      sessions.terminate();
    }, flushMs).unref();
  });
  const address = addressOf(environment);
  const origin = await app.listen(address).catch((cause: Error) => {
    throw toListenError(cause, address.port, address.host);
  });
  // Only this process can renew the leases of the requests that it runs.
  gateway.jobs.start();
  return { origin, server: app.server, gateway, close: () => app.close() };
};
