import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createGateway, microsFromCredits, sandboxProvider, serve, sqliteStorage, type Gateway } from 'tollgate';

export interface StartedGateway {
  /** What a client takes as its base address. */
  readonly baseUrl: string;
  readonly admin: Gateway['admin'];
  /** A key of the one project, bound to this model. */
  readonly createKey: (model: string) => Promise<string>;
  readonly close: () => Promise<void>;
}

/** A gateway on a free port that carries out items of batches four at once, with its database in a folder that goes when it is closed. */
export const startGateway = async (): Promise<StartedGateway> => {
  const folder = await mkdtemp(path.join(tmpdir(), 'tollgate-batch-'));
  const gateway = await createGateway({
    storage: sqliteStorage({ path: path.join(folder, 'tollgate.db') }),
    provider: sandboxProvider(),
    tariff: {
      version: 'example-1',
      models: {
        '*': {
          perMillion: { input_text_tokens: '100', output_text_tokens: '200', embedding_tokens: '10' },
          // What does not have to be answered at once costs half.
          batch: { factor: '0.5' },
        },
      },
    },
    batches: { itemsAtOnce: 4 },
  });
  const { admin } = gateway;
  const account = await admin.createAccount({ name: 'example' });
  await admin.deposit({ accountId: account.id, amountMicros: microsFromCredits(10_000), reference: 'example' });
  const project = await admin.createProject({ accountId: account.id, name: 'example' });
  if (project === null) throw new Error('the project could not be made');
  const server = await serve(gateway, { port: 0 });
  return {
    baseUrl: `${server.origin}/api/v1/ai`,
    admin,
    createKey: async (model) => {
      const created = await admin.createKey({ projectId: project.id, model });
      if (created === null) throw new Error('the key could not be made');
      return created.key;
    },
    close: async () => {
      await server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
};
