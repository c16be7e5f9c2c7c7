import { setTimeout as pause } from 'node:timers/promises';
import type { Visitor } from './visitor.ts';

const ordersAskedMax = 50;
const askAgainMs = 100;

/** The members of a JSON object that are texts. */
const textsOf = async (response: Response): Promise<Readonly<Record<string, unknown>>> => {
  // An object, as every route that is called so sends one.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return (await response.json()) as Readonly<Record<string, unknown>>;
};

/** A user without a browser: the requests that the page sends. */
export const fetchVisitor = (origin: string): Visitor => {
  const cookies = new Map<string, string>();
  const send = async (method: 'GET' | 'POST', path: string, body: object = {}): Promise<Response> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { origin, cookie, 'content-type': 'application/json', 'x-tollgate-console': '1' };
    const sent = method === 'GET' ? { headers } : { headers, method, body: JSON.stringify(body) };
    const response = await fetch(`${origin}${path}`, sent);
    if (!response.ok) throw new Error(`${path} responded with ${response.status}: ${await response.text()}`);
    for (const set of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/u.exec(set) ?? [];
      cookies.set(name, value);
    }
    return response;
  };
  const enter = async (way: string, email: string, password: string): Promise<void> => {
    await send('POST', `/api/auth/${way}/email`, { email, password, name: email });
  };
  const whenCredited = async (order: string): Promise<void> => {
    for (let asked = 0; asked < ordersAskedMax; asked += 1) {
      if ((await textsOf(await send('POST', '/orders', { order })))['credited'] === true) return;
      await pause(askAgainMs);
    }
    throw new Error('the order was not credited');
  };
  return {
    signUp: (email, password) => enter('sign-up', email, password),
    signIn: (email, password) => enter('sign-in', email, password),
    buy: async (pack) => {
      const { url } = await textsOf(await send('POST', '/checkout', { pack, again: 'yes' }));
      const paid = await fetch(String(url), { method: 'POST', redirect: 'manual' });
      const back = new URL(paid.headers.get('location') ?? '', origin);
      await whenCredited(back.searchParams.get('order') ?? '');
    },
    createKey: async (name) => String((await textsOf(await send('POST', '/keys', { name })))['key']),
    ask: async (question) => {
      const body = { model: 'flash-3.8', max_tokens: 200, messages: [{ role: 'user', content: question }] };
      const response = await send('POST', '/api/v1/ai/chat/completions', body);
      // A completion, as this route sends one.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      const { choices } = (await response.json()) as {
        readonly choices: readonly { readonly message: { readonly content: string } }[];
      };
      return choices[0]?.message.content ?? '';
    },
    readBalance: async () => {
      const { token } = await textsOf(await send('POST', '/tokens'));
      const headers = { authorization: `Bearer ${String(token)}` };
      const response = await fetch(`${origin}/api/v1/ai/account/balance`, { headers });
      return String((await textsOf(response))['available_credits']);
    },
    readStatement: async () => (await send('GET', '/statement.csv')).text(),
    seeInConsole: async () => {
      await send('GET', '/console/api/me');
    },
    signOut: async () => {
      await send('POST', '/api/auth/sign-out');
      cookies.clear();
    },
    faults: [],
    close: () => Promise.resolve(),
  };
};
