import type { GatewayRequest } from '../gateway-request.ts';

/** The headers of a request whose key may come in a header of its client's own. A Bearer credential takes precedence. */
export const withKeyHeader =
  (request: GatewayRequest, keyHeader: string): GatewayRequest['header'] =>
  (name) => {
    const value = request.header(name);
    if (name !== 'authorization' || value !== null) return value;
    const key = request.header(keyHeader);
    return key === null ? null : `Bearer ${key}`;
  };
