// A gateway with one account in funds, for the code that a page shows.
import { memoryStorage } from '@tollgate/storage-memory';
import { createGateway, microsFromCredits, silentLogger, type Gateway, type GatewayOptions } from 'tollgate';

export interface Customer {
  readonly accountId: string;
  readonly projectId: string;
  readonly keyId: string;
  readonly key: string;
}

export const origin = 'http://gateway.test';

/** What a test gives in place of what the page leaves to the host. */
export const quiet = {
  logger: silentLogger,
  tariff: {
    version: 'snippets-1',
    models: {
      '*': {
        perMillion: { input_text_tokens: '1', output_text_tokens: '4' },
      },
    },
  },
} satisfies GatewayOptions;

export const inMemory = (options: GatewayOptions = {}): Promise<Gateway> =>
  createGateway({ storage: memoryStorage(), ...quiet, ...options });

/** An account with 100 credits, and a key of a model. */
export const openCustomer = async ({ admin }: Gateway, model: string | null = 'flash-3.8'): Promise<Customer> => {
  const { id: accountId } = await admin.createAccount({ name: 'Ada' });
  await admin.deposit({ accountId, amountMicros: microsFromCredits('100'), reference: 'first' });
  const project = await admin.createProject({ accountId, name: 'Engine' });
  const key = project === null ? null : await admin.createKey({ projectId: project.id, model });
  if (project === null || key === null) throw new Error('the customer was not created');
  return { accountId, projectId: project.id, keyId: key.id, key: key.key };
};

export const ask = (key: string, content = 'Hello'): Request =>
  new Request(`${origin}/api/v1/ai/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ messages: [{ role: 'user', content }] }),
  });
