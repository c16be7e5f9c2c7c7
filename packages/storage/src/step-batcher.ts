import { storageBusyCode, type Decide, type Key } from './storage.ts';

/** A step in the queue of a storage: the code that carries it out calls exactly one of `resolve` and `reject`. */
export interface QueuedStep {
  readonly keys: readonly Key[];
  readonly decide: Decide<unknown>;
  readonly resolve: (answer: unknown) => void;
  readonly reject: (cause: unknown) => void;
}

export interface StepBatcherOptions {
  /** Carries the steps in one transaction. Resolves when the connection may flush again; it must settle every step. */
  readonly flush: (steps: readonly QueuedStep[], connection: number) => PromiseLike<void> | void;
  /** Steps one batch carries at the most. */
  readonly stepsPerBatchMax?: number;
  /** Steps that may wait; one more is refused with `storage_busy`. */
  readonly stepsWaitingMax?: number;
  /** Concurrent batches, each on a connection of its own. */
  readonly batchConnections?: number;
  /** Which connection a step takes; steps that share a hot key should share a connection. */
  readonly connectionOf?: (keys: readonly Key[]) => number;
  /** When an idle connection flushes: by default after the present round of input events, so that they share a batch. */
  readonly schedule?: (flushConnection: () => void) => void;
}

export interface StepBatcher {
  submit<T>(keys: readonly Key[], decide: Decide<T>): Promise<T>;
  /** How many steps wait for a batch; those in progress are not counted. */
  waiting(): number;
  /** Resolves when nothing waits and no batch is in progress. */
  idle(): Promise<void>;
}

interface Connection {
  waiting: QueuedStep[];
  running: boolean;
}

/** A promise of another realm, or of a library of an adapter, is no instance of this one's `Promise`. */
const isThenable = (value: unknown): value is PromiseLike<unknown> =>
  typeof value === 'object' && value !== null && 'then' in value;

const busy = (): Error => Object.assign(new Error('too many steps are waiting'), { code: storageBusyCode });

/**
 * The steps that waited while the last batch was committed are the next batch: a lone step is never delayed, and a crowd shares
 * one transaction, one commit and one sync.
 */
export const createStepBatcher = (options: StepBatcherOptions): StepBatcher => {
  const { flush, stepsPerBatchMax = 512, stepsWaitingMax = 16_384, schedule = setImmediate } = options;
  const batchConnections: Connection[] = Array.from({ length: options.batchConnections ?? 1 }, () => ({
    waiting: [],
    running: false,
  }));
  const idlers: (() => void)[] = [];
  const land = (connection: Connection, number: number): void => {
    connection.running = false;
    if (connection.waiting.length > 0) flushSoon(connection, number);
    else if (batchConnections.every((other) => !other.running)) for (const wake of idlers.splice(0)) wake();
  };
  const flushConnection = (connection: Connection, number: number): void => {
    const steps = connection.waiting.splice(0, stepsPerBatchMax);
    const fail = (cause: unknown): void => {
      // A batch that settled its steps already is not disturbed: settling a promise twice does nothing.
      for (const step of steps) step.reject(cause);
      land(connection, number);
    };
    let flushing: PromiseLike<void> | void;
    try {
      flushing = flush(steps, number);
    } catch (cause) {
      fail(cause);
      return;
    }
    if (isThenable(flushing)) void Promise.resolve(flushing).then(() => land(connection, number), fail);
    else land(connection, number);
  };
  const flushSoon = (connection: Connection, number: number): void => {
    connection.running = true;
    schedule(() => flushConnection(connection, number));
  };
  return {
    submit: <T>(keys: readonly Key[], decide: Decide<T>) =>
      new Promise<T>((resolve, reject) => {
        const number = (options.connectionOf?.(keys) ?? 0) % batchConnections.length;
        const connection = batchConnections[number];
        if (connection === undefined || connection.waiting.length >= stepsWaitingMax) {
          reject(busy());
          return;
        }
        // The answer handed to `resolve` is what this very `decide` returned, hence a T.
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion
        connection.waiting.push({ keys, decide, resolve: resolve as (answer: unknown) => void, reject });
        if (!connection.running) flushSoon(connection, number);
      }),
    waiting: () => batchConnections.reduce((sum, connection) => sum + connection.waiting.length, 0),
    idle: () =>
      batchConnections.every((connection) => !connection.running)
        ? Promise.resolve()
        : new Promise((resolve) => idlers.push(resolve)),
  };
};
