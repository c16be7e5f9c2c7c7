import { memoryLimits } from '@tollgate/limits';
import { sign } from '@tollgate/signature';
import { microsFromCredits, type HookOptions } from 'tollgate';

// #region decide
/** What this host decides of each charged request, before anything is reserved. */
export const deciding: HookOptions = {
  onRequest: ({ model, header }) => {
    const customer = header('x-customer-id');
    if (customer === null) return { refuse: { code: 'invalid_request', message: 'Send the header x-customer-id.' } };
    // Its price, its provider and the record are those of the model that runs.
    if (model === 'pro-2.5') return { model: 'flash-3.8', tags: { customer } };
    return { tags: { customer } };
  },
  timeoutMs: 500,
};
// #endregion decide

// #region moderate
/** Where the words of a conversation stand, whichever wire the client speaks. */
const read = new Set(
  'messages content text parts contents input prompt system instructions systemInstruction system_instruction'.split(
    ' ',
  ),
);

/** Every text that a model is going to read. */
export const textsOf = (value: unknown): readonly string[] => {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(textsOf);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => (read.has(name) ? textsOf(member) : []));
};

/** Refuses what an upstream's moderation flags. An upstream that fails is a hook that fails: see `onFailure`. */
export const moderatedBy = (url: string, apiKey: string): HookOptions => ({
  onRequest: async ({ body, signal }) => {
    const input = textsOf(body);
    if (input.length === 0) return undefined;
    const response = await fetch(`${url}/moderations`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'omni-moderation-latest', input }),
      signal,
    });
    if (!response.ok) throw new Error(`the moderation returned ${response.status}`);
    return /"flagged": *true/.test(await response.text())
      ? { refuse: { message: 'The request breaks the rules of this service.' } }
      : undefined;
  },
  timeoutMs: 5_000,
});
// #endregion moderate

// #region costly
/** Asks `judge`, which costs something, at most 60 times a minute for each key. */
export const judgedSparingly = (judge: (body: unknown) => Promise<boolean>): HookOptions => {
  const limiter = memoryLimits();
  return {
    onRequest: async ({ keyId, projectId, accountId, requestId, model, route, body }) => {
      const verdict = await limiter.reserve({
        caller: { keyId, projectId, accountId },
        limits: { key: { requestsPerMinute: 60 } },
        takes: { requests: 1, tokens: 0, concurrency: 0 },
        requestId,
        model,
        kind: route,
      });
      if (verdict.kind !== 'admitted') return { refuse: { code: 'rate_limited', retryAfterMs: verdict.retryAfterMs } };
      return (await judge(body)) ? undefined : { refuse: { message: 'The request breaks the rules of this service.' } };
    },
  };
};
// #endregion costly

// #region events
/** Where the host keeps what it has heard, such as a table of its own database. */
export interface Books {
  /** Stores a row unless there is one of this id: an event may come more than once. */
  readonly insertOnce: (row: { id: string; customer: string; micros: bigint }) => Promise<void>;
  readonly remind: (accountId: string, balanceMicros: bigint) => Promise<void>;
}

export const keepingBooks = (books: Books): HookOptions => ({
  onSettled: ({ id, tags, chargedMicros }) =>
    books.insertOnce({ id, customer: tags?.['customer'] ?? 'unknown', micros: chargedMicros }),
  onLowBalance: ({ accountId, balanceMicros }) => books.remind(accountId, balanceMicros ?? 0n),
  lowBalanceMicros: microsFromCredits('5'),
});
// #endregion events

// #region post
/** Sends each low balance to a server of the host, signed like the events of webhooks. */
export const postingLowBalances = (url: string, secret: string): HookOptions => ({
  onLowBalance: async ({ id, accountId, balanceMicros }) => {
    const timestamp = String(Math.floor(Date.now() / 1_000));
    const event = { id, type: 'balance.low', account_id: accountId, balance_micros: String(balanceMicros) };
    const body = Buffer.from(JSON.stringify(event));
    const headers = {
      'content-type': 'application/json',
      'x-service-event-id': id,
      'x-service-timestamp': timestamp,
      'x-service-signature': sign(secret, { eventId: id, timestamp, body }),
    };
    const signal = AbortSignal.timeout(8_000);
    const response = await fetch(url, { method: 'POST', headers, body, redirect: 'error', signal });
    // The gateway tries again what throws: with the same id, another timestamp and another signature.
    if (!response.ok) throw new Error(`the server of low balances returned ${response.status}`);
  },
  lowBalanceMicros: microsFromCredits('5'),
});
// #endregion post
