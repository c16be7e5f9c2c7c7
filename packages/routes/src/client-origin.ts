import type { GatewayRequest } from './gateway-request.ts';

/** Scheme and host by which the client came, or null where its header names no host. */
export const clientOrigin = (request: GatewayRequest): string | null => {
  const { origin = '' } = request;
  if (!URL.canParse(origin)) return null;
  const { protocol, host } = new URL(origin);
  // A proxy that ends TLS says so; from there on the client came by plain HTTP.
  const scheme = request.header('x-forwarded-proto') === 'https' ? 'https:' : protocol;
  return `${scheme}//${host}`;
};
