import { IncomingMessage } from 'node:http';
import { TLSSocket } from 'node:tls';
import { jwtVerify, type JWTVerifyGetKey } from 'jose';
import type { Gateway, GatewayOptions } from 'tollgate';
import { ensureAccount, type User } from './business.ts';

type Authenticate = NonNullable<GatewayOptions['authenticate']>;

// #region session
interface Sessions {
  /** The user of the session that the cookies name, or null. */
  readonly find: (headers: Headers) => Promise<{ readonly id: string; readonly projectId: string } | null>;
}

/** Users of the host's own application, who are signed in by a cookie. */
export const bySession =
  (sessions: Sessions): Authenticate =>
  async ({ headers }) => {
    const user = await sessions.find(headers);
    return user === null ? null : { projectId: user.projectId, reference: `user:${user.id}` };
  };
// #endregion session

// #region new-users
/** Users who get their account and project at their first call; `adminOf` returns `gateway.admin` once the gateway is there. */
export const byNewUser = (
  find: (headers: Headers) => Promise<User | null>,
  adminOf: () => Gateway['admin'],
): Authenticate => {
  const known = new Set<string>();
  return async ({ headers }) => {
    const user = await find(headers);
    if (user === null) return null;
    if (!known.has(user.id)) await ensureAccount(adminOf(), user);
    if (known.size >= 10_000) known.clear();
    known.add(user.id);
    return { projectId: user.id, reference: `user:${user.id}` };
  };
};
// #endregion new-users

// #region jwt
/** Where clients put their key: those of OpenAI, of Anthropic and of Google, and sockets of Google's. */
const tokenOf = (headers: Headers, query: string): string | null =>
  /^bearer +(\S+)$/i.exec(headers.get('authorization') ?? '')?.[1] ??
  headers.get('x-api-key') ??
  headers.get('x-goog-api-key') ??
  new URLSearchParams(query).get('key');

/** Callers whose identity provider signs their tokens; each is bound to a project by a claim. */
export const byJwt =
  (keys: JWTVerifyGetKey): Authenticate =>
  async ({ headers, query }) => {
    const token = tokenOf(headers, query);
    if (token === null) return null;
    const payload = await jwtVerify(token, keys, {
      issuer: 'https://id.example.com/',
      audience: 'https://ai.example.com',
      algorithms: ['ES256'],
      requiredClaims: ['exp', 'sub'],
    }).then(
      (verified) => verified.payload,
      () => null,
    );
    const projectId = payload?.['project'];
    if (typeof projectId !== 'string') return null;
    return { projectId, reference: `jwt:${payload?.sub}`, limits: { requestsPerMinute: 60 } };
  };
// #endregion jwt

// #region mutual-tls
/** Machines with a certificate that the server of the host has verified. */
export const byCertificate =
  (projectOf: ReadonlyMap<string, string>): Authenticate =>
  ({ raw }) => {
    if (!(raw instanceof IncomingMessage) || !(raw.socket instanceof TLSSocket) || !raw.socket.authorized) return null;
    const name = String(raw.socket.getPeerCertificate().subject.CN);
    const projectId = projectOf.get(name);
    return projectId === undefined ? null : { projectId, reference: `machine:${name}` };
  };
// #endregion mutual-tls

// #region first-of
/** The first that recognises a caller: `firstOf(bySession(sessions), byJwt(keys))`. */
export const firstOf =
  (...ways: readonly Authenticate[]): Authenticate =>
  async (question) => {
    for (const way of ways) {
      const caller = await way(question);
      if (caller) return caller;
    }
    return null;
  };
// #endregion first-of

// #region usage
/** What each user of a project was charged, in micro-credits, by the reference under which the user counts. */
export const chargedByUser = async (
  admin: Gateway['admin'],
  projectId: string,
  range: { readonly fromMs: number; readonly untilMs: number },
): Promise<ReadonlyMap<string, bigint>> => {
  const charged = new Map<string, bigint>();
  let after: Parameters<typeof admin.usage>[0]['after'];
  do {
    const page = await admin.usage({ ...range, groupBy: ['keyId'], filter: { projectId }, after });
    for (const { keyId = '', chargedMicros } of page.items) {
      // The id is empty where the record of an operation is gone.
      const key = keyId === '' ? null : await admin.readKey(keyId);
      charged.set(key?.reference ?? keyId, chargedMicros);
    }
    after = page.next ?? undefined;
  } while (after !== undefined);
  return charged;
};
// #endregion usage
