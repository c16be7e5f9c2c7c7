import type { ByteBody } from './byte-body.ts';
import type { GatewayResponse } from './gateway-request.ts';
import type { Service } from './service.ts';

/** What is read from where it lies says how long it is. */
export const lengthOf = (body: string | ByteBody): Readonly<Record<string, string>> =>
  typeof body === 'string' ? {} : { 'content-length': String(body.sizeBytes) };

/** A query's answer: never cached, with an id of its own. */
export const jsonAnswer = (service: Service, body: string | ByteBody): GatewayResponse => ({
  status: 200,
  headers: {
    'content-type': 'application/json',
    'cache-control': 'no-store',
    'x-request-id': service.newRequestId(),
    ...lengthOf(body),
  },
  body,
});
