import type { IncomingMessage } from 'node:http';

/** Express strips the mount path from `url` and keeps the whole in `originalUrl`. */
const urlOf = (request: IncomingMessage): string =>
  'originalUrl' in request && typeof request.originalUrl === 'string' ? request.originalUrl : (request.url ?? '/');

const origin = /^https?:\/\/[^/]*/i;

/** Some proxies send the whole address, which every server must take; its path and query are what counts. */
export const pathOf = (request: IncomingMessage): string => {
  const url = urlOf(request);
  return url.startsWith('/') ? url : url.replace(origin, '');
};

/** The path of an address, and what follows its question mark. */
export const splitAddress = (address: string): { readonly path: string; readonly query: string } => {
  const mark = address.indexOf('?');
  return mark === -1 ? { path: address, query: '' } : { path: address.slice(0, mark), query: address.slice(mark + 1) };
};

/** A proxy that ends TLS before the server is not seen here: its host states the origin by an option. */
export const originOf = (request: IncomingMessage): string =>
  `${'encrypted' in request.socket ? 'https' : 'http'}://${request.headers.host ?? ''}`;

/** The origin of a server that listens at a host and a port. */
export const httpOrigin = (host: string, port: number): string =>
  `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
