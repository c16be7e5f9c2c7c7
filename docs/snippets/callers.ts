import { IncomingMessage } from 'node:http';
import { TLSSocket } from 'node:tls';
import { jwtVerify, type JWTVerifyGetKey } from 'jose';
import type { GatewayOptions } from 'tollgate';

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

// #region jwt
/** Callers whose identity provider signs their tokens; each is bound to a project by a claim. */
export const byJwt =
  (keys: JWTVerifyGetKey): Authenticate =>
  async ({ headers }) => {
    const token = /^bearer (\S+)$/i.exec(headers.get('authorization') ?? '')?.[1];
    if (token === undefined) return null;
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

/** The first that recognises a caller. */
export const firstOf =
  (...ways: readonly Authenticate[]): Authenticate =>
  async (question) => {
    for (const way of ways) {
      const caller = await way(question);
      if (caller) return caller;
    }
    return null;
  };
