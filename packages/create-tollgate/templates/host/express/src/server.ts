import { createServer } from 'node:http';
import express from 'express';
// #if payments=stripe
import { fetchListener, toNodeListener } from 'tollgate';
// #endif
// #if payments=none
import { toNodeListener } from 'tollgate';
// #endif
import type { Environment } from './environment.ts';
import { openGateway } from './open-gateway.ts';
import { listen } from './listen.ts';
// #if payments=stripe
import { openPayments } from './payments.ts';
// #endif

/** Starts the server: the gateway, and your own routes beside it. */
export const startServer = async (environment: Environment) => {
  const gateway = await openGateway(environment);
  const app = express();
  // Before every body parser: an Idempotency-Key stands for the exact bytes of a body.
  app.use(['/api/v1/ai', '/healthz', '/readyz'], toNodeListener(gateway.handle));
  // #if payments=stripe
  // Before every body parser, too: the signature of Stripe is over the bytes.
  app.post('/stripe', fetchListener(openPayments(gateway, environment).handler));
  // #endif
  // Your own routes follow.
  app.use(express.json({ limit: '100kb' }));
  return listen(createServer(app), gateway, environment);
};
