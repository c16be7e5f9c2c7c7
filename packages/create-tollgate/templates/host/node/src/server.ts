// #if payments=stripe
import { createServer } from 'node:http';
import { fetchListener, toNodeListener } from 'tollgate';
// #endif
// #if payments=none
import { serve } from 'tollgate';
import { addressOf } from './address.ts';
// #endif
import type { Environment } from './environment.ts';
// #if payments=none
import { drainMs, openGateway } from './open-gateway.ts';
// #endif
// #if payments=stripe
import { openGateway } from './open-gateway.ts';
import { listen } from './listen.ts';
import { openPayments } from './payments.ts';
// #endif

/** Starts the gateway on a port. */
export const startServer = async (environment: Environment) => {
  const gateway = await openGateway(environment);
  // #if payments=none
  const running = await serve(gateway, { ...addressOf(environment), drainMs });
  return { ...running, gateway };
  // #endif
  // #if payments=stripe
  const answer = toNodeListener(gateway.handle);
  const receivePayment = fetchListener(openPayments(gateway, environment).handler);
  const server = createServer((request, response) => {
    if (request.method === 'POST' && request.url === '/stripe') receivePayment(request, response);
    else answer(request, response);
  });
  return listen(server, gateway, environment);
  // #endif
};
