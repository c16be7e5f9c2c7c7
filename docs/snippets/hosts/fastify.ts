import Fastify from 'fastify';
import { attachLive, closeOnSignal, toNodeListener } from 'tollgate';
import { gateway } from './gateway.ts';

const app = Fastify();
app.get('/health', () => ({ status: 'ok' }));
app.post('/notes', (request) => request.body);

const gatewayListener = toNodeListener(gateway.handle);
// A plugin of its own, so that the parsers of the other routes stay as they are.
app.register(async (scope) => {
  scope.removeAllContentTypeParsers();
  // The body stays unread: the gateway reads the bytes itself.
  scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
  for (const url of ['/api/v1/ai/*', '/healthz', '/readyz'])
    scope.all(url, (request, reply) => {
      reply.hijack();
      gatewayListener(request.raw, reply.raw);
    });
});
// Realtime sessions.
const sessions = attachLive(app.server, gateway.live);
// Calls in progress finish before Fastify closes their connections; no sockets are opened meanwhile.
app.addHook('preClose', async () => {
  sessions.detach();
  await gateway.close();
  // Who is silent does not hold up the end.
  setTimeout(() => {
    app.server.closeAllConnections();
    sessions.terminate();
  }, 1_000).unref();
});

await app.listen({ port: Number(process.env['PORT'] ?? 3000) });
gateway.jobs.start();
closeOnSignal(app, (code) => process.exit(code));
