// A gateway under load that tells how it is: node --conditions=@tollgate/source proof/soak/soak-gateway.ts '<SoakSetup as JSON>'
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { createGateway, openaiProvider, serve, silentLogger } from 'tollgate';
import { openStore } from '../torture/store-choice.ts';
import {
  decideUncertainAt,
  depositMicros,
  limitsAt,
  readClock,
  soakTariff,
  type ProcessFigures,
  type SoakOrder,
  type SoakSetup,
  type SoakWord,
} from './soak-setup.ts';

// Written by the parent, from the same type.
// oxlint-disable-next-line typescript/no-unsafe-type-assertion
const { store, upstreamUrl, clock, recordDays } = JSON.parse(process.argv[2] ?? '{}') as SoakSetup;

const say = (word: SoakWord): void => void process.send?.(word);

/** What the load provokes, and what is logged as an error for the operator of a true gateway. */
const provoked = new Set(['outcome unknown', 'consumption unknown']);
const shownMax = 5;
let errors = 0;
const reference = (message: string, cause: unknown): void => {
  if (provoked.has(message)) return;
  errors += 1;
  if (errors <= shownMax) console.error(message, cause);
};

const gateway = await createGateway({
  storage: await openStore(store, () => readClock(clock)),
  provider: openaiProvider({ baseUrl: upstreamUrl }),
  tariff: soakTariff,
  limits: limitsAt(clock.speed, recordDays),
  decideUncertain: decideUncertainAt(clock.speed),
  logger: { ...silentLogger, error: reference },
});
const { origin } = await serve(gateway, { port: 0 });

const nanosPerMs = 1e6;
const loopDelay = monitorEventLoopDelay({ resolution: 10 });
loopDelay.enable();

const measure = (): ProcessFigures => {
  const { rss, heapUsed } = process.memoryUsage();
  const figures = {
    residentBytes: rss,
    heapBytes: heapUsed,
    loopDelayP99Ms: loopDelay.percentile(99) / nanosPerMs,
    errors,
  };
  loopDelay.reset();
  return figures;
};

process.on('message', (order: SoakOrder) => {
  switch (order.kind) {
    case 'measure':
      say({ kind: 'measured', figures: measure() });
      return;
    case 'deposit':
      gateway.admin
        .deposit({ accountId: order.accountId, amountMicros: depositMicros, reference: order.reference })
        .catch((cause: unknown) => reference('a deposit failed', cause));
  }
});
process.on('disconnect', () => {
  void gateway.close({ drainMs: 5_000 }).finally(() => process.exit(0));
});
say({ kind: 'listening', origin });
