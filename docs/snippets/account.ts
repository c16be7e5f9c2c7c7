import { AccountUsageList } from '@tollgate/contract';

/** Where the gateway is, and the customer's key. */
export interface Connection {
  readonly baseUrl: string;
  readonly key: string;
  readonly send?: typeof fetch;
}

// #region usage
/** What each model cost the project of the key in the last 30 days, page by page. */
export async function* usageByModel({ baseUrl, key, send = fetch }: Connection) {
  const address = new URL(`${baseUrl}/account/usage?group_by=model`);
  let next: string | null;
  do {
    const answer = await send(address, { headers: { authorization: `Bearer ${key}` } });
    if (!answer.ok) throw new Error(await answer.text());
    const page = AccountUsageList.parse(await answer.json());
    yield* page.data;
    ({ next } = page);
    address.searchParams.set('after', next ?? '');
  } while (next !== null);
}
// #endregion usage
