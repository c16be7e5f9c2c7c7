import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * Headers by which a proxy shows that it stands between. Proxies must pass on interim responses, and some do not: nginx 1.22
 * takes the first one for the answer.
 */
const proxyHeaders = [
  'via',
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-forwarded-port',
  'x-real-ip',
] as const;

/**
 * Whether the client reads interim responses as RFC 9110 demands. Those that implement the Fetch standard do, and send
 * `sec-fetch-mode`, as Node and browsers do; among others, Python's `http.client` (`requests`) takes one for the answer.
 * HTTP/1.0 has none.
 */
const readsInterim = ({ httpVersion, headers }: IncomingMessage): boolean =>
  httpVersion === '1.1' &&
  headers['sec-fetch-mode'] !== undefined &&
  proxyHeaders.every((name) => headers[name] === undefined);

/**
 * Tells a client every so often that its answer is still being made: 102 (Processing) has Node's `fetch` wait on, which gives
 * up after 300 seconds without headers. Null reports nothing. Returns what ends it.
 */
export const tellOfProcessing = (
  request: IncomingMessage,
  response: ServerResponse,
  everyMs: number | null,
): (() => void) => {
  if (everyMs === null || !readsInterim(request)) return () => {};
  const timer = setInterval(() => {
    // One that waits behind another answer on its connection has no socket yet.
    if (response.socket !== null && !response.headersSent) response.writeProcessing();
  }, everyMs);
  timer.unref();
  return () => clearInterval(timer);
};
