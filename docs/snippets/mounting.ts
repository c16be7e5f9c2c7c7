import { createServer, type Server } from 'node:http';
import { Hono } from 'hono';
import { toNodeListener, type Gateway } from 'tollgate';

// #region node-http
/** A server with other routes: the gateway handles the requests below its path. */
export const besideOtherRoutes = (gateway: Gateway): Server => {
  const gatewayListener = toNodeListener(gateway.handle);
  return createServer((request, response) => {
    if (request.url?.startsWith('/api/v1/ai/') === true) gatewayListener(request, response);
    else response.end('the other routes');
  });
};
// #endregion node-http

// #region hono
/** Any server that supports `fetch` mounts it like this. */
export const besideHono = (gateway: Gateway): Hono => {
  const app = new Hono();
  app.get('/health', (context) => context.json({ status: 'ok' }));
  app.all('/api/v1/ai/*', (context) => gateway.fetch(context.req.raw));
  return app;
};
// #endregion hono
