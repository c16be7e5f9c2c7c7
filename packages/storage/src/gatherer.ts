import { storageBusyCode, type Decide, type Key } from './storage.ts';

/** A step in the queue of a storage: the code that carries it out calls exactly one of `resolve` and `reject`. */
export interface QueuedStep {
  readonly keys: readonly Key[];
  readonly decide: Decide<unknown>;
  readonly resolve: (answer: unknown) => void;
  readonly reject: (cause: unknown) => void;
}

export interface GathererOptions {
  /** Carries the steps in one transaction. Resolves when the lane may take off again; it must settle every step. */
  readonly fly: (steps: readonly QueuedStep[], lane: number) => Promise<void> | void;
  /** Steps one flight carries at the most. */
  readonly stepsPerFlightMax?: number;
  /** Steps that may wait; one more is refused with `storage_busy`. */
  readonly stepsWaitingMax?: number;
  /** Flights that may be in the air at once, each on a lane of its own. */
  readonly lanes?: number;
  /** Which lane a step takes; steps that share a hot key should share a lane. */
  readonly laneOf?: (keys: readonly Key[]) => number;
  /** When an idle lane takes off: by default after the present round of input events, so that they share a flight. */
  readonly schedule?: (takeOff: () => void) => void;
}

export interface Gatherer {
  submit<T>(keys: readonly Key[], decide: Decide<T>): Promise<T>;
  /** How many steps wait for a flight; those in the air are not counted. */
  waiting(): number;
  /** Resolves when nothing waits and nothing is in the air. */
  idle(): Promise<void>;
}

interface Lane {
  waiting: QueuedStep[];
  flying: boolean;
}

const busy = (): Error => Object.assign(new Error('too many steps are waiting'), { code: storageBusyCode });

/**
 * Whatever waited while the last flight was in the air is the next flight: a lone step is never delayed, and a crowd shares
 * one transaction, one commit and one sync.
 */
export const createGatherer = (options: GathererOptions): Gatherer => {
  const { fly, stepsPerFlightMax = 512, stepsWaitingMax = 16_384, schedule = setImmediate } = options;
  const lanes: Lane[] = Array.from({ length: options.lanes ?? 1 }, () => ({ waiting: [], flying: false }));
  const idlers: (() => void)[] = [];
  const land = (lane: Lane, number: number): void => {
    lane.flying = false;
    if (lane.waiting.length > 0) takeOffSoon(lane, number);
    else if (lanes.every((other) => !other.flying)) for (const wake of idlers.splice(0)) wake();
  };
  const takeOff = async (lane: Lane, number: number): Promise<void> => {
    const steps = lane.waiting.splice(0, stepsPerFlightMax);
    try {
      await fly(steps, number);
    } catch (cause) {
      // A flight that settled its steps already is not disturbed: settling a promise twice does nothing.
      for (const step of steps) step.reject(cause);
    }
    land(lane, number);
  };
  const takeOffSoon = (lane: Lane, number: number): void => {
    lane.flying = true;
    schedule(() => void takeOff(lane, number));
  };
  return {
    submit: <T>(keys: readonly Key[], decide: Decide<T>) =>
      new Promise<T>((resolve, reject) => {
        const number = (options.laneOf?.(keys) ?? 0) % lanes.length;
        const lane = lanes[number];
        if (lane === undefined || lane.waiting.length >= stepsWaitingMax) {
          reject(busy());
          return;
        }
        // The answer handed to `resolve` is what this very `decide` returned, hence a T.
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion
        lane.waiting.push({ keys, decide, resolve: resolve as (answer: unknown) => void, reject });
        if (!lane.flying) takeOffSoon(lane, number);
      }),
    waiting: () => lanes.reduce((sum, lane) => sum + lane.waiting.length, 0),
    idle: () =>
      lanes.every((lane) => !lane.flying) ? Promise.resolve() : new Promise((resolve) => idlers.push(resolve)),
  };
};
