/** How long another process had stopped this one since the last call, in milliseconds. */
export type TakeStops = () => number;

const tickMs = 100;
/** A turn of the event loop that comes later than this, while its thread did next to nothing, was stopped from outside. */
const stopMsMin = 1500;
const busyShareMax = 0.1;

const cpuMs = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

/** Looks at the clock and at the processor in every turn: what a test did while its process was stopped says nothing of it. */
export const watchStops = (): TakeStops => {
  let stoppedMs = 0;
  let atMs = Date.now();
  let usedMs = cpuMs();
  const look = (): void => {
    const nowMs = Date.now();
    const nowUsedMs = cpuMs();
    const gapMs = nowMs - atMs;
    if (gapMs > stopMsMin && nowUsedMs - usedMs < gapMs * busyShareMax) stoppedMs += gapMs;
    atMs = nowMs;
    usedMs = nowUsedMs;
  };
  setInterval(look, tickMs).unref();
  return () => {
    look();
    const taken = stoppedMs;
    stoppedMs = 0;
    return taken;
  };
};
