// The page of the shop: sign-in, and what a user has.
import {
  connectTollgate,
  defineElements,
  type BrowserToken,
  type BuyElement,
  type ClientElement,
} from '@tollgate/elements';

interface Completion {
  readonly choices: readonly { readonly message: { readonly content: string } }[];
}

interface Me {
  readonly email: string;
  readonly keys: readonly string[];
  readonly isLow: boolean;
}

const find = (selector: string): HTMLElement => {
  const element = document.querySelector<HTMLElement>(selector);
  if (element === null) throw new Error(`the page has no ${selector}`);
  return element;
};

const isChecked = (selector: string): boolean => {
  const box = find(selector);
  return box instanceof HTMLInputElement && box.checked;
};

const say = (text: string): void => {
  find('#news').textContent = text;
};

const send = async <T>(method: 'GET' | 'POST', path: string, body?: object): Promise<T> => {
  const headers = { 'content-type': 'application/json' };
  const sent = method === 'GET' ? { headers } : { headers, method, body: JSON.stringify(body ?? {}) };
  const response = await fetch(path, sent);
  if (!response.ok) throw new Error(`${path} responded with ${response.status}`);
  // What the shop's own server sends.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above
  return (await response.json()) as T;
};

const showKeys = (keys: readonly string[]): void =>
  find('#keys').replaceChildren(
    ...keys.map((name) => {
      const item = document.createElement('li');
      item.textContent = name;
      return item;
    }),
  );

const connectElements = (): void => {
  defineElements();
  const client = connectTollgate({
    baseUrl: '/api/v1/ai',
    getToken: () => send<BrowserToken>('POST', '/tokens'),
  });
  for (const element of document.querySelectorAll<ClientElement>('tollgate-balance, tollgate-usage'))
    element.client = client;
  const buy = document.querySelector<BuyElement>('tollgate-buy');
  if (buy === null) return;
  buy.client = client;
  buy.packs = [
    { id: 'small', label: '10 credits for $10' },
    { id: 'large', label: '110 credits for $100' },
  ];
  buy.purchase = {
    start: async (pack) =>
      (await send<{ readonly url: string }>('POST', '/checkout', { pack, again: isChecked('#again') ? 'yes' : 'no' }))
        .url,
    isCredited: async (order) => (await send<{ readonly credited: boolean }>('POST', '/orders', { order })).credited,
  };
};

const showHome = ({ email, keys, isLow }: Me): void => {
  find('#sign-in').hidden = true;
  find('#home').hidden = false;
  find('#email').textContent = email;
  find('#low').hidden = !isLow;
  showKeys(keys);
  connectElements();
};

const signIn = async (way: string, email: string, password: string): Promise<void> => {
  await send('POST', `/api/auth/${way}/email`, { email, password, name: email });
  showHome(await send<Me>('GET', '/me'));
};

const textIn = (form: HTMLFormElement, name: string): string => {
  const value = new FormData(form).get(name);
  return typeof value === 'string' ? value : '';
};

/** Runs a form by a function, and says what went wrong. */
const onSubmit = (selector: string, run: (form: HTMLFormElement, button: string) => Promise<void>): void => {
  const form = document.querySelector<HTMLFormElement>(selector);
  form?.addEventListener('submit', (event) => {
    event.preventDefault();
    const button = event.submitter instanceof HTMLButtonElement ? event.submitter.value : '';
    say('');
    run(form, button).catch((error: unknown) => say(String(error)));
  });
};

onSubmit('#sign-in', (form, way) => signIn(way, textIn(form, 'email'), textIn(form, 'password')));
onSubmit('#new-key', async (form) => {
  const { key } = await send<{ readonly key: string }>('POST', '/keys', { name: textIn(form, 'name') });
  find('#key').textContent = key;
  showKeys((await send<Me>('GET', '/me')).keys);
});
onSubmit('#ask', async (form) => {
  find('#answer').textContent = '';
  // The browser sends the cookie of the session: a page of the shop needs no key.
  const { choices } = await send<Completion>('POST', '/api/v1/ai/chat/completions', {
    model: 'flash-3.8',
    max_tokens: 200,
    messages: [{ role: 'user', content: textIn(form, 'question') }],
  });
  find('#answer').textContent = choices[0]?.message.content ?? '';
});
find('#sign-out').addEventListener('click', () => {
  void send('POST', '/api/auth/sign-out').then(() => location.assign('/'));
});

// Without a session there is no user to show.
const session = await send<object | null>('GET', '/api/auth/get-session');
if (session === null) find('#sign-in').hidden = false;
else showHome(await send<Me>('GET', '/me'));
