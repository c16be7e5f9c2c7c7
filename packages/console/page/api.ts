import { readJson } from './read-json.ts';

/** A refusal with its code, as the page shows it. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** Proves to the server that this page asks, and no page of another site. */
const headers = { 'x-tollgate-console': '1' };

const textAt = (value: unknown, name: string): string | undefined => {
  if (typeof value !== 'object' || value === null) return undefined;
  const member: unknown = Reflect.get(value, name);
  return typeof member === 'string' ? member : undefined;
};

const readRefusal = async (response: Response): Promise<ApiError> => {
  const body: unknown = await response.json().catch(() => null);
  const error: unknown = typeof body === 'object' && body !== null && 'error' in body ? body.error : body;
  const message = textAt(error, 'message') ?? `The server responded with ${response.status}.`;
  return new ApiError(response.status, textAt(error, 'code') ?? 'unknown', message);
};

type Query = Readonly<Record<string, string | number | null | undefined>>;

const addressOf = (path: string, query: Query): string => {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== null && value !== '') search.set(name, String(value));
  return search.size === 0 ? `api/${path}` : `api/${path}?${search}`;
};

const send = async (method: string, address: string, body?: unknown): Promise<Response> => {
  const response = await fetch(address, {
    method,
    headers:
      body === undefined
        ? headers
        : { ...headers, 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw await readRefusal(response);
  return response;
};

const request = async <T>(method: string, address: string, body?: unknown): Promise<T> =>
  readJson<T>(await send(method, address, body));

/** The administration's routes, with the session of this browser. */
export const api = {
  get: <T>(path: string, query: Query = {}): Promise<T> => request<T>('GET', addressOf(path, query)),
  post: <T>(path: string, body: unknown = {}): Promise<T> => request<T>('POST', `api/${path}`, body),
  patch: <T>(path: string, body: unknown): Promise<T> => request<T>('PATCH', `api/${path}`, body),
  put: <T>(path: string, body: unknown): Promise<T> => request<T>('PUT', `api/${path}`, body),
  remove: <T>(path: string): Promise<T> => request<T>('DELETE', `api/${path}`),
  signIn: async (credential: string): Promise<void> => {
    await send('POST', 'session', { credential });
  },
  signOut: async (): Promise<void> => {
    await send('DELETE', 'session');
  },
  /** The address of a file that the browser saves, such as a statement as CSV. */
  address: addressOf,
};
