import type { ConsoleSessions } from './console-sessions.ts';
import { pageFiles } from './page-files.ts';
import { pageHeaders } from './page-headers.ts';

type FetchHandler = (request: Request) => Promise<Response>;

export interface ConsoleOptions {
  /** The handler of the administration, which decides what each visitor may see and do. */
  readonly admin: FetchHandler;
  /** The path under which `admin` expects its routes; `/admin` by default. */
  readonly adminPath?: string | undefined;
  /** The gateway, for calls from the page with a key that the visitor types. Without it the page offers none. */
  readonly gateway?: { readonly fetch: FetchHandler } | undefined;
  /** The path under which `gateway` expects its routes; `/api/v1/ai` by default. */
  readonly gatewayPath?: string | undefined;
  /** The path at which visitors see the console; `/console` by default. */
  readonly basePath?: string | undefined;
  readonly title?: string | undefined;
  /** A form to sign in, for a host that has no sign-in of its own. */
  readonly sessions?: ConsoleSessions<object> | undefined;
  /** Where a visitor whom `admin` does not know signs in with the host. */
  readonly signInUrl?: string | undefined;
}

const credentialCharactersMax = 1_024;
const signInBytesMax = 4_096;
/** A page of another site cannot send it without a preflight, which nothing here allows. */
const pageHeader = 'x-tollgate-console';

const refused = (status: number, code: string, message: string): Response =>
  Response.json({ error: { code, message } }, { status, headers: { ...pageHeaders, 'cache-control': 'no-store' } });

const withoutTrailingSlash = (path: string): string => path.replace(/\/+$/u, '');

/** A response of another handler, with the headers of the console. */
const dressed = (response: Response): Response => {
  const headers = new Headers(response.headers);
  for (const [name, value] of Object.entries(pageHeaders)) headers.set(name, value);
  return new Response(response.body, { status: response.status, headers });
};

/** The same request at another path. */
const at = (request: Request, path: string): Request => {
  const url = new URL(request.url);
  url.pathname = path;
  return new Request(url, request);
};

/** The bytes of a body as text, or null as soon as there are too many. */
const readText = async ({ body }: Request, bytesMax: number): Promise<string | null> => {
  const decoder = new TextDecoder();
  let bytes = 0;
  let text = '';
  for await (const chunk of body ?? []) {
    if (!(chunk instanceof Uint8Array)) return null;
    bytes += chunk.byteLength;
    if (bytes > bytesMax) return null;
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
};

/** The typed credential of a body that is small and JSON; null for any other. */
const readCredential = async (request: Request): Promise<string | null> => {
  try {
    const body: unknown = JSON.parse((await readText(request, signInBytesMax)) ?? '');
    const credential = typeof body === 'object' && body !== null && 'credential' in body ? body.credential : null;
    return typeof credential === 'string' && credential.length <= credentialCharactersMax ? credential : null;
  } catch {
    return null;
  }
};

const signIn = async (request: Request, { sessions }: ConsoleOptions): Promise<Response> => {
  if (sessions === undefined) return refused(404, 'not_found', 'This console has no sign-in of its own.');
  const credential = await readCredential(request);
  return credential === null
    ? refused(
        400,
        'invalid_body',
        `The body is JSON with 'credential', a text of at most ${credentialCharactersMax} characters.`,
      )
    : dressed(await sessions.signIn(request, credential));
};

/** What the page's program asks for, below the path of the console. */
const respondToProgram = async (request: Request, path: string, options: ConsoleOptions): Promise<Response> => {
  if (request.headers.get(pageHeader) === null)
    return refused(403, 'not_from_console', `Requests to the console carry the header ${pageHeader}.`);
  if (path === 'session' && request.method === 'POST') return signIn(request, options);
  if (path === 'session' && request.method === 'DELETE')
    return dressed(options.sessions?.signOut(request) ?? new Response(null, { status: 204 }));
  if (path.startsWith('api/')) {
    const adminPath = withoutTrailingSlash(options.adminPath ?? '/admin');
    return dressed(await options.admin(at(request, `${adminPath}/${path.slice('api/'.length)}`)));
  }
  if (path.startsWith('gateway/') && options.gateway !== undefined) {
    const gatewayPath = withoutTrailingSlash(options.gatewayPath ?? '/api/v1/ai');
    return dressed(await options.gateway.fetch(at(request, `${gatewayPath}/${path.slice('gateway/'.length)}`)));
  }
  return refused(404, 'not_found', 'The console has no such path.');
};

/**
 * The console as a `fetch` handler: the page, its files, and below `api/` the routes of `admin` for the signed-in visitor. It reads
 * no file and keeps no state. Requests outside of `basePath` get 404.
 */
export const consoleHandler = (options: ConsoleOptions): FetchHandler => {
  if (typeof options.admin !== 'function')
    throw new TypeError(
      'consoleHandler: admin is no function; accepted is what adminHandler(gateway, { authorize }) returns',
    );
  const basePath = withoutTrailingSlash(options.basePath ?? '/console');
  const files = pageFiles({
    title: options.title ?? 'Tollgate console',
    signInUrl: options.signInUrl ?? null,
    hasSignIn: options.sessions !== undefined,
    canTry: options.gateway !== undefined,
  });
  return async (request) => {
    const { pathname } = new URL(request.url);
    // The page's links are relative: they need the slash.
    if (pathname === basePath)
      return new Response(null, { status: 308, headers: { ...pageHeaders, location: `${basePath}/` } });
    if (!pathname.startsWith(`${basePath}/`)) return refused(404, 'not_found', 'The console is at another path.');
    const path = pathname.slice(basePath.length + 1);
    if (request.method === 'GET' || request.method === 'HEAD') {
      const file = await files(path);
      if (file !== null) return file;
    }
    return respondToProgram(request, path, options);
  };
};
