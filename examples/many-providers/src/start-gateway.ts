import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Provider } from '@tollgate/provider';
import { createGateway, microsFromCredits, serve, silentLogger, sqliteStorage, type Gateway } from 'tollgate';

export interface StartedGateway {
  readonly admin: Gateway['admin'];
  /** Asks for one chat completion over the socket. */
  readonly chat: () => Promise<ChatAnswer>;
  readonly close: () => Promise<void>;
}

export interface ChatAnswer {
  readonly status: number;
  readonly requestId: string;
  readonly body: string;
}

/** A gateway on a free port before this provider, with its database in a folder that goes when it is closed. */
export const startGateway = async (provider: Provider): Promise<StartedGateway> => {
  const folder = await mkdtemp(path.join(tmpdir(), 'tollgate-many-providers-'));
  const storage = sqliteStorage({ path: path.join(folder, 'tollgate.db') });
  const gateway = await createGateway({ storage, provider, logger: silentLogger });
  const { admin } = gateway;
  const account = await admin.createAccount({ name: 'example' });
  await admin.deposit({ accountId: account.id, amountMicros: microsFromCredits(100), reference: 'example' });
  const project = await admin.createProject({ accountId: account.id, name: 'example' });
  const key = project === null ? null : await admin.createKey({ projectId: project.id, model: 'flash-3.8' });
  if (key === null) throw new Error('the key could not be made');
  const server = await serve(gateway, { port: 0 });
  const question = JSON.stringify({ messages: [{ role: 'user', content: 'Who are you?' }] });
  const headers = { authorization: `Bearer ${key.key}`, 'content-type': 'application/json' };
  return {
    admin,
    chat: async () => {
      const response = await fetch(`${server.origin}/api/v1/ai/chat/completions`, {
        method: 'POST',
        headers,
        body: question,
      });
      const requestId = response.headers.get('x-request-id') ?? '';
      return { status: response.status, requestId, body: await response.text() };
    },
    close: async () => {
      await server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
};
