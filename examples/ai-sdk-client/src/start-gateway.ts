import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  createGateway,
  microsFromCredits,
  serve,
  silentLogger,
  sqliteStorage,
  type Gateway,
  type GatewayOptions,
} from 'tollgate';

export interface StartedGateway {
  readonly baseUrl: string;
  readonly key: string;
  readonly admin: Gateway['admin'];
  readonly close: () => Promise<void>;
}

/** The model that the key is bound to. */
export const boundModel = 'flash-3.8';

/** A gateway on a free port for clients of both dialects, with its database in a folder that goes when it is closed. */
export const startGateway = async (
  options: Required<Pick<GatewayOptions, 'provider'>> & Pick<GatewayOptions, 'tariff'>,
): Promise<StartedGateway> => {
  const folder = await mkdtemp(path.join(tmpdir(), 'tollgate-ai-sdk-client-'));
  const gateway = await createGateway({
    storage: sqliteStorage({ path: path.join(folder, 'tollgate.db') }),
    compatibility: { openai: true, google: true },
    logger: silentLogger,
    ...options,
  });
  const { admin } = gateway;
  const account = await admin.createAccount({ name: 'example' });
  await admin.deposit({ accountId: account.id, amountMicros: microsFromCredits(100), reference: 'example' });
  const project = await admin.createProject({ accountId: account.id, name: 'example' });
  const key = project === null ? null : await admin.createKey({ projectId: project.id, model: boundModel });
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
