import { setTimeout as delay } from 'node:timers/promises';
import type { Gateway } from 'tollgate';
import { createAccounts, openGateway, type TortureAccount } from './accounts.ts';
import { findViolations, reconcile } from './check-storage.ts';
import { findLostAnswers, findLostDeposits } from './find-lost.ts';
import { findDoubleExecutions, findMischarges, findStuck, findUnexplained } from './find-mischarges.ts';
import { createFacts, type Facts } from './ledger-of-facts.ts';
import { startLoad } from './load.ts';
import { createRandom, type Random } from './random.ts';
import { readOperations, type Operations } from './read-operations.ts';
import { lastAcknowledged, recheck } from './recheck.ts';
import { startSurvivor } from './start-survivor.ts';
import type { TortureStore } from './store-choice.ts';
import { tortureLimits, type VictimSetup } from './victim-setup.ts';
import { startVictims, type Victims } from './victims.ts';
import { startReferenceUpstream, type ReferenceUpstream } from './reference-upstream.ts';

export interface TortureOptions {
  /** Of gateways and workers. */
  readonly kills: number;
  /** Of the store's server, where it has one. */
  readonly serverKills?: number;
  /** Gateways on the one store. */
  readonly gateways: number;
  /** Processes that do background work only. */
  readonly workers?: number;
  readonly seed: number;
  /** An empty one; closed when the run ends. */
  readonly store: TortureStore;
  /** The share of measured answers that the gateways lose, as a negative control. */
  readonly lostShare?: number;
}

/** How many were killed. */
interface Kills {
  readonly gateway: number;
  readonly worker: number;
  readonly server: number;
}

/** What a run found. Every list must be empty. */
export interface TortureReport {
  readonly kills: Kills;
  readonly killsPerMinute: number;
  /** Requests sent, repetitions included. */
  readonly requests: number;
  readonly statuses: ReadonlyMap<number, number>;
  readonly operations: number;
  readonly executions: number;
  readonly acknowledged: number;
  readonly deposits: number;
  readonly uncertain: number;
  readonly acknowledgedLost: readonly string[];
  readonly executedTwice: readonly string[];
  readonly mischarged: readonly string[];
  readonly stuck: readonly string[];
  /** Uncertain without a cause. Not looked for where the store's server is killed, which is a cause for anything. */
  readonly unexplained: readonly string[];
  /** The gateway's audit, before and after reconciliation, and the store's check of its files. */
  readonly audit: readonly string[];
  /** Anything else that no client should see. */
  readonly anomalies: readonly string[];
}

interface Run {
  readonly options: TortureOptions;
  readonly setup: VictimSetup;
  readonly accounts: readonly TortureAccount[];
  readonly facts: Facts;
  readonly reference: ReferenceUpstream;
}

const lifeMsMax = 600;
/** How often a process dies together with the server. */
const togetherShare = 0.2;
const nobody = { gateway: 0, worker: 0 };

/** How many are still to be killed. */
interface Left {
  readonly processes: number;
  readonly server: number;
}

const moreMs = 10;

/** Resolves when one more answer is acknowledged: on a busy machine a process needs longer to begin than it has to live. */
const untilMore = async ({ acknowledged }: Facts): Promise<void> => {
  const before = acknowledged.size;
  while (acknowledged.size === before) await delay(moreMs);
};

/** Kills a process, the server or both at a random moment, and asks again for what was acknowledged last before it. */
const killOnce = async ({ options, facts }: Run, victims: Victims, random: Random, left: Left): Promise<Kills> => {
  const { killServer } = options.store;
  const server = killServer !== null && random.below(left.processes + left.server) < left.server;
  await untilMore(facts);
  await delay(random.below(lifeMsMax));
  const last = lastAcknowledged(facts);
  const [killed] = await Promise.all([
    left.processes > 0 && (!server || random.chance(togetherShare)) ? victims.killSome() : nobody,
    server ? killServer() : undefined,
  ]);
  await recheck(last, victims, facts);
  return { ...killed, server: server ? 1 : 0 };
};

