import type { Health } from '@tollgate/engine';
import type { GatewayHandler, GatewayResponse } from '@tollgate/routes';

/** At the root of the server, whatever the base path is: where a platform looks for them. */
const livePath = '/healthz';
const readyPath = '/readyz';

const answer = (isGood: boolean, status: string): GatewayResponse => ({
  status: isGood ? 200 : 503,
  headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
  body: JSON.stringify({ status }),
});

const live = ({ isAlive }: Health): GatewayResponse => answer(isAlive, isAlive ? 'alive' : 'jobs_stalled');

const readyState = ({ isReady, isDraining, storage }: Health): string => {
  if (isReady) return 'ready';
  if (isDraining) return 'draining';
  return storage.kind === 'unreachable' ? 'storage_unreachable' : 'jobs_stalled';
};

const ready = (health: Health): GatewayResponse => answer(health.isReady, readyState(health));

/**
 * Responds to the probes of a platform, also while the gateway closes. They need no key, cost nothing, and say one word about the
 * state of the process.
 */
export const withProbes =
  (health: () => Promise<Health>, handle: GatewayHandler): GatewayHandler =>
  async (request) => {
    const { method, path } = request;
    if (method !== 'GET' && method !== 'HEAD') return handle(request);
    if (path === livePath) return live(await health());
    if (path === readyPath) return ready(await health());
    return handle(request);
  };
