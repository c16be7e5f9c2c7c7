import { createMemoryDisk, memoryStorage } from '@tollgate/storage-memory';
import type { Storage } from '@tollgate/storage';
import { socketPair, type GatewayOpening, type GatewayUnderTest } from '@tollgate/testing/gateway';
import { createGateway, type Gateway, type GatewayOptions } from 'tollgate';

/** Where the data lies: each call opens a storage on the same. */
export type OpenStorage = () => Storage | Promise<Storage>;

/** A factory of data of its own for each gateway. */
export type CreateData = (now: () => number) => OpenStorage;

export const memoryData: CreateData = (now) => {
  const disk = createMemoryDisk();
  return () => memoryStorage({ disk, now });
};

/** The engine's own wallet, as the administration shows it. */
const engineWallet = ({ admin }: Gateway): GatewayUnderTest['wallet'] => ({
  deposit: async (accountId, amountMicros) => {
    const answer = await admin.deposit({ accountId, amountMicros, reference: crypto.randomUUID() });
    if (answer.kind !== 'done') throw new Error(`the deposit was not made: ${answer.kind}`);
  },
  read: async (accountId) => {
    const wallet = await admin.readWallet(accountId);
    if (wallet === null) throw new Error('there is no such wallet');
    const { balanceMicros, reservedMicros } = wallet;
    return { balanceMicros, reservedMicros };
  },
});

/** How a gateway is reached, and what ends with it. */
export interface Reached {
  readonly fetch: GatewayUnderTest['fetch'];
  readonly socket: GatewayUnderTest['socket'];
  readonly close: () => Promise<void>;
}

export interface World {
  readonly data: CreateData;
  /** Options beside those of the case. */
  readonly more?: Partial<GatewayOptions>;
  readonly wallet?: GatewayUnderTest['wallet'];
  readonly reach?: (gateway: Gateway) => Promise<Reached>;
}

const socketOf =
  ({ live }: Gateway): GatewayUnderTest['socket'] =>
  (path, origin) => {
    if (path !== live.path) return Promise.reject(new Error('there is no such path'));
    const { client, server } = socketPair(origin);
    live.accept(server);
    return Promise.resolve(client);
  };

const reachInProcess = (gateway: Gateway): Promise<Reached> =>
  Promise.resolve({
    fetch: gateway.fetch,
    socket: socketOf(gateway),
    close: () => gateway.close({ drainMs: 0 }),
  });

const openOn = async (opening: GatewayOpening, world: World, openStorage: OpenStorage): Promise<GatewayUnderTest> => {
  const { now: _, ...options } = opening;
  const gateway = await createGateway({ ...options, ...world.more, storage: await openStorage() });
  const { fetch, socket, close } = await (world.reach ?? reachInProcess)(gateway);
  return {
    fetch,
    socket,
    admin: gateway.admin,
    payments: gateway.payments,
    wallet: world.wallet ?? engineWallet(gateway),
    runJobs: () => gateway.jobs.runDue(),
    reopen: async (change) => {
      await close();
      return openOn({ ...opening, ...change }, world, openStorage);
    },
    close,
  };
};

/** Opens a gateway with the case's options on data of its own. */
export const openGateway = (opening: GatewayOpening, world: World): Promise<GatewayUnderTest> =>
  openOn(opening, world, world.data(opening.now));
