import type { GatewayResponse } from './gateway-request.ts';
import type { Service } from './service.ts';

/** A query's answer: never cached, with an id of its own. */
export const jsonAnswer = (service: Service, body: string): GatewayResponse => ({
  status: 200,
  headers: {
    'content-type': 'application/json',
    'cache-control': 'no-store',
    'x-request-id': service.newRequestId(),
  },
  body,
});
