import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createGateway, microsFromCredits, sandboxProvider, serve, sqliteStorage, type Gateway } from 'tollgate';
import { createClient, type Client } from './client.ts';

export interface StartedGateway {
  readonly admin: Gateway['admin'];
  /** A client with a key of one project for this model: files are shared by all keys of a project. */
  readonly clientOf: (model: string) => Promise<Client>;
  readonly close: () => Promise<void>;
}

/** A gateway on a free port, with its database and files in a folder that goes when it is closed. */
export const startGateway = async (): Promise<StartedGateway> => {
  const folder = await mkdtemp(path.join(tmpdir(), 'tollgate-multimodal-'));
  const gateway = await createGateway({
    storage: sqliteStorage({ path: path.join(folder, 'tollgate.db') }),
    provider: sandboxProvider(),
  });
  const { admin } = gateway;
  const account = await admin.createAccount({ name: 'example' });
  await admin.deposit({ accountId: account.id, amountMicros: microsFromCredits(100), reference: 'example' });
  const project = await admin.createProject({ accountId: account.id, name: 'example' });
  if (project === null) throw new Error('the project could not be made');
  const server = await serve(gateway, { port: 0 });
  return {
    admin,
    clientOf: async (model) => {
      const made = await admin.createKey({ projectId: project.id, model });
      if (made === null) throw new Error('the key could not be made');
      return createClient({ baseUrl: `${server.origin}/api/v1/ai`, key: made.key, model });
    },
    close: async () => {
      await server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
};
