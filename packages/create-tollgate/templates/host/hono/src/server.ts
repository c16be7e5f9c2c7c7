import { createServer } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import type { Environment } from './environment.ts';
import { openGateway } from './open-gateway.ts';
import { listen } from './listen.ts';
// #if payments=stripe
import { openPayments } from './payments.ts';
// #endif

/** Starts the server: the gateway, and your own routes beside it. */
export const startServer = async (environment: Environment) => {
  const gateway = await openGateway(environment);
  const app = new Hono();
  app.all('/api/v1/ai/*', (context) => gateway.fetch(context.req.raw));
  app.get('/healthz', (context) => gateway.fetch(context.req.raw));
  app.get('/readyz', (context) => gateway.fetch(context.req.raw));
  // #if payments=stripe
  const payments = openPayments(gateway, environment);
  app.post('/stripe', (context) => payments.handler(context.req.raw));
  // #endif
  const listener = getRequestListener(app.fetch);
  return listen(
    createServer((request, response) => void listener(request, response)),
    gateway,
    environment,
  );
};
