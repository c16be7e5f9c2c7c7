import {
  connectTollgate,
  defineElements,
  type BrowserToken,
  type BuyElement,
  type ClientElement,
} from '@tollgate/elements';

defineElements();

const post = async <T>(path: string, body?: unknown): Promise<T> => {
  const response = await fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body ?? {}),
  });
  if (!response.ok) throw new Error(`${path} responded with ${response.status}`);
  // What your own server sends.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above
  return (await response.json()) as T;
};

const client = connectTollgate({
  baseUrl: '/api/v1/ai',
  getToken: () => post<BrowserToken>('/tokens'),
});

for (const element of document.querySelectorAll<ClientElement>('tollgate-balance, tollgate-usage'))
  element.client = client;

const buy = document.querySelector<BuyElement>('tollgate-buy');
if (buy !== null) {
  buy.client = client;
  buy.packs = [
    { id: 'small', label: '1 000 credits for 10 €' },
    { id: 'large', label: '12 000 credits for 100 €' },
  ];
  buy.purchase = {
    start: async (pack) => (await post<{ readonly url: string }>('/checkout', { pack })).url,
    isCredited: async (order) => (await post<{ readonly credited: boolean }>('/orders', { order })).credited,
  };
}
