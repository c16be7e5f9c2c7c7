import type { DeliveryRecord } from '@tollgate/storage';
import { concludeDelivery, type ConcludeDeliveryCommand } from '../decisions/delivery.ts';
import type { Engine } from '../engine.ts';
import { commitOnce } from '../operations/persist.ts';

export type DeliveryOutcome = ConcludeDeliveryCommand['outcome'];

/** How long the record of an ended delivery is kept (F15). */
const keptMs = 30 * 24 * 3_600_000;
/** Endings that are recorded together, at the most, and how long the first of them waits for the others. */
const gatheredMax = 128;
const gatherMs = 10;

interface Ending {
  readonly delivery: DeliveryRecord;
  readonly outcome: DeliveryOutcome;
}

const record = async (engine: Engine, { delivery, outcome }: Ending): Promise<void> => {
  // Only the wait after a refusal is spread.
  const [byte = 0] = outcome.kind === 'refused' ? engine.randomBytes(1) : [];
  const command = { deliveryId: delivery.id, claimedBy: delivery.owner, outcome, random: byte / 256, keptMs };
  try {
    await commitOnce(engine, concludeDelivery(command));
  } catch (cause) {
    // The claim runs out, and it is sent again: at least once is the promise.
    engine.logger.error('a delivery could not be concluded', { deliveryId: delivery.id, cause });
    return;
  }
  engine.host.observe?.({
    kind: 'delivery',
    deliveryId: delivery.id,
    outcome: outcome.kind,
    lagMs: Math.max(0, engine.clock.wallClockMs() - delivery.createdAtMs),
    attempts: delivery.attempts + 1,
  });
};

/** How the deliveries of a process ended, as far as it is not recorded. */
export interface DeliveryEndings {
  /** Has an ending recorded with the next ones. */
  add(delivery: DeliveryRecord, outcome: DeliveryOutcome): void;
  /** Records what there is, now; resolves when it is recorded. */
  flush(): Promise<void>;
  /** Resolves when every ending is recorded that was added before. */
  idle(): Promise<void>;
}

/**
 * Records endings together: their steps are handed to the storage at once, so that they share a transaction. A process that dies
 * before leaves deliveries to be sent again, as one does that dies while it sends.
 */
export const createDeliveryEndings = (engine: Engine): DeliveryEndings => {
  const recording = new Set<Promise<unknown>>();
  let waiting: Ending[] = [];
  let cancelTimer: (() => void) | null = null;
  const flush = async (): Promise<void> => {
    cancelTimer?.();
    cancelTimer = null;
    const gathered = waiting;
    waiting = [];
    const recorded = Promise.all(gathered.map((ending) => record(engine, ending)));
    recording.add(recorded);
    await recorded;
    recording.delete(recorded);
  };
  return {
    add: (delivery, outcome) => {
      waiting.push({ delivery, outcome });
      if (waiting.length >= gatheredMax) void flush();
      else cancelTimer ??= engine.clock.after(gatherMs, () => void flush());
    },
    flush,
    idle: async () => {
      await flush();
      await Promise.all(recording);
    },
  };
};
