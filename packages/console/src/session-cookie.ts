// A session as a signed cookie: the browser's scripts cannot read it, and no process has to remember it.

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Named so that a browser refuses it without `Secure` and from any other host. */
const secureName = '__Host-tollgate-console';
/** For a console on plain HTTP, as on a developer's machine. */
const plainName = 'tollgate-console';
/** What browsers keep of one cookie, its name and its value together; a longer one they drop without a word. */
const cookieCharactersMax = 4_096;
/** The longest text of a session. */
export const sessionCharactersMax = cookieCharactersMax - secureName.length;

const toBase64Url = (bytes: Uint8Array<ArrayBuffer>): string =>
  btoa(String.fromCodePoint(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/u, '');

const fromBase64Url = (text: string): Uint8Array<ArrayBuffer> | null => {
  if (!/^[\w-]*$/u.test(text)) return null;
  try {
    const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
    return Uint8Array.from(binary, (character) => character.codePointAt(0) ?? 0);
  } catch {
    return null;
  }
};

const signingKey = (secret: string) =>
  crypto.subtle.importKey('raw', encoder.encode(secret), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign', 'verify']);

/** What a session says; it is signed, not encrypted: no secret belongs in it. */
export interface Session<I> {
  readonly identity: I;
  readonly expiresAtMs: number;
}

export interface SessionSeal<I> {
  readonly seal: (session: Session<I>) => Promise<string>;
  /** The session of an intact text, also of one that has expired; null for any other text. */
  readonly open: (text: string) => Promise<Session<unknown> | null>;
}

const asSession = (value: unknown): Session<unknown> | null =>
  typeof value === 'object' &&
  value !== null &&
  'identity' in value &&
  'expiresAtMs' in value &&
  typeof value.expiresAtMs === 'number'
    ? { identity: value.identity, expiresAtMs: value.expiresAtMs }
    : null;

/** Signs and checks sessions with HMAC-SHA256. The first secret signs; each of them is accepted, so that they can be rotated. */
export const sessionSeal = <I>(secrets: readonly string[]): SessionSeal<I> => {
  const keys = Promise.all(secrets.map(signingKey));
  return {
    seal: async (session) => {
      const [first] = await keys;
      if (first === undefined) throw new Error('a console needs a secret to sign sessions with');
      const body = toBase64Url(encoder.encode(JSON.stringify(session)));
      return `${body}.${toBase64Url(new Uint8Array(await crypto.subtle.sign('HMAC', first, encoder.encode(body))))}`;
    },
    open: async (text) => {
      const [body = '', signatureText = ''] = text.split('.', 2);
      const signature = fromBase64Url(signatureText);
      const bytes = fromBase64Url(body);
      if (signature === null || bytes === null) return null;
      const fits = await Promise.all(
        (await keys).map((key) => crypto.subtle.verify('HMAC', key, signature, encoder.encode(body))),
      );
      return fits.includes(true) ? asSession(JSON.parse(decoder.decode(bytes))) : null;
    },
  };
};

/** The session's text that a request carries, or null. */
export const readCookie = (request: Request, secure: boolean): string | null => {
  const wanted = secure ? secureName : plainName;
  for (const part of (request.headers.get('cookie') ?? '').split(';')) {
    const [name = '', ...value] = part.trim().split('=');
    const text = value.join('=');
    if (name === wanted && text !== '' && text.length <= sessionCharactersMax) return text;
  }
  return null;
};

/** The header that stores a session in a browser, or ends it with `maxAgeSeconds` 0. */
export const writeCookie = (text: string, secure: boolean, maxAgeSeconds: number): string =>
  [
    `${secure ? secureName : plainName}=${text}`,
    'Path=/',
    `Max-Age=${maxAgeSeconds}`,
    'HttpOnly',
    'SameSite=Strict',
    ...(secure ? ['Secure'] : []),
  ].join('; ');
