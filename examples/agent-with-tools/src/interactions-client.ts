import assert from 'node:assert/strict';

/** Where a gateway is, and the key for it. */
export interface Target {
  readonly baseUrl: string;
  readonly key: string;
}

/** One step of an interaction, as far as this example reads it. */
export interface Step {
  readonly type: string;
  readonly id?: string;
  readonly call_id?: string;
  readonly name?: string;
  readonly server_name?: string;
  readonly arguments?: Readonly<Record<string, unknown>>;
  readonly result?: unknown;
  readonly is_error?: boolean;
  readonly content?: readonly { readonly text?: string }[];
}

export interface Interaction {
  readonly id: string;
  readonly status: string;
  readonly error_code: string | null;
  readonly result: { readonly steps: readonly Step[]; readonly service: { readonly credits: number } } | null;
}

const ask = (target: Target, method: string, path: string, body?: unknown): Promise<Response> =>
  fetch(`${target.baseUrl}${path}`, {
    method,
    headers: { authorization: `Bearer ${target.key}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });

/** Sends JSON and reads JSON; anything but success fails the example. */
export const send = async <T>(target: Target, method: string, path: string, body?: unknown): Promise<T> => {
  const response = await ask(target, method, path, body);
  const text = await response.text();
  assert.ok(response.ok, `${method} ${path}: ${response.status} ${text}`);
  // The contract says what each path answers.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return JSON.parse(text) as T;
};

/** The status of what is refused. */
export const statusOf = async (target: Target, path: string, body: unknown): Promise<number> => {
  const response = await ask(target, 'POST', path, body);
  await response.arrayBuffer();
  return response.status;
};

export const download = async (target: Target, path: string): Promise<string> => {
  const response = await ask(target, 'GET', path);
  assert.equal(response.status, 200);
  return response.text();
};

const ended = new Set(['completed', 'failed', 'uncertain', 'requires_action']);
const waitMsMax = 120_000;

/** Begins an interaction and asks for it until it has ended, or waits for the client. */
export const interact = async (target: Target, body: unknown): Promise<Interaction> => {
  const { id } = await send<Interaction>(target, 'POST', '/interactions', body);
  const until = Date.now() + waitMsMax;
  for (;;) {
    const found = await send<Interaction>(target, 'GET', `/interactions/${id}`);
    if (ended.has(found.status)) return found;
    assert.ok(Date.now() < until, `${id} is still ${found.status}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
};
