import assert from 'node:assert/strict';

export interface BatchResult {
  readonly key: string;
  readonly status: 'completed' | 'failed' | 'cancelled';
  readonly response?: {
    readonly candidates?: readonly {
      readonly content: { readonly parts: readonly { readonly text?: string }[] };
    }[];
    readonly data?: readonly { readonly embedding: readonly number[] }[];
  };
  readonly error?: { readonly code: string };
  readonly credits?: number;
}

/** A batch as the gateway returns it, as far as this example reads it. */
export interface Batch {
  readonly id: string;
  readonly status: string;
  readonly charged_credits: number;
  readonly request_count: number;
  readonly completed_count: number;
  readonly failed_count: number;
  readonly result: { readonly results: readonly BatchResult[] } | null;
}

/** Where a gateway is, and the key for it. */
export interface Target {
  readonly baseUrl: string;
  readonly key: string;
}

const batchIn = async (response: Response): Promise<Batch> => {
  const text = await response.text();
  assert.equal(response.status, 200, text);
  // The contract says what a batch holds.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return JSON.parse(text) as Batch;
};

type Ask = Omit<RequestInit, 'headers'> & { readonly headers?: Readonly<Record<string, string>> };

const send = async ({ baseUrl, key }: Target, path: string, { headers = {}, ...init }: Ask = {}): Promise<Batch> => {
  const own = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  return batchIn(await fetch(`${baseUrl}${path}`, { ...init, headers: { ...own, ...headers } }));
};

/** Creates a batch. The same identity and body never make a second one, however often they are sent. */
export const createBatch = (target: Target, identity: string, requests: Readonly<Record<string, object>>) =>
  send(target, '/batches', {
    method: 'POST',
    headers: { 'idempotency-key': identity },
    body: JSON.stringify({ requests: Object.entries(requests).map(([key, request]) => ({ key, request })) }),
  });

const getBatch = (target: Target, id: string): Promise<Batch> => send(target, `/batches/${id}`);

export const cancelBatch = (target: Target, id: string): Promise<Batch> =>
  send(target, `/batches/${id}/cancel`, { method: 'POST' });

/** States in which nothing changes any more. */
const ended = new Set(['completed', 'failed', 'uncertain', 'deleted']);

/** Asks again and again until the batch is where it should be, or too long has passed. */
export const waitForBatch = async (
  target: Target,
  id: string,
  isThere: (batch: Batch) => boolean = ({ status }) => ended.has(status),
  waitMsMax = 60_000,
): Promise<Batch> => {
  const until = Date.now() + waitMsMax;
  for (;;) {
    const batch = await getBatch(target, id);
    if (isThere(batch)) return batch;
    assert.ok(Date.now() < until, `the batch is still ${batch.status}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
};

/** The results by key: their order says nothing. */
export const resultsOf = ({ result }: Batch): ReadonlyMap<string, BatchResult> =>
  new Map((result?.results ?? []).map((each) => [each.key, each]));
