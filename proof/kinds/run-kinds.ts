import { setTimeout as delay } from 'node:timers/promises';
import type { Verdict } from '@tollgate/engine';
import type { OperationRecord } from '@tollgate/storage';
import { findViolations } from '../torture/check-storage.ts';
import { createRandom } from '../torture/random.ts';
import { readOperations } from '../torture/read-operations.ts';
import { startSurvivor } from '../torture/start-survivor.ts';
import type { TortureStore } from '../torture/store-choice.ts';
import type { VictimSetup } from '../torture/victim-setup.ts';
import { startVictims, type Victims } from '../torture/victims.ts';
import { createCallsInHand, type CallsInHand } from './calls-in-hand.ts';
import { createDeaths, type Deaths } from './deaths.ts';
import { faultOf, faultOfDecided, findTwice, isUnexplained, recordedMicros, type Case } from './find-faults.ts';
import { findOrphans } from './find-orphans.ts';
import { findUntold } from './find-untold.ts';
import { createGround, openKinds, type OpenedKinds } from './ground.ts';
import { createKindsFacts, type KindsFacts } from './kinds-facts.ts';
import { kindsLimits } from './kinds-gateway.ts';
import { startKindsLoad } from './kinds-load.ts';
import { tally, type WayTally } from './tally.ts';
import type { Ground, Way } from './ways.ts';
import { startKindsReference, type ReferenceUpstream } from './reference-upstream.ts';
import { operationIdOf, type Family } from './reference-wire.ts';

export interface KindsOptions {
  /** At the most; fewer where every way has had `killsPerWay` before. */
  readonly kills: number;
  /** Kills in the middle of each way that are enough. */
  readonly killsPerWay: number;
  /** Families of which a call must be in hand at every second kill, or at every kill where `inHandOnly` says so; none by default. */
  readonly inHand?: readonly Family[];
  readonly inHandOnly?: true;
  readonly ways: readonly Way[];
  /** Clients of each way. */
  readonly clients: number;
  readonly gateways: number;
  readonly workers: number;
  readonly seed: number;
  /** The negative control: no kind notes what it hands over. */
  readonly forgetful?: boolean;
  /** An empty one; closed when the run ends. */
  readonly store: TortureStore;
}

/** What a run found. Every list must be empty. */
export interface KindsReport {
  readonly kills: number;
  /** Of these: those at which the killed process waited for the answer to a call that had run. */
  readonly killsInHand: number;
  readonly minutes: number;
  readonly statuses: ReadonlyMap<number, number>;
  readonly created: number;
  /** The longest time for which a process made nothing durable; beyond `silenceMsMax` its leases may have run out. */
  readonly silenceMs: number;
  /** Uncertain because of that, one must suppose. */
  readonly leasesLost: number;
  readonly byWay: readonly WayTally[];
  readonly executedTwice: readonly string[];
  readonly mischarged: readonly string[];
  readonly stuck: readonly string[];
  /** Uncertain without a lost answer or a death, in a run in which every process could renew its leases in time. */
  readonly unexplained: readonly string[];
  /** Records reported as ended that are reported otherwise now, and videos with other bytes. */
  readonly untold: readonly string[];
  readonly orphans: readonly string[];
  readonly audit: readonly string[];
  /** Anything else that no client should see. */
  readonly anomalies: readonly string[];
}

interface Run {
  readonly options: KindsOptions;
  readonly setup: VictimSetup;
  readonly opened: OpenedKinds;
  readonly ground: Ground;
  readonly facts: KindsFacts;
  readonly reference: ReferenceUpstream;
  readonly deaths: Deaths;
  readonly callsInHand: CallsInHand;
  silenceMs: number;
}

const lifeMsMin = 150;
const lifeMsMax = 1_200;

/** Kills a process that waits for the answer to a call that has run. */
const killInHand = async ({ callsInHand }: Run, victims: Victims, families: readonly Family[]): Promise<void> => {
  for (;;) {
    const { pid } = await callsInHand.next(families);
    const role = await victims.killOne(pid);
    callsInHand.release();
    if (role !== null) return;
  }
};

