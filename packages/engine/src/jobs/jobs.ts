import { failCommand, resumeCommands } from '../operations/conclude.ts';
import { renew, sweepOwnerPrefix } from '../decisions/renew.ts';
import type { OperationRecord } from '@tollgate/storage';
import type { Engine, JobSignal } from '../engine.ts';
import { commitOnce } from '../operations/persist.ts';
import { inCells } from './in-cells.ts';
import { rollUpCells } from './roll-up.ts';
import { sweep, sweepEvents, type JobParts } from './sweep.ts';
import type { WorkerPool } from '../workers/worker-pool.ts';

/** Operations renewed in one step at the most. */
const renewedPerStepMax = 512;

/** Lengthens the leases of everything this process has been running for a while; work that another process has is aborted. */
export const renewLeases = async (engine: Engine, workers: WorkerPool): Promise<void> => {
  const { running, preparing } = engine.running.takeAged();
  const { leaseMs } = engine.limits;
  await inCells(engine, running, renewedPerStepMax, async (operations) => {
    const { lost } = await commitOnce(engine, renew({ operations, leaseMs }));
    workers.lose(lost);
  });
  await inCells(engine, preparing, renewedPerStepMax, async (part) => {
    await commitOnce(engine, renew({ operations: [], preparing: part, leaseMs }));
  });
};

const releaseOpening = async (engine: Engine, operation: OperationRecord, owner: string): Promise<void> => {
  if (operation.state === 'preparing')
    await engine.operationLedger.resume(operation, resumeCommands(engine, operation));
  // What this opening deferred may begin now.
  else await engine.operationLedger.fail({ ...failCommand(engine, operation, 'service_unavailable', null), owner });
};

/** Frees what an unconfirmed opening may have left: nothing of it was ever handed to a provider. */
export const releaseUnconfirmed = async (engine: Engine): Promise<void> => {
  for (const opening of engine.running.takeUnconfirmed()) {
    try {
      const records = await engine.storage.read([{ table: 'operation', id: opening.operationId }]);
      const operation = records.get('operation', opening.operationId);
      // Only what this opening registered itself: under an id that a host's store handed out, another one may run.
      if (operation?.owner === opening.owner) await releaseOpening(engine, operation, opening.owner);
    } catch (cause) {
      engine.running.addUnconfirmed(opening);
      engine.logger.warn('an unconfirmed opening could not be released yet', { ...opening, cause });
    }
  }
};

/** How often a process that leaves sweeping to another one sweeps all the same: the other one may be gone for good. */
const rareSweepMs = 300_000;

/** How the loops of a process do. */
export interface JobsStatus {
  readonly isStarted: boolean;
  /** Since leases were last renewed without a failure, or since the loops began; null where they do not run. */
  readonly renewedAgoMs: number | null;
  /** Since due rows were last swept without a failure, or since the loops began; null where nothing sweeps regularly. */
  readonly sweptAgoMs: number | null;
}

export interface JobsOptions {
  /**
   * `regularly` (default) looks for due rows every `limits.sweepMs` and rolls usage up. `when_notified` looks when this process has
   * created or changed something that is due, and otherwise every five minutes: for processes beside one that sweeps regularly and is
   * started again at once where it dies, as `serveProcesses` does. Without such a one, what a dead process left is found that late.
   */
  readonly sweeps?: 'regularly' | 'when_notified' | undefined;
}

/** The background work of one process. */
export interface Jobs {
  /** Starts the loops; calling it again changes nothing. Every process that serves renews its own leases, whatever it sweeps. */
  start(options?: JobsOptions): void;
  /** Stops the loops and waits for the round under way. */
  stop(): Promise<void>;
  status(): JobsStatus;
  /** Does what is due now, once, and waits for the work that it began: for a host that runs no loops, and is called by a timer. */
  runDue(): Promise<void>;
}

const nothingPlanned = (): void => {};

interface Pace {
  /** Null runs only when it is notified. */
  readonly everyMs: number | null;
  /** What has the next round begin at once, if anything. */
  readonly signal: JobSignal | null;
}

