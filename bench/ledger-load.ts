// Reserve and settle by the engine's own decisions, in a closed loop.
import { defaultQuotas } from '@tollgate/engine';
import { open, settle, type OpenCommand, type SettleCommand, type Step } from '@tollgate/engine/decisions';
import type { Storage, Write } from '@tollgate/storage';

export interface LoadPlan {
  readonly accounts: readonly string[];
  readonly inFlight: number;
  readonly durationMs: number;
}

export interface LoadResult {
  readonly pairs: number;
  readonly elapsedMs: number;
  readonly openP50Ms: number;
  readonly openP99Ms: number;
}

const holdMicros = 1_000n;
const measuredMicros = 600n;
const leaseMs = 30_000;
const answerBody = JSON.stringify({ choices: [{ message: { role: 'assistant', content: 'x'.repeat(400) } }] });

export const accountIds = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, at) => `account-${String(at).padStart(6, '0')}`);

/** What an account and a project have in common. */
const fresh = { status: 'active', createdAtMs: 1, metadata: null, closedAtMs: null, limits: null } as const;

/** The records that an open looks at, for each account. */
export const addAccounts = async (storage: Storage, accounts: readonly string[]): Promise<void> => {
  for (const id of accounts) {
    const writes: readonly Write[] = [
      {
        kind: 'put',
        table: 'account',
        record: { id, name: id, ...fresh, plan: null },
      },
      {
        kind: 'put',
        table: 'project',
        record: { id: `p-${id}`, accountId: id, name: id, ...fresh },
      },
      {
        kind: 'put',
        table: 'apiKey',
        record: {
          id: `k-${id}`,
          projectId: `p-${id}`,
          accountId: id,
          name: id,
          model: null,
          secretHash: id,
          status: 'active',
          createdAtMs: 1,
          revokedAtMs: null,
          expiresAtMs: null,
          models: null,
          cap: null,
          limits: null,
          metadata: null,
          reference: null,
          lastUsedAtMs: null,
        },
      },
      {
        kind: 'put',
        table: 'wallet',
        record: {
          id,
          balanceMicros: 10n ** 13n,
          reservedMicros: 0n,
          seq: 1,
          entrySeq: 0,
          remainderPicos: 0,
          purgedPicos: 0,
        },
      },
    ];
    const keys = writes.flatMap((write) => (write.kind === 'put' ? [{ table: write.table, id: write.record.id }] : []));
    await storage.transact(keys, () => ({ writes, answer: undefined }));
  }
};

const openCommand = (accountId: string, operationId: string): OpenCommand => ({
  keyId: `k-${accountId}`,
  projectId: `p-${accountId}`,
  accountId,
  operationId,
  kind: 'chat',
  model: 'model',
  identity: operationId,
  fingerprint: operationId,
  holdMicros,
  tariffVersion: 'bench',
  answerForm: 'json',
  quotas: defaultQuotas,
  refusal: null,
  owner: 'bench',
  leaseMs,
  repeated: false,
});

const settleCommand = (accountId: string, operationId: string): SettleCommand => ({
  operationId,
  accountId,
  measuredMicros,
  evidence: {
    usage: [
      { unit: 'input_token', quantity: 20 },
      { unit: 'output_token', quantity: 100 },
    ],
    attempts: [{ provider: 'bench', startedAtMs: 1, durationMs: 1, status: 200, outcome: 'answered' }],
    answer: { body: answerBody, bytes: answerBody.length },
    toolContexts: [],
  },
  overrun: 'pending',
  retryMs: 60_000,
  answerKeptMs: 86_400_000,
  anomalyId: `${operationId}-anomaly`,
});

/** Ids that rise with time, as the gateway's do. */
const idSource = (): (() => string) => {
  let count = 0;
  const run = crypto.randomUUID().slice(0, 8);
  return () => {
    count += 1;
    return `${Date.now().toString(16)}-${run}-${String(count).padStart(9, '0')}`;
  };
};

export const percentile = (values: readonly number[], share: number): number => {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
};

/** One reserve and one settle, and how long the reserve took. */
export type RunPair = (accountId: string) => Promise<number>;

export const pairOn = (storage: Storage): RunPair => {
  const newId = idSource();
  const commit = <T>({ keys, decide }: Step<T>): Promise<T> => storage.transact(keys, decide);
  return async (accountId) => {
    const operationId = newId();
    const startedMs = performance.now();
    const opened = await commit(open(openCommand(accountId, operationId)));
    const openMs = performance.now() - startedMs;
    if (opened.kind !== 'started') throw new Error(`not opened: ${opened.kind}`);
    const settled = await commit(settle(settleCommand(accountId, operationId)));
    if (settled.kind !== 'settled') throw new Error(`not settled: ${settled.kind}`);
    return openMs;
  };
};

/** Keeps `inFlight` pairs going for a while; each client takes the next account in turn. */
export const runLoad = async (pair: RunPair, plan: LoadPlan): Promise<LoadResult> => {
  const { accounts, inFlight, durationMs } = plan;
  const openMs: number[] = [];
  const startedMs = performance.now();
  let next = 0;
  const client = async (): Promise<void> => {
    while (performance.now() - startedMs < durationMs) {
      next += 1;
      openMs.push(await pair(accounts[next % accounts.length] ?? ''));
    }
  };
  await Promise.all(Array.from({ length: inFlight }, client));
  return {
    pairs: openMs.length,
    elapsedMs: performance.now() - startedMs,
    openP50Ms: percentile(openMs, 0.5),
    openP99Ms: percentile(openMs, 0.99),
  };
};

export const pairsPerSecond = ({ pairs, elapsedMs }: LoadResult): number => (pairs * 1_000) / elapsedMs;
