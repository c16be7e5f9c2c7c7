// Errors of the AI SDK carry registered symbols, by which two copies of its packages agree, and which spare this package
// loading any of them.
const carries = (error: unknown, symbol: string): boolean =>
  typeof error === 'object' && error !== null && Symbol.for(symbol) in error;

/** Whether this is an error of the AI SDK of that name, as in `AI_APICallError`. */
export const hasMarker = (error: unknown, name: string): boolean => carries(error, `vercel.ai.error.${name}`);

/** Whether the `statusCode` of this error is that of an upstream: errors of HTTP calls, and of the AI Gateway. */
export const speaksForUpstream = (error: unknown): boolean =>
  hasMarker(error, 'AI_APICallError') || carries(error, 'vercel.ai.gateway.error');
