/** What an event stream is made from. `Timer` is whatever the host's timers hand out. */
export interface EventStreamOptions<Timer> {
  /** Gives encoded events, each closed by its blank line; never part of one. */
  readonly source: AsyncIterable<string>;
  /** How long the source may be silent, in milliseconds, before a blank line shows that the stream lives. */
  readonly heartbeatMs: number;
  readonly setTimer: (callback: () => void, delayMs: number) => Timer;
  readonly clearTimer: (timer: Timer) => void;
}

// Decoders ignore a blank line between events. Comments are not so safe: some clients parse them as data.
const heartbeat = '\n';
const encoder = new TextEncoder();

/** Runs `onIdle` each time `heartbeatMs` pass, until the function that it answers is called. */
const startIdleTimer = <Timer>(
  { heartbeatMs, setTimer, clearTimer }: EventStreamOptions<Timer>,
  onIdle: () => void,
): (() => void) => {
  const arm = (): Timer =>
    setTimer(() => {
      timer = arm();
      onIdle();
    }, heartbeatMs);
  let timer = arm();
  return () => clearTimer(timer);
};

/**
 * A body that asks its source for one event whenever its reader wants one, and never ahead: a reader that stalls stalls
 * the source. When the reader cancels, the source's `return()` runs. When the source throws, the stream errors, so that a
 * reader cannot take a broken stream for a complete one.
 */
export const eventStream = <Timer>(options: EventStreamOptions<Timer>): ReadableStream<Uint8Array> => {
  const events = options.source[Symbol.asyncIterator]();
  let stopIdleTimer: (() => void) | undefined;
  let cancelled = false;
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        // One blank line in the queue is enough: a reader that has not taken it needs no second sign of life.
        const stop = startIdleTimer(options, () => {
          if (controller.desiredSize === 0) controller.enqueue(encoder.encode(heartbeat));
        });
        stopIdleTimer = stop;
        const result = await events.next().finally(stop);
        if (cancelled) return;
        if (result.done === true) controller.close();
        else controller.enqueue(encoder.encode(result.value));
      },
      cancel: async () => {
        cancelled = true;
        stopIdleTimer?.();
        await events.return?.();
      },
    },
    { highWaterMark: 0 },
  );
};