/** Kills under load; returns how many were killed and how long it took. */
const kill = async (run: Run) => {
  const { options, setup, accounts, facts, reference } = run;
  const { gateways, workers = 0, serverKills = 0 } = options;
  const random = createRandom(options.seed);
  const victims = await startVictims({ setup, gateways, workers, facts, random });
  const load = startLoad({ accounts, facts, random, victims });
  const startedMs = performance.now();
  const kills = { gateway: 0, worker: 0, server: 0 };
  const left = (): Left => ({
    // One kill at the least must hit an execution: else there was nothing to lose.
    processes: Math.max(
      options.kills > 0 && reference.cut() === 0 ? 1 : 0,
      options.kills - kills.gateway - kills.worker,
    ),
    server: Math.max(0, serverKills - kills.server),
  });
  try {
    for (let more = left(); more.processes + more.server > 0; more = left()) {
      const killed = await killOnce(run, victims, random, more);
      kills.gateway += killed.gateway;
      kills.worker += killed.worker;
      kills.server += killed.server;
    }
    return { kills, minutes: (performance.now() - startedMs) / 60_000 };
  } finally {
    // Under load to the last: nothing is put in order before the checks.
    await victims.end();
    await load.stop();
  }
};

const lookMs = 100;
/** Two leases, and a moment for the sweep that comes after them. */
const processedMsMax = 2 * tortureLimits.leaseMs + 4 * tortureLimits.sweepMs;

const untilProcessed = async (
  gateway: Gateway,
  accounts: readonly TortureAccount[],
  slowMs: number,
): Promise<Operations> => {
  const giveUpMs = performance.now() + processedMsMax + slowMs;
  for (;;) {
    const operations = await readOperations(gateway, accounts);
    if (findStuck(operations).length === 0 || performance.now() > giveUpMs) return operations;
    await delay(lookMs);
  }
};

/** Starts one more gateway, lets it process what the dead left behind, and asks it for every acknowledged answer. */
const survive = async ({ options, setup, accounts, facts }: Run, gateway: Gateway) => {
  const { process: survivor, origin } = await startSurvivor(setup, facts.violations);
  const operations = await untilProcessed(gateway, accounts, options.store.slowMs ?? 0);
  const lost = await findLostAnswers(origin, facts);
  await survivor.kill();
  return { operations, lost };
};

const check = async (run: Run) => {
  const { accounts, facts, reference, setup, options } = run;
  const gateway = await openGateway(setup.store);
  const { operations, lost } = await survive(run, gateway);
  const lostDeposits = await findLostDeposits(gateway, accounts, facts);
  const before = await findViolations(gateway);
  const undecided = await reconcile(gateway, operations, reference.executions);
  const after = await findViolations(gateway);
  const decided = await readOperations(gateway, accounts);
  await gateway.close();
  return {
    operations: operations.size,
    uncertain: [...operations.values()].filter(({ state }) => state === 'uncertain').length,
    acknowledgedLost: [...lost, ...lostDeposits],
    executedTwice: findDoubleExecutions(reference.executions),
    mischarged: [...findMischarges(operations, reference.executions), ...findMischarges(decided, reference.executions)],
    stuck: [...findStuck(operations), ...undecided],
    unexplained: (options.serverKills ?? 0) > 0 ? [] : findUnexplained(operations, reference.executions, facts),
    audit: [...before, ...after, ...(await options.store.checkFiles())],
  };
};

const runOn = async (options: TortureOptions): Promise<TortureReport> => {
  const { choice } = options.store;
  const accounts = await createAccounts(choice);
  const reference = await startReferenceUpstream(createRandom(options.seed + 1));
  const { lostShare = 0 } = options;
  const setup: VictimSetup = { store: choice, upstreamUrl: reference.url, lostShare };
  const run: Run = { options, setup, accounts, facts: createFacts(), reference };
  try {
    const { kills, minutes } = await kill(run);
    const found = await check(run);
    const { statuses, acknowledged, deposits, violations, operations: requests } = run.facts;
    return {
      ...found,
      kills,
      killsPerMinute: (kills.gateway + kills.worker + kills.server) / minutes,
      requests,
      statuses,
      executions: [...reference.executions.values()].reduce((sum, { count }) => sum + count, 0),
      acknowledged: acknowledged.size,
      deposits: deposits.size,
      anomalies: violations,
    };
  } finally {
    await reference.close();
  }
};

/**
 * Kills loaded gateways, workers and the store's server with SIGKILL at random moments and then holds what was acknowledged
 * against what the store says and what the upstream, which lives in this process, saw. Closes the store and leaves no process
 * behind.
 */
export const runTorture = async (options: TortureOptions): Promise<TortureReport> => {
  try {
    return await runOn(options);
  } finally {
    await options.store.close();
  }
};