/** Runs every so often, and at once again as long as `run` answers that there is more to do. */
const loop = (engine: Engine, { everyMs, signal }: Pace, run: () => Promise<{ readonly more: boolean }>) => {
  let stopped = false;
  let busy = false;
  let isNotified = false;
  let isSoon = false;
  let cancelTimer = nothingPlanned;
  let round: Promise<void> = Promise.resolve();
  let doneAtMs = engine.clock.monotonicMs();
  const once = async (): Promise<void> => {
    let again = false;
    busy = true;
    isNotified = false;
    isSoon = false;
    try {
      again = (await run()).more;
      doneAtMs = engine.clock.monotonicMs();
    } catch (cause) {
      engine.logger.error('a background job failed', { cause });
      engine.host.observe?.({ kind: 'job_failed' });
    }
    busy = false;
    if (!stopped) plan(again || isNotified ? 0 : everyMs);
  };
  const plan = (inMs: number | null): void => {
    if (inMs === null) return;
    isSoon = inMs === 0;
    cancelTimer = engine.clock.after(inMs, () => {
      round = once();
    });
  };
  // What is due now is not left to the next round; in the middle of one, the one after it begins at once.
  const soon = (): void => {
    if (busy || stopped) isNotified = true;
    // Begun anew, a flow of hints would put it off for as long as it lasts.
    else if (!isSoon) {
      cancelTimer();
      plan(0);
    }
  };
  plan(everyMs);
  const stopListening = signal?.listen(soon) ?? nothingPlanned;
  return {
    doneAgoMs: (): number => engine.clock.monotonicMs() - doneAtMs,
    stop: (): Promise<void> => {
      stopped = true;
      stopListening();
      cancelTimer();
      return round;
    },
  };
};

const renewing = (engine: Engine, { workers }: JobParts) =>
  loop(engine, { everyMs: engine.limits.renewMs, signal: null }, async () => {
    await renewLeases(engine, workers);
    return { more: false };
  });

type Loop = ReturnType<typeof loop>;

/** Sweeps once, and shows an observer what that did. */
const observedSweep = async (engine: Engine, parts: JobParts) => {
  const fromMs = engine.clock.monotonicMs();
  const report = await sweep(engine, parts);
  engine.host.observe?.({ kind: 'swept', ...report, durationMs: engine.clock.monotonicMs() - fromMs });
  return report;
};

interface Started {
  readonly loops: readonly Loop[];
  readonly sweepsRegularly: boolean;
}

const statusOf = ({ loops: [renewal, sweeping], sweepsRegularly }: Started): JobsStatus => ({
  isStarted: renewal !== undefined,
  renewedAgoMs: renewal?.doneAgoMs() ?? null,
  sweptAgoMs: sweepsRegularly ? (sweeping?.doneAgoMs() ?? null) : null,
});

const sweeping = (engine: Engine, parts: JobParts, everyMs: number) =>
  loop(engine, { everyMs, signal: engine.signals.workDue }, async () => {
    await releaseUnconfirmed(engine);
    return observedSweep(engine, parts);
  });

const rollingUp = (engine: Engine, everyMs: number) =>
  loop(engine, { everyMs, signal: null }, () => rollUpCells(engine));

// G68
/** What this process has just ended is reported at once; what anything leaves behind, the sweep finds. */
const reporting = (engine: Engine, parts: JobParts) =>
  loop(engine, { everyMs: null, signal: engine.signals.eventsDue }, async () => ({
    more: await sweepEvents(engine, parts, `${sweepOwnerPrefix}${engine.newId()}`),
  }));

const startLoops = (engine: Engine, parts: JobParts, { sweeps = 'regularly' }: JobsOptions): Started => {
  const sweepsRegularly = sweeps === 'regularly';
  const paceMs = (ms: number): number => (sweepsRegularly ? ms : Math.max(ms, rareSweepMs));
  if (!sweepsRegularly)
    engine.logger.info('this process leaves sweeping to another one, and sweeps rarely itself', {
      code: 'sweeps_rarely',
      sweepMs: paceMs(engine.limits.sweepMs),
    });
  const loops = [
    renewing(engine, parts),
    sweeping(engine, parts, paceMs(engine.limits.sweepMs)),
    reporting(engine, parts),
    rollingUp(engine, paceMs(engine.limits.usageRollUpMs)),
  ];
  return { loops, sweepsRegularly };
};

const nothingStarted: Started = { loops: [], sweepsRegularly: false };

export const createJobs = (engine: Engine, parts: JobParts): Jobs => {
  let started = nothingStarted;
  return {
    start: (options = {}) => {
      if (started === nothingStarted) started = startLoops(engine, parts, options);
    },
    stop: async () => {
      const stopping = started;
      started = nothingStarted;
      await Promise.all(stopping.loops.map((each) => each.stop()));
    },
    status: () => statusOf(started),
    runDue: async () => {
      const renewal = renewing(engine, parts);
      try {
        await releaseUnconfirmed(engine);
        await observedSweep(engine, parts);
        await rollUpCells(engine);
        await parts.workers.idle();
        await parts.deliveries?.idle();
        await parts.hostEvents?.idle();
      } finally {
        await renewal.stop();
      }
    },
  };
};
