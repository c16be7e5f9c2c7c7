import { failCommand } from './conclude.ts';
import { decideRenew, renewKeys } from './decisions/renew.ts';
import type { Engine } from './engine.ts';
import { sweep } from './sweep.ts';

/** Operations renewed in one step at the most. */
const renewedPerStepMax = 512;

/** Lengthens the leases of everything this process has been running for a while. */
export const renewLeases = async (engine: Engine): Promise<void> => {
  const aged = engine.running.takeAged();
  for (let from = 0; from < aged.length; from += renewedPerStepMax) {
    const command = {
      operations: aged.slice(from, from + renewedPerStepMax),
      leaseMs: engine.limits.leaseMs,
    };
    const { lost } = await engine.storage.transact(renewKeys(command), decideRenew(command));
    engine.workshop.lose(lost);
  }
};

/** Frees what an unconfirmed opening may have left: nothing of it was ever handed to a provider. */
export const releaseUnconfirmed = async (engine: Engine): Promise<void> => {
  for (const opening of engine.running.takeUnconfirmed()) {
    try {
      const records = await engine.storage.read([{ table: 'operation', id: opening.operationId }]);
      const operation = records.get('operation', opening.operationId);
      // Only what this opening registered itself: under an id that a host's store handed out, another one may run.
      if (operation?.owner === opening.owner)
        await engine.money.fail({
          ...failCommand(engine, operation, 'service_unavailable', null),
          // Whatever this opening deferred, somebody may begin now.
          owner: opening.owner,
        });
    } catch (cause) {
      engine.running.addUnconfirmed(opening);
      engine.logger.warn('an unconfirmed opening could not be released yet', { ...opening, cause });
    }
  }
};

/** The background work of one process. */
export interface Jobs {
  /** Starts the loops; calling it again changes nothing. */
  start(): void;
  /** Stops the loops and waits for the round under way. */
  stop(): Promise<void>;
  /** Does what is due now, once, and waits for the work that it began: for a host that runs no loops, and is called by a timer. */
  runDue(): Promise<void>;
}

const nothingPlanned = (): void => {};

/** Runs every so often, and at once again as long as `run` answers that there is more to do. */
const loop = (
  engine: Engine,
  { everyMs, wakes }: { readonly everyMs: number; readonly wakes: boolean },
  run: () => Promise<{ readonly more: boolean }>,
) => {
  let stopped = false;
  let busy = false;
  let woken = false;
  let callOff = nothingPlanned;
  let round: Promise<void> = Promise.resolve();
  const once = async (): Promise<void> => {
    let again = false;
    busy = true;
    woken = false;
    try {
      again = (await run()).more;
    } catch (cause) {
      engine.logger.error('a background job failed', { cause });
    }
    busy = false;
    if (!stopped) plan(again || woken ? 0 : everyMs);
  };
  const plan = (inMs: number): void => {
    callOff = engine.after(inMs, () => {
      round = once();
    });
  };
  // What is due now is not left to the next round; in the middle of one, the one after it begins at once.
  const soon = (): void => {
    if (busy || stopped) woken = true;
    else {
      callOff();
      plan(0);
    }
  };
  plan(everyMs);
  const stopListening = wakes ? engine.wake.listen(soon) : nothingPlanned;
  return {
    stop: (): Promise<void> => {
      stopped = true;
      stopListening();
      callOff();
      return round;
    },
  };
};

const renewing = (engine: Engine) =>
  loop(engine, { everyMs: engine.limits.renewMs, wakes: false }, async () => {
    await renewLeases(engine);
    return { more: false };
  });

export const createJobs = (engine: Engine): Jobs => {
  let loops: readonly { readonly stop: () => Promise<void> }[] = [];
  return {
    start: () => {
      if (loops.length > 0) return;
      loops = [
        renewing(engine),
        loop(engine, { everyMs: engine.limits.sweepMs, wakes: true }, async () => {
          await releaseUnconfirmed(engine);
          return sweep(engine);
        }),
      ];
    },
    stop: async () => {
      const stopping = loops;
      loops = [];
      await Promise.all(stopping.map((each) => each.stop()));
    },
    runDue: async () => {
      const renewal = renewing(engine);
      try {
        await releaseUnconfirmed(engine);
        await sweep(engine);
        await engine.workshop.idle();
        await engine.dispatch.idle();
      } finally {
        await renewal.stop();
      }
    },
  };
};
