import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createGateway, microsFromCredits, sandboxProvider, serve, sqliteStorage, type Gateway } from 'tollgate';

export interface StartedGateway {
  /** What a client of Google's takes as its base address; it adds the version of the API by itself. */
  readonly baseUrl: string;
  /** For the model that generates. */
  readonly key: string;
  /** For the model that embeds: a key has one model. */
  readonly embeddingKey: string;
  readonly admin: Gateway['admin'];
  readonly close: () => Promise<void>;
}

export const generationModel = 'flash-3.8';
export const embeddingModel = 'embedding-2';

/** A gateway on a free port that speaks Google's dialect, with its database in a folder that goes when it is closed. */
export const startGateway = async (): Promise<StartedGateway> => {
  const folder = await mkdtemp(path.join(tmpdir(), 'tollgate-google-client-'));
  const gateway = await createGateway({
    storage: sqliteStorage({ path: path.join(folder, 'tollgate.db') }),
    provider: sandboxProvider(),
    compatibility: { google: true },
  });
  const { admin } = gateway;
  const account = await admin.createAccount({ name: 'example' });
  await admin.deposit({ accountId: account.id, amountMicros: microsFromCredits(100), reference: 'example' });
  const project = await admin.createProject({ accountId: account.id, name: 'example' });
  const keyOf = async (model: string): Promise<string> => {
    const made = project === null ? null : await admin.createKey({ projectId: project.id, model });
    if (made === null) throw new Error('the key could not be made');
    return made.key;
  };
  const [key, embeddingKey] = [await keyOf(generationModel), await keyOf(embeddingModel)];
  const server = await serve(gateway, { port: 0 });
  return {
    baseUrl: `${server.origin}/api/v1/ai`,
    key,
    embeddingKey,
    admin,
    close: async () => {
      await server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
};
