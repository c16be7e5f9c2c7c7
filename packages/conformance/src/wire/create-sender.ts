import type { Answer, Ask, OpenAnswer } from './exchange.ts';
import { parseJson } from './json.ts';
import { showRequest, showResponse, withoutKeys } from './show-exchange.ts';

/** How the kit speaks to the gateway. */
export interface Sender {
  readonly open: (ask: Ask) => Promise<OpenAnswer>;
  readonly send: (ask: Ask) => Promise<Answer>;
}

export interface SenderOptions {
  readonly base: string;
  /** What a report must not show. */
  readonly keys: readonly string[];
  readonly fetch: typeof globalThis.fetch;
}

type WireBody = NonNullable<RequestInit['body']>;

const bodyOf = (body: unknown): WireBody =>
  typeof body === 'string' || body instanceof Uint8Array || body instanceof ReadableStream
    ? // A view of bytes is a body for `fetch`, whatever buffer is behind it.
      (body as WireBody)
    : JSON.stringify(body);

const headersOf = ({ body, headers = {}, key }: Ask): Headers => {
  const all = new Headers(body === undefined ? {} : { 'content-type': 'application/json' });
  if (key !== null) all.set('authorization', `Bearer ${key}`);
  for (const [name, value] of Object.entries(headers)) {
    if (value === '' && name === 'content-type') all.delete(name);
    else all.set(name, value);
  }
  return all;
};

/** Reads a body in pieces, and keeps them. */
const createReader = (response: Response) => {
  const reader = response.body?.getReader();
  const chunks: Uint8Array[] = [];
  const read = async (): Promise<Uint8Array | null> => {
    const part = await reader?.read();
    const value: unknown = part?.value;
    if (!(value instanceof Uint8Array)) return null;
    chunks.push(value);
    return value;
  };
  const readAll = async (): Promise<Uint8Array> => {
    while ((await read()) !== null);
    return Buffer.concat(chunks);
  };
  return { read, readAll };
};

const requestOf = (ask: Ask, method: string, headers: Headers): RequestInit => ({
  method,
  headers,
  redirect: 'manual',
  body: ask.body === undefined ? null : bodyOf(ask.body),
  duplex: 'half',
  signal: ask.signal ?? null,
});

/** Sends requests; a response is kept as it came, for the report. */
export const createSender = ({ base, keys, fetch }: SenderOptions): Sender => {
  const open = async (ask: Ask): Promise<OpenAnswer> => {
    const method = ask.method ?? (ask.body === undefined ? 'GET' : 'POST');
    const sent = headersOf(ask);
    const request = withoutKeys(showRequest(`${method} ${ask.path}`, sent, ask.body), keys);
    const response = await fetch(`${base}${ask.path}`, requestOf(ask, method, sent));
    const { status, headers } = response;
    const { read, readAll } = createReader(response);
    const decoder = new TextDecoder();
    const rest = async (): Promise<Answer> => {
      const bytes = await readAll();
      const text = new TextDecoder().decode(bytes);
      const exchange = { request, response: withoutKeys(showResponse(status, headers, text), keys) };
      return { method, path: ask.path, status, headers, text, bytes, json: parseJson(text), exchange };
    };
    const next = async (): Promise<string | null> => {
      const bytes = await read();
      return bytes === null ? null : decoder.decode(bytes, { stream: true });
    };
    return { status, headers, next, rest };
  };
  return { open, send: async (ask) => (await open(ask)).rest() };
};
