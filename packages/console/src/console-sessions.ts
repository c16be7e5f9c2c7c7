import { readCookie, sessionCharactersMax, sessionSeal, writeCookie } from './session-cookie.ts';

/** Who may sign in on the console's own form, and for how long. */
export interface ConsoleSessionsOptions<I> {
  /**
   * Signs the sessions: a text of at least 32 characters, or a list whose first text signs and whose others are still accepted. A
   * new secret ends all sessions.
   */
  readonly secret: string | readonly string[];
  /** Who a typed credential belongs to, or null. Compare it in constant time: `sameText` does. A rejection is a 503. */
  readonly signIn: (credential: string) => I | null | Promise<I | null>;
  /** What the signed identity has to be, checked again at each request: what this returns null for is signed out. */
  readonly stillValid?: ((identity: I) => I | null | Promise<I | null>) | undefined;
  /** How long a session lasts; 8 hours by default. */
  readonly sessionSeconds?: number | undefined;
  /** How many refused credentials a minute this process accepts before it refuses all with 429; 20 by default. */
  readonly refusalsMax?: number | undefined;
  /** Whether browsers reach the console over HTTPS. By default the request's URL says so; set it behind a proxy that ends TLS. */
  readonly secure?: boolean | undefined;
  readonly nowMs?: (() => number) | undefined;
}

/** What the console asks of its sessions, and the administration's handler of a request. */
export interface ConsoleSessions<I> {
  /** The identity of the session that a request carries, or null. */
  readonly authorize: (request: Request) => Promise<I | null>;
  /** The response to a typed credential: 204 with a cookie, 401, 429 or 503. */
  readonly signIn: (request: Request, credential: string) => Promise<Response>;
  /** The response that ends a session in this browser. */
  readonly signOut: (request: Request) => Response;
}

const secretCharactersMin = 32;
const sessionSecondsDefault = 28_800;
const refusalsMaxDefault = 20;
const minuteMs = 60_000;

/** Compares two texts in a time that tells nothing of where they differ. */
export const sameText = async (one: string, other: string): Promise<boolean> => {
  const encoder = new TextEncoder();
  const key = await crypto.subtle.generateKey({ name: 'HMAC', hash: 'SHA-256' }, false, ['sign', 'verify']);
  const signature = await crypto.subtle.sign('HMAC', key, encoder.encode(one));
  return crypto.subtle.verify('HMAC', key, signature, encoder.encode(other));
};

/** Refused credentials in the current minute of this process. */
const refusalCounter = (max: number, nowMs: () => number) => {
  let minute = 0;
  let count = 0;
  const turn = (): void => {
    const current = Math.floor(nowMs() / minuteMs);
    if (current === minute) return;
    minute = current;
    count = 0;
  };
  return {
    isFull: (): boolean => {
      turn();
      return count >= max;
    },
    add: (): void => {
      turn();
      count += 1;
    },
  };
};

const refused = (status: number, code: string, message: string, headers: Record<string, string> = {}): Response =>
  Response.json({ error: { code, message } }, { status, headers: { 'cache-control': 'no-store', ...headers } });

/** The host's own fault: the visitor can tell it to whom it concerns. */
const tooLong = (characters: number): Response =>
  refused(
    500,
    'session_too_long',
    `The identity that signIn of this console returned makes a session of ${characters} characters. Accepted are ${sessionCharactersMax}: return less, such as an id.`,
  );

/** Who a credential belongs to, or the response that refuses it. */
const judge = async <I>(
  credential: string,
  signIn: ConsoleSessionsOptions<I>['signIn'],
  refusals: ReturnType<typeof refusalCounter>,
): Promise<I | Response> => {
  if (refusals.isFull())
    return refused(429, 'too_many_sign_ins', 'Too many credentials were refused. Wait a minute.', {
      'retry-after': '60',
    });
  try {
    const identity = await signIn(credential);
    if (identity !== null) return identity;
  } catch {
    return refused(503, 'sign_in_unavailable', 'The sign-in of this console failed. Try again.');
  }
  refusals.add();
  return refused(401, 'sign_in_refused', 'This credential is not known.');
};

const secretsOf = (secret: string | readonly string[]): readonly string[] => {
  const secrets = typeof secret === 'string' ? [secret] : secret;
  if (secrets.length === 0 || secrets.some(({ length }) => length < secretCharactersMin))
    throw new RangeError(`consoleSessions: each secret has at least ${secretCharactersMin} characters`);
  return secrets;
};

/**
 * Sessions for a host without a sign-in of its own: a form on the console, a signed cookie that scripts cannot read, and no state in
 * any process. Give `authorize` to the administration's handler, and the whole to `consoleHandler`.
 */
export const consoleSessions = <I extends object>(options: ConsoleSessionsOptions<I>): ConsoleSessions<I> => {
  const { stillValid, sessionSeconds = sessionSecondsDefault, nowMs = Date.now } = options;
  const seal = sessionSeal<I>(secretsOf(options.secret));
  const refusals = refusalCounter(options.refusalsMax ?? refusalsMaxDefault, nowMs);
  const isSecure = (request: Request): boolean => options.secure ?? new URL(request.url).protocol === 'https:';
  const open = async (request: Request): Promise<I | null> => {
    const text = readCookie(request, isSecure(request));
    const session = text === null ? null : await seal.open(text);
    if (session === null || session.expiresAtMs <= nowMs()) return null;
    // Sound: the text was signed by `seal`, which takes an identity of this type only.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above
    const identity = session.identity as I;
    return stillValid === undefined ? identity : stillValid(identity);
  };
  return {
    authorize: open,
    signIn: async (request, credential) => {
      const answer = await judge(credential, options.signIn, refusals);
      if (answer instanceof Response) return answer;
      const text = await seal.seal({ identity: answer, expiresAtMs: nowMs() + sessionSeconds * 1_000 });
      if (text.length > sessionCharactersMax) return tooLong(text.length);
      const cookie = writeCookie(text, isSecure(request), sessionSeconds);
      return new Response(null, { status: 204, headers: { 'cache-control': 'no-store', 'set-cookie': cookie } });
    },
    signOut: (request) =>
      new Response(null, {
        status: 204,
        headers: { 'cache-control': 'no-store', 'set-cookie': writeCookie('', isSecure(request), 0) },
      }),
  };
};
