import assert from 'node:assert/strict';

export interface Trigger {
  readonly id: string;
  readonly enabled: boolean;
  readonly next_run_at: string | null;
}

export interface TriggerRun {
  readonly scheduled_for: string;
  readonly status: string;
  readonly error_code: string | null;
  readonly request_id: string | null;
  readonly interaction_id: string | null;
}

interface Interaction {
  readonly result: {
    readonly steps: readonly { readonly type: string; readonly content?: readonly { readonly text?: string }[] }[];
  } | null;
}

/** Asks a gateway for triggers, with a key. */
export const createTriggerClient = (send: (request: Request) => Promise<Response>, key: string) => {
  const ask = async <T>(method: string, route: string, body?: object): Promise<T> => {
    const response = await send(
      new Request(`http://gateway.test/api/v1/ai${route}`, {
        method,
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    );
    const text = await response.text();
    assert.equal(response.status, 200, text);
    // The contract says what each route answers.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return JSON.parse(text) as T;
  };
  return {
    create: (body: object) => ask<Trigger>('POST', '/triggers', body),
    setEnabled: (id: string, enabled: boolean) => ask<Trigger>('PATCH', `/triggers/${id}`, { enabled }),
    disable: (id: string) => ask<Trigger>('DELETE', `/triggers/${id}`),
    /** The newest first. */
    runs: async (id: string) =>
      (await ask<{ readonly data: readonly TriggerRun[] }>('GET', `/triggers/${id}/runs`)).data,
    /** All that the model wrote in an interaction. */
    readText: async (id: string): Promise<string> => {
      const { result } = await ask<Interaction>('GET', `/interactions/${id}`);
      const contents = result?.steps.flatMap(({ content = [] }) => content) ?? [];
      return contents.map(({ text = '' }) => text).join('');
    },
  };
};