/** Kills under load until there were enough in the middle of each way; returns how many and how long it took. */
const kill = async (run: Run) => {
  const { options, setup, ground, facts, deaths } = run;
  const { gateways, workers, ways, clients, inHand = [], inHandOnly = false } = options;
  const random = createRandom(options.seed);
  const { violations } = facts;
  const victims = await startVictims({
    setup,
    gateways,
    workers,
    facts: { violations, deposits: new Map() },
    random,
    onKill: deaths.onKill,
    onSilence: (ms) => {
      run.silenceMs = Math.max(run.silenceMs, ms);
    },
  });
  const load = startKindsLoad({ ground, facts, random, ways, clients, victims });
  const startedMs = performance.now();
  let [kills, killsInHand] = [0, 0];
  const isEnough = (): boolean =>
    (kills >= options.kills && ways.every(({ name }) => facts.begun.has(name))) ||
    ways.every(({ name }) => (deaths.byWay.get(name) ?? 0) >= options.killsPerWay);
  try {
    while (!isEnough()) {
      if (inHand.length > 0) {
        await killInHand(run, victims, inHand);
        killsInHand += 1;
        kills += 1;
      }
      if (inHandOnly) continue;
      await delay(lifeMsMin + random.below(lifeMsMax));
      const killed = await victims.killSome();
      kills += killed.gateway + killed.worker;
    }
    return { kills, killsInHand, minutes: (performance.now() - startedMs) / 60_000 };
  } finally {
    // Under load to the last: nothing is put in order before the checks.
    await victims.end();
    await load.stop();
  }
};

const lookMs = 250;
/** Far longer than every lease, pause and job of a run. */
const endedMsMax = 120_000;

const operationsOf = async ({ opened, ground }: Run): Promise<readonly OperationRecord[]> => {
  const accounts = [{ accountId: ground.accountId, key: '', poor: false }];
  return [...(await readOperations(opened.gateway, accounts)).values()];
};

const hasEnded = ({ state }: OperationRecord): boolean =>
  state === 'completed' || state === 'failed' || state === 'uncertain';

const untilEnded = async (run: Run): Promise<void> => {
  const giveUpMs = performance.now() + endedMsMax;
  while (performance.now() < giveUpMs) {
    if ((await operationsOf(run)).every(hasEnded)) return;
    await delay(lookMs);
  }
};

/** Starts one more process, lets it end what the dead left behind, and asks it for every record that was reported. */
const survive = async (run: Run): Promise<readonly string[]> => {
  const { setup, facts, reference } = run;
  const { process: survivor, origin } = await startSurvivor(setup, facts.violations);
  await untilEnded(run);
  const untold = await findUntold(origin, facts, reference);
  // What was deleted last is cleared away by the next sweeps.
  await delay(4 * kindsLimits.sweepMs);
  await survivor.kill();
  return untold;
};

const casesOf = async (run: Run): Promise<readonly Case[]> => {
  const byOperation = Map.groupBy(run.reference.executions.values(), ({ operationId }) => operationId);
  return (await operationsOf(run)).map((operation) => ({
    operation,
    executions: byOperation.get(operation.id) ?? [],
    deaths: run.deaths.ofOperation.get(operation.id) ?? [],
  }));
};

/** Decides what is uncertain by what the reference upstream knows, as an operator would; returns what could not be decided. */
const decideAll = async ({ opened }: Run, cases: readonly Case[]): Promise<readonly string[]> => {
  const undecided: string[] = [];
  for (const one of cases) {
    const { id, state } = one.operation;
    if (state !== 'uncertain') continue;
    const ran = one.executions.some(({ count, billed }) => count > 0 && billed);
    const verdict: Verdict = ran ? { executed: true, amountMicros: recordedMicros(one) } : { executed: false };
    const answer = await opened.gateway.admin.resolveOperation(id, verdict);
    if (answer.kind !== 'resolved') undecided.push(`${id} could not be decided: ${answer.kind}`);
  }
  return undecided;
};

