// One of the processes that share limits: floods them, or takes places and keeps them until it is killed.
import { postgresLimits } from '@tollgate/limits';
import { Pool } from 'pg';

/** What the process does. */
export interface LimitsOrder {
  readonly url: string;
  readonly connections: number;
  /** Requests that each connection asks for; 0 takes one place and keeps it. */
  readonly asksPerConnection: number;
  readonly requestsPerMinute: number;
  readonly requestsBurstMs: number;
  readonly concurrentRequests: number;
  readonly leaseMs: number;
}

/** What it found. */
export interface LimitsFinding {
  readonly admitted: number;
  readonly limited: number;
  /** The most requests that were seen to run at once, in all processes. */
  readonly runningMost: number;
}

const caller = { keyId: 'k1', projectId: 'p1', accountId: 'a1' };

const order = JSON.parse(process.argv[2] ?? '') as LimitsOrder;
const { requestsPerMinute, concurrentRequests } = order;
const limiter = await postgresLimits({
  connectionString: order.url,
  connectionsMax: order.connections,
  timeoutMs: 60_000,
  requestsBurstMs: order.requestsBurstMs,
  leaseMs: order.leaseMs,
  refusalKeptMs: 0,
  limitsOf: () => ({ key: { requestsPerMinute }, account: { concurrentRequests } }),
});
const observer = new Pool({ connectionString: order.url, max: order.connections });

const ask = async () =>
  limiter.reserve({
    caller,
    limits: null,
    requestId: 'r',
    model: 'm',
    kind: 'chat',
    takes: { requests: 1, tokens: 0, concurrency: 1 },
  });

/** How many have a place, seen by one that has. */
const observe = async (): Promise<number> => {
  const { rows } = await observer.query<{ running: number }>(
    'select count(*)::int as running from tollgate_limits.lease',
  );
  return rows[0]?.running ?? 0;
};

const flood = async (): Promise<LimitsFinding> => {
  let [admitted, limited, runningMost] = [0, 0, 0];
  const one = async (): Promise<void> => {
    for (let asks = 0; asks < order.asksPerConnection; asks += 1) {
      const verdict = await ask();
      if (verdict.kind !== 'admitted') {
        limited += 1;
        continue;
      }
      admitted += 1;
      runningMost = Math.max(runningMost, await observe());
      await verdict.ticket.release({ tokens: 0 });
    }
  };
  await Promise.all(Array.from({ length: order.connections }, one));
  return { admitted, limited, runningMost };
};

if (order.asksPerConnection === 0) {
  const { kind } = await ask();
  process.stdout.write(`${kind}\n`);
  // Held until the process is killed.
  setInterval(() => {}, 60_000);
} else {
  process.stdout.write(`${JSON.stringify(await flood())}\n`);
  await limiter.close?.();
  await observer.end();
}
