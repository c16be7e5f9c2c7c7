const pauseMs = 1;
const pauseCell = new Int32Array(new SharedArrayBuffer(4));

/** Pipes may not block: what cannot go on now is tried again in a moment. Returns how many bytes went. */
export const patiently = (move: () => number): number => {
  for (;;) {
    try {
      return move();
    } catch (cause) {
      if (!(cause instanceof Error) || !('code' in cause) || cause.code !== 'EAGAIN') throw cause;
      Atomics.wait(pauseCell, 0, 0, pauseMs);
    }
  }
};
