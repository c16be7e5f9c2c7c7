import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createGateway, microsFromCredits, sandboxProvider, serve, sqliteStorage, type Gateway } from 'tollgate';

export interface StartedGateway {
  /** What a client takes as its base address. */
  readonly baseUrl: string;
  readonly key: string;
  readonly admin: Gateway['admin'];
  readonly close: () => Promise<void>;
}

/** A gateway on a free port, with its database in a folder that goes when it is closed. */
export const startGateway = async (): Promise<StartedGateway> => {
  const folder = await mkdtemp(path.join(tmpdir(), 'tollgate-ask-your-documents-'));
  const gateway = await createGateway({
    storage: sqliteStorage({ path: path.join(folder, 'tollgate.db') }),
    provider: sandboxProvider(),
  });
  const { admin } = gateway;
  const account = await admin.createAccount({ name: 'example' });
  await admin.deposit({ accountId: account.id, amountMicros: microsFromCredits(100), reference: 'example' });
  const project = await admin.createProject({ accountId: account.id, name: 'example' });
  const key = project === null ? null : await admin.createKey({ projectId: project.id, model: 'flash-2.5' });
  if (key === null) throw new Error('the key could not be made');
  const server = await serve(gateway, { port: 0 });
  return {
    baseUrl: `${server.origin}/api/v1/ai`,
    key: key.key,
    admin,
    close: async () => {
      await server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
};
