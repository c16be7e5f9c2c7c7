import Fastify from 'fastify';
import { closeOnSignal, toNodeListener } from 'tollgate';
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
  scope.all('/api/v1/ai/*', (request, reply) => {
    reply.hijack();
    gatewayListener(request.raw, reply.raw);
  });
});

gateway.jobs.start();
await app.listen({ port: Number(process.env['PORT'] ?? 3000) });

const close = async () => {
  await gateway.close();
  await app.close();
};
closeOnSignal({ close }, (code) => process.exit(code));
