import type { TariffInput } from 'tollgate';

/** The address of a gateway, and a key for it. */
interface Target {
  readonly baseUrl: string;
  readonly key: string;
  readonly fetch: (request: Request) => Promise<Response>;
}

interface Result {
  readonly key: string;
  readonly status: 'completed' | 'failed' | 'cancelled';
  readonly response?: {
    readonly candidates: readonly { readonly content: { readonly parts: readonly { text?: string }[] } }[];
  };
  readonly error?: { readonly code: string; readonly message: string };
  readonly credits?: number;
}

interface Batch {
  readonly id: string;
  readonly status: string;
  readonly error_code: string | null;
  readonly charged_credits: number;
  readonly result: { readonly results: readonly Result[] } | null;
}

const ask = async ({ baseUrl, key, fetch }: Target, path: string, init: RequestInit = {}): Promise<Batch> => {
  const request = new Request(`${baseUrl}${path}`, init);
  request.headers.set('authorization', `Bearer ${key}`);
  const response = await fetch(request);
  if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
  // The gateway's response has the documented form.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return (await response.json()) as Batch;
};

// #region run
/** Runs every prompt, and finds each response by the name of its prompt. A repeat under the same key finds the same batch. */
export const answerAll = async (
  target: Target,
  identity: string,
  prompts: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<string, Result>> => {
  const requests = [...prompts].map(([key, text]) => ({
    key,
    request: { contents: [{ role: 'user', parts: [{ text }] }] },
  }));
  let batch = await ask(target, '/batches', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': identity },
    body: JSON.stringify({ display_name: 'All prompts', requests }),
  });
  while (['preparing', 'reserved', 'processing', 'cancelling', 'settling'].includes(batch.status)) {
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    batch = await ask(target, `/batches/${batch.id}`);
  }
  if (batch.status !== 'completed') throw new Error(`the batch is ${batch.status} (${batch.error_code})`);
  return new Map((batch.result?.results ?? []).map((result) => [result.key, result]));
};
// #endregion run

// #region tariff
/** Items of batches at half the price, and their output at a price of its own. */
export const batchTariff: TariffInput = {
  version: '2026-11-02',
  models: {
    '*': {
      perMillion: { input_text_tokens: '1', output_text_tokens: '8' },
      batch: { factor: '0.5', perMillion: { output_text_tokens: '3' } },
    },
  },
};
// #endregion tariff
