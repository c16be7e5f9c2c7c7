// A gateway or a worker as a host would run it, made to be killed, on a store and an upstream of its parent.
// node --conditions=@tollgate/source proof/torture/victim.ts '<VictimSetup as JSON>'
import { flushCompileCache } from 'node:module';
import { setTimeout as delay } from 'node:timers/promises';
import type { Provider } from '@tollgate/provider';
import type { Storage } from '@tollgate/storage';
import { createGateway, openaiProvider, serve, silentLogger, type Gateway, type GatewayOptions } from 'tollgate';
import { forgetfulStorage } from '../kinds/forgetful-storage.ts';
import { kindsOptions } from '../kinds/kinds-gateway.ts';
import { openStore } from './store-choice.ts';
import {
  ownerOf,
  tortureLimits,
  tortureTariff,
  type VictimOrder,
  type VictimRole,
  type VictimSetup,
  type VictimWord,
} from './victim-setup.ts';

// Written by the parent, from the same types.
// oxlint-disable-next-line typescript/no-unsafe-type-assertion
const setup = JSON.parse(process.argv[2] ?? '{}') as VictimSetup;

const say = (word: VictimWord): void => void process.send?.(word);

/** Loses a share of the answers. */
const losing = (provider: Provider, share: number): Provider => {
  const generate = provider.generate?.bind(provider);
  if (share === 0 || generate === undefined) return provider;
  return {
    ...provider,
    generate: async (call, context) => {
      const generation = await generate(call, context);
      if (Math.random() < share) throw new Error('the answer is lost');
      return generation;
    },
  };
};

const optionsOf = ({ upstreamUrl, serves, lostShare = 0 }: VictimSetup): GatewayOptions =>
  serves === undefined
    ? {
        provider: losing(openaiProvider({ baseUrl: upstreamUrl }), lostShare),
        tariff: tortureTariff,
        limits: tortureLimits,
        logger: silentLogger,
      }
    : kindsOptions(upstreamUrl);

const beatMs = 500;

/** Does what a renewal of leases does, as often, and says so. */
const beat = async (storage: Storage): Promise<void> => {
  const record = { id: ownerOf(process.pid), value: '' };
  for (;;) {
    await storage
      .transact([{ table: 'setting', id: record.id }], () => ({
        writes: [{ kind: 'put', table: 'setting', record }],
        answer: undefined,
      }))
      .then(
        () => say({ kind: 'beat' }),
        // Then nothing is said, and the silence tells.
        () => undefined,
      );
    await delay(beatMs);
  }
};

const open = async (): Promise<Gateway> => {
  const storage = await openStore(setup.store);
  if (setup.serves !== undefined) void beat(storage);
  return createGateway({
    ...optionsOf(setup),
    storage: setup.serves === 'forgetful kinds' ? forgetfulStorage(storage) : storage,
    world: { owner: ownerOf(process.pid) },
  });
};

const openTriesMax = 200;
const openAgainMs = 50;

/** A server may be down when a process starts; then it tries again, as its supervisor would. */
const openPatiently = async (): Promise<Gateway> => {
  for (let tries = 1; ; tries += 1) {
    try {
      return await open();
    } catch (cause) {
      if (setup.store.kind === 'sqlite' || tries >= openTriesMax) throw cause;
      await delay(openAgainMs);
    }
  }
};

const start = async (role: VictimRole): Promise<Gateway> => {
  const gateway = await openPatiently();
  if (role === 'worker') {
    gateway.jobs.start();
    say({ kind: 'working' });
    return gateway;
  }
  const { origin } = await serve(gateway, { port: 0 });
  say({ kind: 'listening', origin });
  return gateway;
};

let starting: Promise<Gateway> | undefined;

const deposit = async (order: Extract<VictimOrder, { kind: 'deposit' }>): Promise<void> => {
  const gateway = await starting;
  const { accountId, reference } = order;
  const answer = await gateway?.admin.deposit({ accountId, reference, amountMicros: BigInt(order.amountMicros) });
  if (answer?.kind === 'done' || answer?.kind === 'repeated') say({ kind: 'deposited', reference });
};

process.on('message', (order: VictimOrder) => {
  switch (order.kind) {
    case 'start':
      starting = start(order.role);
      return;
    case 'deposit':
      // One that fails is not confirmed, and so promises nothing.
      deposit(order).catch(() => undefined);
  }
});
// Without its parent no process would kill it.
process.on('disconnect', () => process.exit(0));
// Now, for it will be killed.
flushCompileCache();
say({ kind: 'loaded' });
