import { GatewayError } from '@tollgate/contract';

/** A request that is about to be shown to the host, and where its client sent it. */
export interface CookieRequest {
  readonly headers: Headers;
  /** Scheme and host by which the server was reached, as far as it can tell. */
  readonly ownOrigin: string | null;
}

const hostOf = (origin: string | null): string | null =>
  origin !== null && URL.canParse(origin) ? new URL(origin).host : null;

/** The hosts by which the client may have reached the gateway: a proxy may tell another than the server sees. */
const hostsOf = ({ headers, ownOrigin }: CookieRequest): readonly (string | null)[] => [
  headers.get('host'),
  headers.get('x-forwarded-host'),
  hostOf(ownOrigin),
];

/** A password of the browser's own dialog, or the sign-in of its machine. */
const ofBrowser = /^(?:basic|digest|negotiate|ntlm)(?: |$)/i;

/** Whether a browser may have added what says who sends a request: it does so whichever page asks. */
const isAmbient = (headers: Headers): boolean => {
  const authorization = headers.get('authorization');
  return authorization === null ? headers.has('cookie') : ofBrowser.test(authorization);
};

/**
 * Refuses a request whose cookies or password a browser has added for a page of another origin. A request that brings a credential
 * in a header which only the page's own program sets, and one that names no origin, passes.
 */
export const checkCookieOrigin = (request: CookieRequest, allowsOrigin: (origin: string) => boolean): void => {
  const { headers } = request;
  const origin = headers.get('origin');
  if (origin === null || !isAmbient(headers)) return;
  const host = hostOf(origin);
  if ((host !== null && hostsOf(request).includes(host)) || allowsOrigin(origin)) return;
  throw new GatewayError('token_not_allowed', {
    detail:
      'The request has cookies or a password of the browser and comes from a page of another origin; accepted are pages of the origin of the gateway, and those that the gateway lets in.',
  });
};
