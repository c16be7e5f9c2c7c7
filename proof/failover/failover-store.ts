import { setTimeout as delay } from 'node:timers/promises';
import { startPostgresCluster } from '../../test/postgres-cluster.ts';
import { checkPostgresFiles } from '../torture/postgres-store.ts';
import type { TortureStore } from '../torture/store-choice.ts';

/** How long one fail-over took, from the kill of the primary. */
export interface Promotion {
  /** Until the standby was the primary. */
  readonly promotedMs: number;
  /** Until it had a standby of its own, without which it acknowledges nothing. */
  readonly attachedMs: number;
}

export interface FailoverStore extends TortureStore {
  readonly promotions: readonly Promotion[];
}

/** Of load before each kill, for most of a fail-over is spent without a primary that acknowledges. */
const loadMs = 1_000;

/** What the standby lacks when it is promoted without having been waited for. */
const unsentMs = 700;

/**
 * A primary and its standby. To kill the server is to kill the primary, to promote the standby and to attach a new one. Where
 * `waits` is false the primary does not wait for its standby, so that what it acknowledged last is lost with it.
 */
export const createFailoverStore = async (waits = true): Promise<FailoverStore> => {
  const cluster = await startPostgresCluster();
  const promotions: Promotion[] = [];
  return {
    choice: { kind: 'postgres', url: cluster.url, requireStandby: waits },
    promotions,
    killServer: async () => {
      await delay(loadMs);
      if (!waits) {
        await cluster.part();
        await delay(unsentMs);
      }
      const startedMs = performance.now();
      await cluster.primary().kill();
      await cluster.promote();
      const promotedMs = performance.now() - startedMs;
      await cluster.attachStandby();
      promotions.push({ promotedMs, attachedMs: performance.now() - startedMs });
    },
    checkFiles: () => checkPostgresFiles(cluster.primary().url),
    close: () => cluster.stop(),
  };
};
