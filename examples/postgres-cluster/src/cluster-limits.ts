/** How long another process waits before it takes over from a dead one. Shorter here than the 30 seconds of production. */
const leaseMs = 2_000;

export const clusterLimits = { leaseMs, renewMs: leaseMs / 4 };

/** Only the worker sweeps, so that it is plain who did what. A real cluster leaves the sweep on everywhere. */
export const gatewaySweepMs = 24 * 3_600_000;
export const workerSweepMs = 250;
