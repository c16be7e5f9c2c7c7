import type { ClientRetry } from '@tollgate/engine';
import type { GatewayRequest } from './gateway-request.ts';

/** In it the libraries of several vendors say how many retries of their own came before a request. */
const countHeader = 'x-stainless-retry-count';
const countShape = /^\d{1,3}$/;

/** What a client tells of its own retries; nothing where it does not mark them. */
export const retryOf = (request: GatewayRequest): { readonly retry?: ClientRetry } => {
  const count = request.header(countHeader);
  if (count === null || !countShape.test(count)) return {};
  return { retry: { count: Number(count), onGone: (leave) => request.onGone(leave) } };
};
