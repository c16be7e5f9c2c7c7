import assert from 'node:assert/strict';

/** Where a gateway is, and the key for it. */
export interface Target {
  readonly baseUrl: string;
  readonly key: string;
}

/** What stores, documents and interactions have in common, as far as this example reads it. */
export interface Resource {
  readonly id: string;
  readonly status: string;
  readonly error_code: string | null;
}

export interface Store extends Resource {
  readonly document_count: number;
}

export interface Document extends Resource {
  readonly display_name: string;
  readonly result: { readonly chunk_count: number; readonly service: { readonly credits: number } } | null;
}

/** Where a passage stands in the documents of the project. */
export interface Citation {
  readonly type: string;
  readonly document_id: string;
  readonly file_id: string;
  readonly file_name: string;
  readonly page_number: number | null;
  readonly start_index: number;
  readonly end_index: number;
}

export interface Passage extends Omit<Citation, 'type'> {
  readonly text: string;
  readonly score: number;
}

export interface Step {
  readonly type: string;
  readonly content?: readonly { readonly text?: string; readonly annotations?: readonly Citation[] }[];
  readonly result?: readonly Passage[];
}

export interface Interaction extends Resource {
  readonly result: { readonly steps: readonly Step[]; readonly service: { readonly credits: number } } | null;
}

/** Sends JSON and reads JSON; anything but success fails the example. */
export const send = async <T>(target: Target, method: string, path: string, body?: unknown): Promise<T> => {
  const response = await fetch(`${target.baseUrl}${path}`, {
    method,
    headers: { authorization: `Bearer ${target.key}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  assert.ok(response.ok, `${method} ${path}: ${response.status} ${text}`);
  // The contract says what each path answers.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return JSON.parse(text) as T;
};

/** States in which nothing changes any more. */
const ended = new Set(['completed', 'failed', 'uncertain', 'deleted', 'requires_action']);

/** Asks again and again until it has ended, or too long has passed. */
export const waitFor = async <T extends Resource>(target: Target, path: string, waitMsMax = 60_000): Promise<T> => {
  const until = Date.now() + waitMsMax;
  for (;;) {
    const found = await send<T>(target, 'GET', path);
    if (ended.has(found.status)) return found;
    assert.ok(Date.now() < until, `${path} is still ${found.status}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
};
