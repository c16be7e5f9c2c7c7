import { setTimeout as delay } from 'node:timers/promises';
import { createAccounts, openGateway } from '../torture/accounts.ts';
import { findViolations } from '../torture/check-storage.ts';
import { createRandom } from '../torture/random.ts';
import type { TortureStore } from '../torture/store-choice.ts';
import { startGatewayProcess, type GatewayProcess } from './gateway-process.ts';
import type { Sample } from './slope.ts';
import { startSoakLoad, type SoakLoad } from './soak-load.ts';
import { startSoakUpstream } from './soak-upstream.ts';
import { measureTables } from './table-sizes.ts';

export interface SoakOptions {
  readonly minutes: number;
  readonly intervalSeconds: number;
  readonly gateways: number;
  readonly clients: number;
  /** Of the store's clock, against the machine's. */
  readonly speed: number;
  readonly seed: number;
  /** How long records are kept, by the store's clock; 30 by default. */
  readonly recordDays?: number;
  /** An empty one; closed when the run ends. */
  readonly store: TortureStore;
  readonly onSample: (sample: Sample) => void;
}

export interface SoakReport {
  readonly samples: readonly Sample[];
  /** Responses by kind of request and status. */
  readonly told: ReadonlyMap<string, number>;
  /** What the audit and the store's check of its files find; must be empty. */
  readonly findings: readonly string[];
}

const bytesPerMb = 1e6;
const round = (value: number): number => Math.round(value * 10) / 10;

const takeSample = async (
  { store }: SoakOptions,
  gateways: readonly GatewayProcess[],
  since: { readonly minutes: number; readonly operationsPerSecond: number; readonly answers: number },
): Promise<Sample> => {
  const processes = await Promise.all(gateways.map((gateway) => gateway.measure()));
  const { rows, bytes } = await measureTables(store.choice);
  const total = (of: (figures: (typeof processes)[number]) => number): number =>
    processes.reduce((sum, figures) => sum + of(figures), 0);
  return {
    minutes: since.minutes,
    figures: {
      answers: since.answers,
      'operations/s': Math.round(since.operationsPerSecond),
      'resident MB': round(total(({ residentBytes }) => residentBytes) / bytesPerMb),
      'heap MB': round(total(({ heapBytes }) => heapBytes) / bytesPerMb),
      'loop p99 ms': round(Math.max(...processes.map(({ loopDelayP99Ms }) => loopDelayP99Ms))),
      'store MB': round(bytes / bytesPerMb),
      ...Object.fromEntries(rows),
      errors: total(({ errors }) => errors),
    },
  };
};

const watch = async (options: SoakOptions, gateways: readonly GatewayProcess[], load: SoakLoad) => {
  const startedMs = performance.now();
  const samples: Sample[] = [];
  let last = { atMs: startedMs, answered: load.answered() };
  while (performance.now() - startedMs < options.minutes * 60_000) {
    await delay(options.intervalSeconds * 1_000);
    const now = { atMs: performance.now(), answered: load.answered() };
    const operationsPerSecond = ((now.answered - last.answered) * 1_000) / (now.atMs - last.atMs);
    last = now;
    const sample = await takeSample(options, gateways, {
      minutes: (now.atMs - startedMs) / 60_000,
      operationsPerSecond,
      answers: now.answered,
    });
    samples.push(sample);
    options.onSample(sample);
  }
  return samples;
};

const check = async ({ choice, checkFiles }: TortureStore): Promise<readonly string[]> => {
  const gateway = await openGateway(choice);
  const found = await findViolations(gateway);
  await gateway.close();
  return [...found, ...(await checkFiles())];
};

const runOn = async (options: SoakOptions): Promise<SoakReport> => {
  const { choice } = options.store;
  const clock = { startMs: Date.now(), speed: options.speed };
  const accounts = (await createAccounts(choice)).filter(({ poor }) => !poor);
  const upstream = await startSoakUpstream();
  const setup = { store: choice, upstreamUrl: upstream.url, clock, recordDays: options.recordDays ?? 30 };
  const gateways = Array.from({ length: options.gateways }, () => startGatewayProcess(setup));
  const { clients, seed } = options;
  try {
    const load = await startSoakLoad({ gateways, accounts, clients, random: createRandom(seed) });
    const samples = await watch(options, gateways, load);
    await load.stop();
    await Promise.all(gateways.map((gateway) => gateway.stop()));
    return { samples, told: load.told, findings: await check(options.store) };
  } finally {
    await Promise.all(gateways.map((gateway) => gateway.stop()));
    await upstream.close();
  }
};

/** Holds a mixed load for a time and measures the gateways and the store all the while. Leaves no process behind. */
export const runSoak = async (options: SoakOptions): Promise<SoakReport> => {
  try {
    return await runOn(options);
  } finally {
    await options.store.close();
  }
};
