import { microsFromCredits, type Gateway } from 'tollgate';

/** An account with credits and a key. */
export interface Customer {
  readonly accountId: string;
  readonly key: string;
}

export interface Answer {
  readonly status: number;
  readonly isReplay: boolean;
  readonly text: string;
}

interface ErrorShape {
  readonly code: string;
  readonly request_id: string;
}

export const openCustomer = async (admin: Gateway['admin']): Promise<Customer> => {
  const { id: accountId } = await admin.createAccount({ name: 'cluster' });
  await admin.deposit({ accountId, amountMicros: microsFromCredits(100), reference: 'welcome' });
  const project = await admin.createProject({ accountId, name: 'cluster' });
  const key = project === null ? null : await admin.createKey({ projectId: project.id, model: 'flash-3.8' });
  if (key === null) throw new Error('the customer could not be made');
  return { accountId, key: key.key };
};

/** Asks the gateway at the address for a chat completion under an identity. */
export const chat = async (
  address: string,
  { key }: Customer,
  asked: { readonly content: string; readonly identity: string },
): Promise<Answer> => {
  const response = await fetch(`${address}/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'idempotency-key': asked.identity },
    body: JSON.stringify({ messages: [{ role: 'user', content: asked.content }] }),
  });
  const isReplay = response.headers.get('idempotency-replayed') === 'true';
  return { status: response.status, isReplay, text: await response.text() };
};

/** The error of an answer, without its message. */
export const errorOf = ({ status, text }: Answer): { readonly status: number } & ErrorShape => {
  // The shape is checked by the caller's comparisons.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const { code, request_id } = (JSON.parse(text) as { readonly error: ErrorShape }).error;
  return { status, code, request_id };
};
