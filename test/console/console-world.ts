// A host with a gateway, its administration and its console on one origin.
import { createServer } from 'node:http';
import { adminHandler, type AdminCaller } from '../../packages/admin/src/index.ts';
import { consoleHandler, consoleSessions } from '../../packages/console/src/index.ts';
import { memoryStorage } from '../../packages/storage-memory/src/index.ts';
import { createGateway, fetchListener, type Gateway } from '../../packages/tollgate/src/index.ts';
import { receiverDown } from '../receiver-down.ts';

export interface ConsoleWorld {
  readonly origin: string;
  readonly gateway: Gateway;
  readonly close: () => Promise<void>;
}

/** What an operator types. */
export const operatorCredential = 'the credential of the operator';

/** What the owner of an account types. */
export const ownerCredentialOf = (accountId: string): string => `the credential of the owner of ${accountId}`;

const callerOf = (credential: string): AdminCaller | null => {
  if (credential === operatorCredential) return { role: 'operator', name: 'Olga' };
  const [, accountId] = /^the credential of the owner of (.+)$/u.exec(credential) ?? [];
  return accountId === undefined ? null : { role: 'owner', name: 'Pia', accountId };
};

const quiet = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** Serves the whole of it on a free port. */
export const startConsole = async (): Promise<ConsoleWorld> => {
  const gateway = await createGateway({
    storage: memoryStorage(),
    contextSecret: 'a secret of the tests, long enough to seal with it',
    webhooks: { sender: receiverDown },
    logger: quiet,
  });
  const secret = 'a secret of the tests, long enough to sign with it';
  const sessions = consoleSessions<AdminCaller>({ secret, signIn: callerOf });
  const admin = adminHandler(gateway, { authorize: sessions.authorize, logger: quiet });
  const page = consoleHandler({ admin, sessions, gateway, title: 'Acme models' });
  const listener = fetchListener(page);
  const server = createServer(listener);
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  gateway.jobs.start();
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('the server has no port');
  return {
    origin: `http://127.0.0.1:${address.port}`,
    gateway,
    close: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => void server.close(() => resolve()));
      await gateway.close({ drainMs: 0 });
    },
  };
};
