/** The address of a gateway, and a key for it. */
interface Target {
  readonly baseUrl: string;
  readonly key: string;
  readonly fetch: (request: Request) => Promise<Response>;
}

interface Cache {
  readonly id: string;
  readonly name: string;
  readonly status: string;
  readonly charged_credits: number;
  readonly result: { readonly total_tokens: number; readonly expires_at: string } | null;
}

interface Answer {
  readonly candidates: readonly { readonly content: { readonly parts: readonly { readonly text?: string }[] } }[];
  readonly service: { readonly credits: number };
}

const ask = async <T>({ baseUrl, key, fetch }: Target, path: string, method: string, body?: unknown): Promise<T> => {
  const request = new Request(`${baseUrl}${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const response = await fetch(request);
  if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
  // The gateway's response has the documented form.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return (await response.json()) as T;
};

// #region keep
/** Stores a text for an hour and waits until it can be used. */
export const keepText = async (target: Target, text: string): Promise<Cache> => {
  const contents = [{ parts: [{ text }] }];
  let cache = await ask<Cache>(target, '/caches', 'POST', { display_name: 'Manual', ttl_seconds: 3_600, contents });
  while (cache.status === 'reserved' || cache.status === 'processing') {
    await new Promise((resolve) => setTimeout(resolve, 200));
    cache = await ask<Cache>(target, `/caches/${cache.id}`, 'GET');
  }
  if (cache.status !== 'active') throw new Error(`the cache is ${cache.status}`);
  return cache;
};
// #endregion keep

// #region use
/** Asks about the stored text; the contents of the cache come before the question. */
export const askAboutCache = (target: Target, model: string, cache: Cache, question: string): Promise<Answer> =>
  ask(target, `/models/${model}:generateContent`, 'POST', {
    cachedContent: cache.name,
    contents: [{ role: 'user', parts: [{ text: question }] }],
  });
// #endregion use

// #region end
/** Stores it for a day from now instead, or ends it: only the time that it was stored is charged. */
export const keepForADay = (target: Target, { id }: Cache): Promise<Cache> =>
  ask(target, `/caches/${id}`, 'PATCH', { ttl_seconds: 86_400 });

export const endCache = (target: Target, { id }: Cache): Promise<Cache> => ask(target, `/caches/${id}`, 'DELETE');
// #endregion end
