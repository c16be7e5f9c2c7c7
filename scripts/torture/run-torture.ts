import { mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Gateway } from 'tollgate';
import { createAccounts, openGateway, type TortureAccount } from './accounts.ts';
import { checkIntegrity, findViolations, reconcile } from './check-storage.ts';
import { findLostAnswers, findLostDeposits } from './find-lost.ts';
import { findDoubleExecutions, findMischarges, findStuck } from './find-mischarges.ts';
import { createFacts, type Facts } from './ledger-of-facts.ts';
import { startLoad } from './load.ts';
import { createRandom } from './random.ts';
import { readOperations, type Operations } from './read-operations.ts';
import { createVictimProcess } from './victim-process.ts';
import { tortureLimits, type VictimSetup } from './victim-setup.ts';
import { startVictims } from './victims.ts';
import { startWitness, type Witness } from './witness.ts';

export interface TortureOptions {
  readonly kills: number;
  /** Gateways on the one file. */
  readonly processes: number;
  readonly seed: number;
  /** Where databases are made; on a disk, for memory syncs for nothing. */
  readonly folder: string;
}

/** What a run found. Every list must be empty. */
export interface TortureReport {
  readonly processes: number;
  readonly kills: number;
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
  /** The gateway's audit, before and after reconciliation, and SQLite's. */
  readonly audit: readonly string[];
  /** Anything else that no client should see. */
  readonly anomalies: readonly string[];
}

interface Run {
  readonly options: TortureOptions;
  readonly setup: VictimSetup;
  readonly accounts: readonly TortureAccount[];
  readonly facts: Facts;
  readonly witness: Witness;
}

/** Kills under load; answers how many were killed and how long it took. */
const kill = async ({ options, setup, accounts, facts }: Run) => {
  const random = createRandom(options.seed);
  const victims = await startVictims({ setup, processes: options.processes, facts, random });
  const load = startLoad({ accounts, facts, random, victims });
  const startedMs = performance.now();
  let kills = 0;
  try {
    while (kills < options.kills) kills += await victims.killSome();
    return { kills, minutes: (performance.now() - startedMs) / 60_000 };
  } finally {
    // Under load to the last: nothing is put in order before the checks.
    await victims.end();
    await load.stop();
  }
};

const lookMs = 100;
/** Two leases, and a moment for the sweep that comes after them. */
const tendedMsMax = 2 * tortureLimits.leaseMs + 4 * tortureLimits.sweepMs;

const untilTended = async (gateway: Gateway, accounts: readonly TortureAccount[]): Promise<Operations> => {
  const giveUpMs = performance.now() + tendedMsMax;
  for (;;) {
    const operations = await readOperations(gateway, accounts);
    if (findStuck(operations).length === 0 || performance.now() > giveUpMs) return operations;
    await delay(lookMs);
  }
};

/** Starts one more gateway, lets it tend what the dead left behind, and asks it for every acknowledged answer. */
const survive = async ({ setup, accounts, facts }: Run, gateway: Gateway) => {
  const survivor = createVictimProcess(setup, {
    onDeposited: () => undefined,
    onDeath: (why) => void facts.violations.push(`the last gateway ended by itself, ${why}`),
  });
  await survivor.loaded;
  const origin = await survivor.start();
  if (origin === null) throw new Error('the last gateway did not start');
  const operations = await untilTended(gateway, accounts);
  const lost = await findLostAnswers(origin, facts);
  await survivor.kill();
  return { operations, lost };
};

const check = async (run: Run) => {
  const { accounts, facts, witness, setup } = run;
  const gateway = await openGateway(setup.databasePath);
  const { operations, lost } = await survive(run, gateway);
  const lostDeposits = await findLostDeposits(gateway, accounts, facts);
  const before = await findViolations(gateway);
  const undecided = await reconcile(gateway, operations, witness.executions);
  const after = await findViolations(gateway);
  const decided = await readOperations(gateway, accounts);
  await gateway.close();
  return {
    operations: operations.size,
    uncertain: [...operations.values()].filter(({ state }) => state === 'uncertain').length,
    acknowledgedLost: [...lost, ...lostDeposits],
    executedTwice: findDoubleExecutions(witness.executions),
    mischarged: [...findMischarges(operations, witness.executions), ...findMischarges(decided, witness.executions)],
    stuck: [...findStuck(operations), ...undecided],
    audit: [...before, ...after, ...checkIntegrity(setup.databasePath)],
  };
};

const runIn = async (folder: string, options: TortureOptions): Promise<TortureReport> => {
  const databasePath = path.join(folder, 'torture.db');
  const accounts = await createAccounts(databasePath);
  const witness = await startWitness(createRandom(options.seed + 1));
  const setup: VictimSetup = { databasePath, upstreamUrl: witness.url };
  const run: Run = { options, setup, accounts, facts: createFacts(), witness };
  try {
    const { kills, minutes } = await kill(run);
    const found = await check(run);
    const { statuses, acknowledged, deposits, violations, operations: requests } = run.facts;
    return {
      ...found,
      processes: options.processes,
      kills,
      killsPerMinute: kills / minutes,
      requests,
      statuses,
      executions: [...witness.executions.values()].reduce((sum, { count }) => sum + count, 0),
      acknowledged: acknowledged.size,
      deposits: deposits.size,
      anomalies: violations,
    };
  } finally {
    await witness.close();
  }
};

/**
 * Kills loaded gateways with SIGKILL at random moments and then holds what they acknowledged against what the database says
 * and what the upstream, which lives in this process, saw. Leaves no process and no file behind.
 */
export const runTorture = async (options: TortureOptions): Promise<TortureReport> => {
  const folder = mkdtempSync(path.join(options.folder, 'torture-'));
  try {
    return await runIn(folder, options);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};
