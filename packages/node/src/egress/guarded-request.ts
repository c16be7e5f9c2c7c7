import { createAddressGuard, type AddressGuard, type AddressGuardOptions, type CheckedUrl } from './address-guard.ts';
import { connectToAddresses, openSocket, type ConnectChecked, type TlsTrust } from './connect-checked.ts';
import { startDeadline, waitUntil, type Deadline } from './deadline.ts';
import type { EgressRefusal } from './egress-url.ts';
import { exchange, type EgressAgents, type EgressPath } from './exchange.ts';
import type { Exchanged } from './exchanged.ts';
import { createKeptConnections } from './kept-connections.ts';
import { openAnswer, type OpenAnswer } from './open-answer.ts';

/** Whether a request may go to an address. */
export type EgressAdmission =
  | { readonly kind: 'refused' }
  /** The headers are sent to that address, in place of any of the same name, and to no other. */
  | { readonly kind: 'allowed'; readonly headers: Readonly<Record<string, string>> };

export interface GuardedRequest {
  readonly url: string;
  /** By default `GET`. */
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | string;
  /** For everything: resolving, connecting, sending, and reading the answer to its end. */
  readonly deadlineMs: number;
  /** Redirects that a `GET` follows, each checked as the first address was; by default none. */
  readonly redirectsMax?: number;
  /** Asked before anything is done for an address, that of a redirect included; by default every one is allowed. */
  readonly admit?: (url: URL) => Promise<EgressAdmission>;
  readonly signal?: AbortSignal | undefined;
}

/** Why no answer came: the name has no address, the time was over, the caller gave up, or the connection failed. */
export type UnreachableReason = 'unresolved' | 'deadline' | 'aborted' | 'connection';

export type NotAnswered =
  | { readonly kind: 'refused'; readonly reason: EgressRefusal }
  | { readonly kind: 'unreachable'; readonly reason: UnreachableReason };

export interface EgressOptions extends Omit<AddressGuardOptions, 'resolve'>, TlsTrust {
  /** By default the DNS of the system. */
  readonly resolve?: Exclude<AddressGuardOptions['resolve'], 'elsewhere'>;
  /** Agents of the host, such as a filtering proxy: they resolve names, decide and connect; addresses are still read strictly. */
  readonly agents?: EgressAgents;
  readonly connect?: ConnectChecked;
  /** How long a connection waits for another request; by default none is kept. Only for what may be sent twice. */
  readonly idleMs?: number;
}

/** The one way out to addresses that clients and models give. */
export interface Egress extends AddressGuard {
  readonly open: (request: GuardedRequest) => Promise<OpenAnswer | NotAnswered>;
  /** Lets go of kept connections. */
  readonly close: () => void;
}

const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
/** What goes on to another server: nothing by which the first one knew the caller. */
const impersonalHeaders = new Set(['accept', 'accept-encoding', 'accept-language', 'user-agent']);

const nextUrl = ({ status, headers }: Exchanged, from: URL): URL | undefined => {
  const { location } = headers;
  if (!redirectStatuses.has(status) || location === undefined) return undefined;
  return URL.canParse(location, from.href) ? new URL(location, from.href) : undefined;
};

const impersonal = (headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => impersonalHeaders.has(name.toLowerCase())));

interface Sent {
  readonly answer: Exchanged;
  readonly target: CheckedUrl;
}

/** The request that a redirect asks for; what one server received of the caller does not go to another one. */
const redirected = ({ answer, target }: Sent, request: GuardedRequest): GuardedRequest | undefined => {
  const next = nextUrl(answer, target.url);
  if (next === undefined) return undefined;
  const { headers = {} } = request;
  const isSameOrigin = next.origin === new URL(request.url).origin;
  return { ...request, url: next.href, headers: isSameOrigin ? headers : impersonal(headers) };
};

const failure = (deadline: Deadline): NotAnswered => {
  deadline.end();
  if (deadline.hasPassed()) return { kind: 'unreachable', reason: 'deadline' };
  return { kind: 'unreachable', reason: deadline.isOver() ? 'aborted' : 'connection' };
};

const refused = { kind: 'refused', reason: 'not_allowed' } as const;

const withHeaders = (
  headers: Readonly<Record<string, string>>,
  added: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> => {
  const names = new Set(Object.keys(added).map((name) => name.toLowerCase()));
  const kept = Object.entries(headers).filter(([name]) => !names.has(name.toLowerCase()));
  return { ...Object.fromEntries(kept), ...added };
};

/** The request as it may be sent, before its name is even resolved; what cannot be read is refused by the guard. */
const admitted = async (request: GuardedRequest): Promise<GuardedRequest | typeof refused> => {
  const { admit, url, headers = {} } = request;
  if (admit === undefined || !URL.canParse(url)) return request;
  const admission = await admit(new URL(url));
  return admission.kind === 'refused' ? refused : { ...request, headers: withHeaders(headers, admission.headers) };
};

const sendOne = async (
  guard: AddressGuard,
  path: EgressPath,
  asked: GuardedRequest,
  deadline: Deadline,
): Promise<Sent | NotAnswered> => {
  const request = asked.admit === undefined ? asked : await waitUntil(deadline, admitted(asked));
  if (request === undefined) return failure(deadline);
  if ('kind' in request) {
    deadline.end();
    return request;
  }
  const verdict = await waitUntil(deadline, guard.check(request.url));
  if (verdict === undefined) return failure(deadline);
  if (verdict.kind !== 'checked') deadline.end();
  if (verdict.kind === 'refused') return verdict;
  if (verdict.kind === 'unresolved') return { kind: 'unreachable', reason: 'unresolved' };
  const { method = 'GET', headers = {}, body } = request;
  try {
    const outgoing = { method, headers, deadline, body };
    return { answer: await exchange(verdict, outgoing, path), target: verdict };
  } catch {
    return failure(deadline);
  }
};

const pathOf = (options: EgressOptions): EgressPath => {
  const { agents, connect = connectToAddresses, idleMs } = options;
  if (agents !== undefined) return { kind: 'host', agents };
  const open: ConnectChecked = (target) => openSocket(target, connect, options);
  return idleMs === undefined
    ? { kind: 'fresh', open }
    : { kind: 'kept', connections: createKeptConnections({ open, idleMs }) };
};

/**
 * Makes a way out on which every request is checked first, connects to what was checked, and has a deadline. Proxy variables
 * of the environment are ignored: a proxy resolves names itself, which would undo the check.
 */
export const createEgress = (options: EgressOptions = {}): Egress => {
  const { agents, resolve, schemes } = options;
  const resolving = agents === undefined ? resolve : 'elsewhere';
  const guard = createAddressGuard({
    schemes,
    resolve: resolving,
  });
  const path = pathOf(options);
  return {
    check: guard.check,
    open: async (request) => {
      const redirectsMax = (request.method ?? 'GET') === 'GET' ? (request.redirectsMax ?? 0) : 0;
      const deadline = startDeadline(request.deadlineMs, request.signal);
      let sent = await sendOne(guard, path, request, deadline);
      for (let redirects = 0; redirects < redirectsMax && 'answer' in sent; redirects += 1) {
        const next = redirected(sent, request);
        if (next === undefined) break;
        sent.answer.body.on('error', () => undefined).destroy();
        sent = await sendOne(guard, path, next, deadline);
      }
      return 'answer' in sent ? openAnswer(sent.answer, sent.target.url, deadline) : sent;
    },
    close: () => {
      if (path.kind === 'kept') path.connections.close();
    },
  };
};
