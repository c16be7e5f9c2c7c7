// The gateway under attack, on SQLite, with every compatibility: node --conditions=@tollgate/source scripts/hostile/hostile-gateway.ts
// '<HostileSetup as JSON>'. Its workers rest: what a request leaves to be done afterwards is not what the request costs.
import { createServer } from 'node:http';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { attachLive, createGateway, silentLogger, sqliteStorage, toNodeListener } from 'tollgate';
import type { HostileOrder, HostileSetup, HostileWord } from './hostile-setup.ts';

// Written by the parent, from the same type.
// oxlint-disable-next-line typescript/no-unsafe-type-assertion
const { databasePath } = JSON.parse(process.argv[2] ?? '{}') as HostileSetup;

const say = (word: HostileWord): void => void process.send?.(word);

const gateway = await createGateway({
  storage: sqliteStorage({ path: databasePath, synchronous: 'normal' }),
  compatibility: { openai: true, google: true, snakeCase: true },
  logger: silentLogger,
});

const makeKey = async (model: string | null, amountMicros: bigint): Promise<string> => {
  const { id: accountId } = await gateway.admin.createAccount({ name: 'hostile' });
  if (amountMicros > 0n) await gateway.admin.deposit({ accountId, amountMicros, reference: accountId });
  const project = await gateway.admin.createProject({ accountId, name: 'hostile' });
  const made = await gateway.admin.createKey({ projectId: project?.id ?? '', model });
  return made?.key ?? '';
};

/** Of the timer that watches the loop: what it is late by beyond this is a stop. */
const watchMs = 1;
const nanosPerMs = 1e6;
const delays = monitorEventLoopDelay({ resolution: watchMs });
delays.enable();

const measure = (): HostileWord => {
  const { user, system } = process.cpuUsage();
  const longestStopMs = Math.max(0, delays.max / nanosPerMs - watchMs);
  delays.reset();
  const use = { cpuMicros: user + system, residentBytes: process.memoryUsage.rss(), longestStopMs };
  return { kind: 'measured', use };
};

process.on('message', (order: HostileOrder) => {
  switch (order.kind) {
    case 'measure':
      say(measure());
      return;
    case 'key':
      void makeKey(order.model, BigInt(order.amountMicros)).then((key) => say({ kind: 'key', key }));
  }
});
process.on('disconnect', () => process.exit(0));

const server = createServer(toNodeListener(gateway.handle));
attachLive(server, gateway.live, { unknownPerAddressMax: 1_000, unknownMax: 1_000 });
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  say({ kind: 'listening', origin: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}` });
});
