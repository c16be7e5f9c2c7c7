import type { Json } from './json.ts';

/** One request. A body that is neither text, bytes nor a stream is sent as JSON. */
export interface Ask {
  readonly method?: string | undefined;
  /** Below the base address. */
  readonly path: string;
  /** The key; null sends none. */
  readonly key: string | null;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
}

/** A request and its response, as the report shows them: without keys, and cut. */
export interface Exchange {
  readonly request: string;
  readonly response: string;
}

/** A response read to its end. */
export interface Answer {
  readonly method: string;
  /** Below the base address, with its query. */
  readonly path: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly bytes: Uint8Array;
  /** The body as JSON; undefined inside where it is none. */
  readonly json: Json;
  readonly exchange: Exchange;
}

/** A response whose body is read as it comes. */
export interface OpenAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** The next bytes as text; null at the end. */
  readonly next: () => Promise<string | null>;
  /** Reads to the end. */
  readonly rest: () => Promise<Answer>;
}

export const requestIdOf = ({ headers }: { readonly headers: Headers }): string => headers.get('x-request-id') ?? '';
