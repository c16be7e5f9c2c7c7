import { createStoredGauges, type Engine, type GatewayView, type JobParts, type Observer } from '@tollgate/engine';
import type { LiveRelay } from '@tollgate/live';
import type { BodyTurns } from '@tollgate/routes';
import type { Gate } from './gate.ts';

export interface ViewParts {
  readonly gate: Pick<Gate, 'count' | 'isShut'>;
  readonly jobs: Pick<JobParts, 'workers' | 'deliveries'>;
  readonly bodyTurns: Pick<BodyTurns, 'waiting'>;
  readonly relay: Pick<LiveRelay, 'count'>;
}

/** What observers can read of a gateway. */
const viewOf = (engine: Engine, { gate, jobs, bodyTurns, relay }: ViewParts): GatewayView => {
  const stored = createStoredGauges(engine);
  return {
    gauges: () => ({
      running: engine.running.list().length,
      working: jobs.workers.count(),
      backgroundTasks: engine.backgroundTasks.count(),
      delivering: jobs.deliveries?.count() ?? 0,
      bodiesWaiting: bodyTurns.waiting(),
      requests: gate.count(),
      liveSessions: relay.count(),
    }),
    // A process that ends leaves them to the others: a last report of its SDK may come when its storage is closed.
    stored: () => (gate.isShut() ? Promise.resolve(null) : stored()),
  };
};

/** Hands every observer that wants one a view of the gateway. */
export const showGateway = (observers: readonly Observer[], engine: Engine, parts: ViewParts): void => {
  const watching = observers.filter((observer) => observer.watch !== undefined);
  if (watching.length === 0) return;
  const view = viewOf(engine, parts);
  for (const observer of watching) observer.watch?.(view);
};
