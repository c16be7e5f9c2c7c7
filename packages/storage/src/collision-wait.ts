const firstWaitMs = 20;
const longestWaitMs = 2_000;

/**
 * How long to wait before what collided is tried again: doubles from try to try, and is anywhere in its upper half, so that those who
 * collided part. `random` returns from 0 up to but not including 1.
 */
export const collisionWaitMs = (retries: number, random: () => number): number =>
  Math.min(longestWaitMs, firstWaitMs * 2 ** retries) * (0.5 + random() / 2);
