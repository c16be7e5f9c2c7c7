// Tollgate as a host would serve it, with an account that has credits and a key. Prints one line of JSON when it listens.
// node bench/gateways/tollgate.ts <port> <TollgateSetup as JSON>
import cluster from 'node:cluster';
import type { Provider } from '@tollgate/provider';
import type { Storage } from '@tollgate/storage';
import {
  createGateway,
  openaiProvider,
  preferEventLoop,
  sandboxProvider,
  serve,
  serveProcesses,
  sqliteStorage,
  type Gateway,
  type LevelLimits,
  type Observer,
  type UsageLimiter,
} from 'tollgate';
import type { TollgateReady, TollgateSetup } from './tollgate-setup.ts';

const model = 'flash-2.5';
const depositMicros = 900_000_000_000_000n;

const [port, setupText = '{}'] = process.argv.slice(2);
// Written by the runner of this very folder.
// oxlint-disable-next-line typescript/no-unsafe-type-assertion
const setup = JSON.parse(setupText) as TollgateSetup;

/** What a row does not use is not loaded, as the start and the memory of each are measured. */
const storageOf = async (): Promise<Storage> => {
  switch (setup.storage.kind) {
    case 'memory':
      return (await import('@tollgate/storage-memory')).memoryStorage();
    case 'sqlite':
      return sqliteStorage({ path: setup.storage.path, synchronous: setup.storage.synchronous });
    case 'postgres':
      return (await import('@tollgate/storage-postgres')).postgresStorage({
        connectionString: process.env['BENCH_POSTGRES'] ?? '',
        schema: `bench_${port ?? ''}`,
      });
  }
};

const providerOf = async (): Promise<Provider> => {
  if (setup.upstreamPort === null) return sandboxProvider();
  const origin = `http://127.0.0.1:${setup.upstreamPort}`;
  if (setup.upstreamWire === 'chat') return openaiProvider({ baseUrl: `${origin}/v1`, apiKey: 'sk-mock' });
  const { googleProvider } = await import('@tollgate/provider-google');
  return googleProvider({ baseUrl: origin, apiKey: 'sk-mock' });
};

/** Six buckets for each request, none of which is ever empty. */
const limitsOf = (): LevelLimits => {
  const each = { requestsPerMinute: 60_000_000, tokensPerMinute: 1_000_000_000_000, concurrentRequests: 100_000 };
  return { key: each, account: each };
};

const limiterOf = async (): Promise<UsageLimiter | undefined> => {
  if (setup.limits === undefined) return undefined;
  const { memoryLimits, postgresLimits } = await import('@tollgate/limits');
  return setup.limits === 'memory'
    ? memoryLimits({ limitsOf })
    : postgresLimits({
        connectionString: process.env['BENCH_POSTGRES'] ?? '',
        schema: `bench_limits_${port ?? ''}`,
        connectionsMax: 16,
        limitsOf,
      });
};

/** Spans in batches and metrics, as a host would have them, for an exporter that drops them. */
const observersOf = async (): Promise<readonly Observer[]> => {
  if (setup.telemetry !== true) return [];
  const [{ telemetry }, { BatchSpanProcessor, TracerProvider }, { MeterProvider }] = await Promise.all([
    import('@tollgate/telemetry'),
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/sdk-metrics'),
  ]);
  const exporter = {
    export: (_: unknown, done: (result: { readonly code: number }) => void) => done({ code: 0 }),
    shutdown: () => Promise.resolve(),
    forceFlush: () => Promise.resolve(),
  };
  const traces = new TracerProvider({ spanProcessors: [new BatchSpanProcessor({ exporter })] });
  const meters = new MeterProvider();
  return [await telemetry({ tracer: traces.getTracer('bench'), meter: meters.getMeter('bench') })];
};

const createFundedKey = async ({ admin }: Gateway): Promise<string> => {
  const account = await admin.createAccount({ name: 'Bench' });
  await admin.deposit({ accountId: account.id, amountMicros: depositMicros, reference: 'bench' });
  const cap = setup.cap === true ? ({ amountMicros: depositMicros, window: 'month' } as const) : null;
  const project = await admin.createProject({ accountId: account.id, name: 'Bench' });
  const created = project === null ? null : await admin.createKey({ projectId: project.id, model, cap });
  if (created === null) throw new Error('no key could be made');
  return created.key;
};

if (setup.eventLoopFirst === true) preferEventLoop();
const open = async (): Promise<Gateway> => {
  const limiter = await limiterOf();
  return createGateway({
    storage: await storageOf(),
    provider: await providerOf(),
    observers: await observersOf(),
    ...(limiter !== undefined && { limiter, limiterMs: 30_000 }),
    ...(setup.speaksWires === true && { compatibility: { openai: true, anthropic: true } }),
  });
};

const say = (key: string): void => {
  const ready: TollgateReady = { key, model };
  console.log(JSON.stringify(ready));
};

/** Several processes: the one that starts them makes the account, before they open the storage. */
const serveSeveral = async (processes: number): Promise<void> => {
  let key = '';
  if (cluster.isPrimary) {
    const gateway = await open();
    key = await createFundedKey(gateway);
    await gateway.close();
  }
  const serving = await serveProcesses(open, { port: Number(port), processes });
  if (serving.kind === 'primary') say(key);
};

const serveAlone = async (): Promise<void> => {
  const gateway = await open();
  const key = await createFundedKey(gateway);
  await serve(gateway, { port: Number(port) });
  say(key);
};

await (setup.processes === undefined ? serveAlone() : serveSeveral(setup.processes));
