import { routes } from '@tollgate/contract';
import {
  also,
  byKind,
  callable,
  cameIn,
  checkOf,
  faultAt,
  flag,
  list,
  memberPlace,
  oneOf,
  optionsCheck,
  required,
  text,
  whole,
  type OptionCheck,
} from '@tollgate/contract/configuration';
import type { Engine } from '@tollgate/engine';
import type { GatewayHandler, GatewayRequest, GatewayResponse } from './gateway-request.ts';
import { letsIn, type OriginLine } from './origin-decision.ts';

/** Which pages of other origins may call the gateway from a browser. */
export interface CorsOptions {
  /** Exact origins such as `https://app.example.com`, a function that says whether one may, or `*` for all of them. */
  readonly origins: readonly string[] | ((origin: string) => boolean) | '*';
  /** Request headers that a page may send; by default those that it asks for. */
  readonly headers?: readonly string[];
  /** Answer headers that a page may read, beside those that the gateway sets itself. */
  readonly exposeHeaders?: readonly string[];
  /** How long a browser keeps the answer to a preflight (default 600, at most 86,400). */
  readonly maxAgeSeconds?: number;
  /** Whether a page may send cookies, for a host that signs its users in itself (default false); not with `*`. */
  readonly credentials?: boolean;
}

const maxAgeSecondsDefault = 600;
const maxAgeSecondsMax = 86_400;
/** Names of headers that one preflight may ask for, in characters. */
const askedHeadersCharsMax = 2_048;

/** What the gateway itself tells in headers. */
const ownHeaders = [
  'X-Request-Id',
  'Idempotency-Replayed',
  'Retry-After',
  'Retry-After-Ms',
  'X-RateLimit-Limit-Requests',
  'X-RateLimit-Remaining-Requests',
  'X-RateLimit-Reset-Requests',
  'X-RateLimit-Limit-Tokens',
  'X-RateLimit-Remaining-Tokens',
  'X-RateLimit-Reset-Tokens',
  'X-Should-Retry',
  'Allow',
  'Accept-Ranges',
  'Content-Disposition',
  'Content-Range',
  'ETag',
  'X-Goog-Upload-Status',
  'X-Goog-Upload-URL',
  'X-Goog-Upload-Size-Received',
];

const methods = [...new Set(['HEAD', ...routes.map(({ method }) => method)])].join(', ');

const headerName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

const headerNames = list(text({ isSound: (name) => headerName.test(name), accepted: 'is the name of a header' }));

const isOrigin = (origin: string): boolean => URL.canParse(origin) && new URL(origin).origin === origin;

const originOf = (value: unknown): string => {
  const origin = typeof value === 'string' && URL.canParse(value) ? new URL(value).origin : 'null';
  return origin === 'null' ? 'https://app.example.com' : origin;
};

const exactOrigin = checkOf<string>((value, place) =>
  typeof value === 'string' && isOrigin(value)
    ? []
    : faultAt(place, cameIn(value), `is an exact origin such as ${originOf(value)}`),
);

const originsCheck = byKind<CorsOptions['origins']>(
  { text: oneOf('*'), function: callable(), list: list(exactOrigin, { entriesMin: 1 }) },
  "is a list of origins, a function, or '*'",
);

const members = optionsCheck<CorsOptions>({
  origins: required(originsCheck),
  headers: headerNames,
  exposeHeaders: headerNames,
  maxAgeSeconds: whole({ max: maxAgeSecondsMax }),
  credentials: flag(),
});

/** Options by which a browser would admit no origin, or more than was meant, are faults. */
export const corsCheck: OptionCheck<CorsOptions> = also(members, (given, place) =>
  given.credentials === true && given.origins === '*'
    ? faultAt(memberPlace(place, 'credentials'), "stands beside origins '*'", 'are named origins, or no credentials')
    : [],
);

type Headers = Readonly<Record<string, string>>;

/** Whether the options let an origin in. */
export const isCorsOrigin = ({ origins }: CorsOptions, origin: string, line: OriginLine): boolean => {
  if (origins === '*') return true;
  return typeof origins === 'function'
    ? letsIn({ option: 'cors.origins', allows: origins }, origin, line)
    : origins.includes(origin);
};

/** What lets a page in, or nothing where it may not. */
const admission = (cors: CorsOptions, origin: string, line: OriginLine): Headers =>
  isCorsOrigin(cors, origin, line)
    ? {
        'access-control-allow-origin': cors.origins === '*' ? '*' : origin,
        ...(cors.credentials === true ? { 'access-control-allow-credentials': 'true' } : {}),
      }
    : {};

const askedHeaders = (request: GatewayRequest): string => {
  const asked = request.header('access-control-request-headers') ?? '';
  const names = asked.split(',').map((name) => name.trim());
  return asked.length <= askedHeadersCharsMax && names.every((name) => headerName.test(name)) ? names.join(', ') : '';
};

const preflight = (options: CorsOptions, request: GatewayRequest, admitted: Headers): GatewayResponse => {
  const allowed = options.headers?.join(', ') ?? askedHeaders(request);
  const permitted = {
    'access-control-allow-methods': methods,
    'access-control-max-age': String(options.maxAgeSeconds ?? maxAgeSecondsDefault),
    ...(allowed === '' ? {} : { 'access-control-allow-headers': allowed }),
  };
  return {
    // Not 204, whose answer has no length and no body object: every server takes an empty 200, and every browser.
    status: 200,
    headers: {
      ...admitted,
      ...(Object.keys(admitted).length === 0 ? {} : permitted),
      vary: 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers',
    },
    body: '',
  };
};

const isPreflight = (request: GatewayRequest): boolean =>
  request.method === 'OPTIONS' && request.header('access-control-request-method') !== null;

/** An answer may differ by more than the page that asks. */
const varyOf = ({ headers: { vary } }: GatewayResponse): string => (vary === undefined ? 'Origin' : `${vary}, Origin`);

/**
 * Lets pages of other origins call every route (options that `corsCheck` takes), refusals included: without these headers a page could not even read why it was
 * refused. A preflight is answered here, whatever its path; it tells nothing of what there is.
 */
export const withCors = (
  handle: GatewayHandler,
  cors: CorsOptions,
  { logger, newId }: Pick<Engine, 'logger' | 'newId'>,
): GatewayHandler => {
  const exposed = [...ownHeaders, ...(cors.exposeHeaders ?? [])].join(', ');
  return async (asked) => {
    // A line about the decision carries the id that the request keeps.
    const request = { ...asked, id: asked.id ?? newId() };
    const origin = request.header('origin');
    const admitted = origin === null ? {} : admission(cors, origin, { logger, requestId: request.id });
    if (origin !== null && isPreflight(request)) return preflight(cors, request, admitted);
    const answer = await handle(request);
    const readable = Object.keys(admitted).length === 0 ? {} : { 'access-control-expose-headers': exposed };
    return { ...answer, headers: { ...answer.headers, ...admitted, ...readable, vary: varyOf(answer) } };
  };
};
