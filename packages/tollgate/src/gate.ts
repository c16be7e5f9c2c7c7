import { GatewayError } from '@tollgate/contract';
import type { GatewayHandler, GatewayResponse } from '@tollgate/routes';

/** What a request gets that comes while the gateway is closing. */
const closingAnswer = (requestId: string): GatewayResponse => {
  const { code, message } = new GatewayError('service_unavailable');
  return {
    status: 503,
    headers: {
      'content-type': 'application/json',
      'cache-control': 'no-store',
      'retry-after': '1',
      'x-should-retry': 'true',
      connection: 'close',
      'x-request-id': requestId,
    },
    body: JSON.stringify({ error: { code, message } }),
  };
};

/** Counts the requests under way, and turns new ones away once it is shut. */
export interface Gate {
  readonly handle: GatewayHandler;
  /** Resolves when the last request under way has been answered. */
  shut(): Promise<void>;
  isShut(): boolean;
  /** How many requests are under way. */
  count(): number;
}

export const createGate = (handle: GatewayHandler): Gate => {
  let open = true;
  let underWay = 0;
  const idlers: (() => void)[] = [];
  const leave = (): void => {
    underWay -= 1;
    if (underWay === 0) for (const wake of idlers.splice(0)) wake();
  };
  return {
    handle: (request) => {
      if (!open) return Promise.resolve(closingAnswer(request.id ?? crypto.randomUUID()));
      underWay += 1;
      return handle(request).finally(leave);
    },
    shut: () => {
      open = false;
      return underWay === 0 ? Promise.resolve() : new Promise((resolve) => idlers.push(resolve));
    },
    isShut: () => !open,
    count: () => underWay,
  };
};
