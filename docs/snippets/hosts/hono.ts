import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { closeOnSignal } from 'tollgate';
import { gateway } from './gateway.ts';

const app = new Hono();
app.get('/health', (context) => context.json({ status: 'ok' }));
for (const path of ['/api/v1/ai/*', '/healthz', '/readyz']) app.all(path, (context) => gateway.fetch(context.req.raw));

gateway.jobs.start();
const server = serve({ fetch: app.fetch, port: Number(process.env['PORT'] ?? 3000) });

const close = async () => {
  server.close();
  await gateway.close();
};
closeOnSignal({ close }, (code) => process.exit(code));
