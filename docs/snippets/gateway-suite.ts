import type { Storage } from '@tollgate/storage';
import { socketPair, type GatewayOpening, type GatewayUnderTest } from '@tollgate/testing/gateway';
import { createGateway, type Gateway } from 'tollgate';

// #region gateway-suite
/** Opens a storage on the same empty data each time, by the clock that the suite gives. */
type OpenStorage = () => Storage | Promise<Storage>;

const walletOf = ({ admin }: Gateway): GatewayUnderTest['wallet'] => ({
  deposit: async (accountId, amountMicros) => {
    await admin.deposit({ accountId, amountMicros, reference: crypto.randomUUID() });
  },
  read: async (accountId) => {
    const wallet = await admin.readWallet(accountId);
    if (wallet === null) throw new Error(`the account ${accountId} has no wallet`);
    const { balanceMicros, reservedMicros } = wallet;
    return { balanceMicros, reservedMicros };
  },
});

const openOn = async (opening: GatewayOpening, openStorage: OpenStorage): Promise<GatewayUnderTest> => {
  const { now: _, ...options } = opening;
  const gateway = await createGateway({ ...options, storage: await openStorage() });
  return {
    fetch: gateway.fetch,
    socket: async (path, origin) => {
      if (path !== gateway.live.path) throw new Error(`there is no socket at ${path}`);
      const { client, server } = socketPair(origin);
      gateway.live.accept(server);
      return client;
    },
    admin: gateway.admin,
    payments: gateway.payments,
    wallet: walletOf(gateway),
    runJobs: () => gateway.jobs.runDue(),
    reopen: async (change) => {
      await gateway.close({ drainMs: 0 });
      return openOn({ ...opening, ...change }, openStorage);
    },
    close: () => gateway.close({ drainMs: 0 }),
  };
};

/** For `describeGateway`: a gateway with the options of the case, over a storage of yours on data of its own. */
export const gatewayOver =
  (createData: (now: () => number) => OpenStorage) =>
  (opening: GatewayOpening): Promise<GatewayUnderTest> =>
    openOn(opening, createData(opening.now));
// #endregion gateway-suite
