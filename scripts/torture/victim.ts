// A gateway as a host would run it, made to be killed: serves a SQLite file, with full syncs, and an upstream of its parent.
// node --conditions=@tollgate/source scripts/torture/victim.ts '<VictimSetup as JSON>'
import { createGateway, openaiProvider, serve, silentLogger, sqliteStorage, type Gateway } from 'tollgate';
import { tortureLimits, tortureTariff, type VictimOrder, type VictimSetup, type VictimWord } from './victim-setup.ts';

// Written by the parent, from the same types.
// oxlint-disable-next-line typescript/no-unsafe-type-assertion
const setup = JSON.parse(process.argv[2] ?? '{}') as VictimSetup;

const say = (word: VictimWord): void => void process.send?.(word);

const start = async (): Promise<Gateway> => {
  const gateway = await createGateway({
    storage: sqliteStorage({ path: setup.databasePath, synchronous: 'full' }),
    provider: openaiProvider({ baseUrl: setup.upstreamUrl }),
    tariff: tortureTariff,
    limits: tortureLimits,
    logger: silentLogger,
  });
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
      starting = start();
      return;
    case 'deposit':
      // One that fails is not confirmed, and so promises nothing.
      deposit(order).catch(() => undefined);
  }
});
// Without its parent nobody would kill it.
process.on('disconnect', () => process.exit(0));
say({ kind: 'loaded' });
