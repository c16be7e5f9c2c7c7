/** A short-lived token of a visitor, as the host's server made it. */
export interface BrowserToken {
  readonly token: string;
  /** When it expires, as an ISO 8601 text or in milliseconds since 1970. */
  readonly expiresAt: string | number;
}

export interface TollgateClientOptions {
  /** The address of the gateway's routes, such as `https://api.example.com/v1`. */
  readonly baseUrl: string;
  /** Asks the host's server for a token of the signed-in visitor. */
  readonly getToken: () => Promise<BrowserToken>;
  readonly fetch?: typeof fetch | undefined;
  readonly nowMs?: (() => number) | undefined;
}

/** A response that is not a success. */
export class TollgateRequestError extends Error {
  override readonly name = 'TollgateRequestError';
  readonly status: number;

  constructor(status: number) {
    super(`the gateway responded with ${status}`);
    this.status = status;
  }
}

/** What the elements of one page share: one token, renewed once for all of them. */
export interface TollgateClient {
  /** The JSON of a `GET` route, such as `account/balance`. Rejects with a `TollgateRequestError`. */
  readonly get: (path: string, query?: Readonly<Record<string, string>>) => Promise<unknown>;
  /** Calls the listener when credits may have changed; returns the function that ends it. */
  readonly onChange: (listener: () => void) => () => void;
  /** Says that credits may have changed, as after a call or a purchase. */
  readonly changed: () => void;
}

/** A token is renewed so long before it expires. */
const renewBeforeMs = 30_000;
const unauthorised = 401;

const instantOf = ({ expiresAt }: BrowserToken): number =>
  typeof expiresAt === 'number' ? expiresAt : Date.parse(expiresAt);

/** Keeps one token: requests that need a new one at the same time wait for the same renewal. */
const tokenSource = (getToken: TollgateClientOptions['getToken'], nowMs: () => number) => {
  let current: BrowserToken | null = null;
  let renewal: Promise<BrowserToken> | null = null;
  const renew = (): Promise<BrowserToken> =>
    (renewal ??= getToken().then(
      (token) => {
        current = token;
        renewal = null;
        return token;
      },
      (error: unknown) => {
        renewal = null;
        throw error;
      },
    ));
  return {
    read: async (): Promise<string> => {
      const isFresh = current !== null && instantOf(current) - nowMs() > renewBeforeMs;
      return (isFresh && current !== null ? current : await renew()).token;
    },
    /** A token that was refused is replaced, unless another request has replaced it already. */
    replace: async (refused: string): Promise<string> => {
      if (current?.token === refused) current = null;
      return (current ?? (await renew())).token;
    },
  };
};

/** Connects a page to a gateway. Tokens stay in memory. */
export const connectTollgate = (options: TollgateClientOptions): TollgateClient => {
  const { nowMs = Date.now } = options;
  const send = options.fetch ?? fetch.bind(globalThis);
  const tokens = tokenSource(options.getToken, nowMs);
  const listeners = new Set<() => void>();
  const base = options.baseUrl.replace(/\/+$/u, '');
  return {
    get: async (path, query = {}) => {
      const search = new URLSearchParams(query);
      const address = `${base}/${path}${search.size === 0 ? '' : `?${search}`}`;
      const ask = (token: string): Promise<Response> =>
        send(address, { headers: { authorization: `Bearer ${token}` } });
      const token = await tokens.read();
      const first = await ask(token);
      const response = first.status === unauthorised ? await ask(await tokens.replace(token)) : first;
      if (!response.ok) throw new TollgateRequestError(response.status);
      const body: unknown = await response.json();
      return body;
    },
    onChange: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    changed: () => {
      for (const listener of listeners) listener();
    },
  };
};
