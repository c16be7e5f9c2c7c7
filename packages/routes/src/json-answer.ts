import type { ByteBody } from './byte-body.ts';
import type { GatewayResponse } from './gateway-request.ts';

/** What is read from where it lies says how long it is. */
export const lengthOf = (body: string | ByteBody): Readonly<Record<string, string>> =>
  typeof body === 'string' ? {} : { 'content-length': String(body.sizeBytes) };

/** A query's answer: never cached. It gets the id of its request where it leaves the handler. */
export const jsonAnswer = (body: string | ByteBody): GatewayResponse => ({
  status: 200,
  headers: {
    'content-type': 'application/json',
    'cache-control': 'no-store',
    ...lengthOf(body),
  },
  body,
});
