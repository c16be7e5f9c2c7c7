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
// Calls in progress finish before Fastify closes their connections.
app.addHook('preClose', () => gateway.close());
// Realtime sessions.
attachLive(app.server, gateway.live);

await app.listen({ port: Number(process.env['PORT'] ?? 3000) });
gateway.jobs.start();
closeOnSignal(app, (code) => process.exit(code));
