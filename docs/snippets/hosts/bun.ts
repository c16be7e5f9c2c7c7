import { closeOnSignal } from 'tollgate';
import { gateway } from './gateway.ts';

gateway.jobs.start();
const server = Bun.serve({
  port: Number(process.env['PORT'] ?? 3000),
  // Bun ends a connection that is silent for ten seconds; a model may think for longer.
  idleTimeout: 0,
  routes: {
    '/health': Response.json({ status: 'ok' }),
    '/api/v1/ai/*': (request) => gateway.fetch(request),
    '/healthz': (request) => gateway.fetch(request),
    '/readyz': (request) => gateway.fetch(request),
  },
});

const close = async () => {
  await gateway.close();
  await server.stop();
};
closeOnSignal({ close }, (code) => process.exit(code));