/** A lease lives on when it is renewed at every second look; what is left then is how long a process may be kept waiting. */
const silenceMsMax = kindsLimits.leaseMs - 2 * kindsLimits.renewMs;

/** A machine that is too busy may keep a process from renewing its leases: then its work is uncertain, and rightly so. */
const withoutCause = ({ silenceMs }: Run, cases: readonly Case[]) => {
  const ids = cases.filter(isUnexplained).map(({ operation: { kind, id } }) => `${kind} ${id}`);
  if (silenceMs > silenceMsMax) return { unexplained: [], leasesLost: ids.length };
  return {
    unexplained: ids.map((id) => `${id}: uncertain, though nothing was lost and no process died`),
    leasesLost: 0,
  };
};

const strangers = ({ reference }: Run, cases: readonly Case[]): readonly string[] => {
  const known = new Set(cases.map(({ operation }) => operation.id));
  return [...reference.executions.values()].flatMap(({ key, count }) =>
    count > 0 && !known.has(operationIdOf(key)) ? [`${key} ran without a record`] : [],
  );
};

const check = async (run: Run) => {
  const { opened, reference, options } = run;
  const untold = await survive(run);
  const cases = await casesOf(run);
  const faults = cases.flatMap((one) => faultOf(one) ?? []);
  const before = await findViolations(opened.gateway);
  const orphans = await findOrphans(options.store.choice);
  const undecided = await decideAll(run, cases);
  const uncertain = new Set(cases.flatMap(({ operation }) => (operation.state === 'uncertain' ? [operation.id] : [])));
  const decided = (await casesOf(run)).filter(({ operation }) => uncertain.has(operation.id));
  const after = await findViolations(opened.gateway);
  const why = (kind: 'mischarged' | 'stuck') => faults.flatMap((fault) => (fault.kind === kind ? [fault.why] : []));
  return {
    byWay: tally(options.ways, cases, run.deaths),
    executedTwice: findTwice(reference.executions.values()),
    mischarged: [
      ...why('mischarged'),
      ...strangers(run, cases),
      ...decided.flatMap((one) => faultOfDecided(one) ?? []),
    ],
    stuck: [...why('stuck'), ...undecided],
    ...withoutCause(run, cases),
    untold,
    orphans,
    audit: [...before, ...after, ...(await options.store.checkFiles())],
  };
};

const runOn = async (
  options: KindsOptions,
  reference: ReferenceUpstream,
  callsInHand: CallsInHand,
): Promise<KindsReport> => {
  const { choice } = options.store;
  const opened = await openKinds(choice, reference.url);
  const facts = createKindsFacts();
  const serves = options.forgetful === true ? 'forgetful kinds' : 'kinds';
  const setup: VictimSetup = { store: choice, upstreamUrl: reference.url, serves };
  try {
    const ground = await createGround(opened);
    const deaths = createDeaths(opened.storage, facts, options.ways);
    const run: Run = { options, setup, opened, ground, facts, reference, deaths, callsInHand, silenceMs: 0 };
    const killed = await kill(run);
    const found = await check(run);
    const { statuses, created, violations: anomalies } = facts;
    return { ...found, ...killed, statuses, created, silenceMs: run.silenceMs, anomalies };
  } finally {
    await opened.gateway.close({ drainMs: 0 });
  }
};

/**
 * Kills processes with SIGKILL in the middle of every resource type, and then holds what the store says against what the
 * upstream, which lives in this process, saw. Closes the store and leaves no process behind.
 */
export const runKinds = async (options: KindsOptions): Promise<KindsReport> => {
  const callsInHand = createCallsInHand();
  const reference = await startKindsReference(createRandom(options.seed + 1), callsInHand);
  try {
    return await runOn(options, reference, callsInHand);
  } finally {
    await reference.close();
    await options.store.close();
  }
};
