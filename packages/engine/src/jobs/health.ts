import { listRowsMax, type Storage } from '@tollgate/storage';
import type { Engine } from '../engine.ts';
import { withDeadline } from '../workers/with-deadline.ts';
import type { Jobs } from './jobs.ts';
import type { JobParts } from './sweep.ts';

/** How a gateway is, for an operator and for the probes of a platform. It holds no secret. */
export interface Health {
  /** Whether requests should be sent here: the storage answers, the jobs run, and nothing is being shut down. */
  readonly isReady: boolean;
  /** Whether the process works: false calls for a new one. A storage that does not answer is no reason: it fails every process. */
  readonly isAlive: boolean;
  /** Whether a drain has begun. */
  readonly isDraining: boolean;
  readonly storage: {
    readonly kind: 'reachable' | 'unreachable';
    /** How long its answer took, or was waited for. */
    readonly durationMs: number;
  };
  readonly jobs: {
    /** `not_started` where the host runs none in this process, which is no failure of it. */
    readonly kind: 'alive' | 'stalled' | 'not_started';
    readonly renewedAgoMs: number | null;
    readonly sweptAgoMs: number | null;
    /** By how much the last sweep is later than its interval; 0 where it is in time, null where none runs. */
    readonly lagMs: number | null;
  };
  readonly workers: {
    /** Resources that are worked on here. */
    readonly working: number;
  };
  readonly outbox: {
    /** How old the last event was when this process wrote it out for its receivers; null before the first. */
    readonly lagMs: number | null;
    /** Deliveries that are being sent here. */
    readonly delivering: number;
  };
  /** Operations that wait for an operator; null where the storage did not answer. */
  readonly uncertain: {
    /** At most `uncertainMax`. */
    readonly count: number;
    /** Whether there are more than were counted. */
    readonly hasMore: boolean;
  } | null;
}

export interface HealthOptions {
  readonly jobs: Pick<Jobs, 'status'>;
  readonly parts: Pick<JobParts, 'workers' | 'deliveries'>;
  readonly isDraining: () => boolean;
}

/** How long the storage is waited for. */
const storageMsMax = 2_000;

/** Operations counted as uncertain at the most. */
const uncertainMax = listRowsMax;
/** One answer of the storage serves every probe that comes so soon after it, as anyone may probe. */
const reusedMs = 1_000;

interface StorageAnswer {
  readonly storage: Health['storage'];
  readonly uncertain: Health['uncertain'];
}

const late = (): Error => new Error('the storage did not answer in time');

/** The operations that are uncertain. Of several cells it is enough that one responds: the accounts of the others are served. */
const listUncertain = async (storage: Storage): Promise<StorageAnswer['uncertain']> => {
  const ask = (part: Storage) => part.list('operationsByState', { of: 'uncertain', limit: uncertainMax });
  const answers = await Promise.allSettled((storage.cells?.all ?? [storage]).map(ask));
  const rows = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
  const failure = answers.find((answer) => answer.status === 'rejected');
  if (rows.length === 0) throw failure?.reason;
  if (failure !== undefined) return null;
  const count = rows.flat().length;
  return { count: Math.min(count, uncertainMax), hasMore: count >= uncertainMax };
};

const askStorage = async ({ storage, clock }: Engine): Promise<StorageAnswer> => {
  const fromMs = clock.monotonicMs();
  const durationMs = (): number => clock.monotonicMs() - fromMs;
  try {
    const uncertain = await withDeadline(clock, { ms: storageMsMax, late }, () => listUncertain(storage));
    return { storage: { kind: 'reachable', durationMs: durationMs() }, uncertain };
  } catch {
    // What it threw may name hosts and users; the requests that fail for it log the cause.
    return { storage: { kind: 'unreachable', durationMs: durationMs() }, uncertain: null };
  }
};

const jobsOf = ({ limits }: Engine, { jobs }: HealthOptions): Health['jobs'] => {
  const { isStarted, renewedAgoMs, sweptAgoMs } = jobs.status();
  if (!isStarted || renewedAgoMs === null)
    return { kind: 'not_started', renewedAgoMs: null, sweptAgoMs: null, lagMs: null };
  // Leases that were not renewed for so long have run out.
  const isStalled = Math.max(renewedAgoMs, sweptAgoMs ?? 0) > limits.leaseMs;
  return {
    kind: isStalled ? 'stalled' : 'alive',
    renewedAgoMs,
    sweptAgoMs,
    lagMs: sweptAgoMs === null ? null : Math.max(0, sweptAgoMs - limits.sweepMs),
  };
};

/** Reads how a gateway is; never rejects, and waits for the storage for two seconds at the most. */
export const createHealth = (engine: Engine, options: HealthOptions): (() => Promise<Health>) => {
  let asked: { readonly atMs: number; readonly answer: Promise<StorageAnswer> } | null = null;
  const storageAnswer = (): Promise<StorageAnswer> => {
    const nowMs = engine.clock.monotonicMs();
    if (asked === null || nowMs - asked.atMs >= reusedMs) asked = { atMs: nowMs, answer: askStorage(engine) };
    return asked.answer;
  };
  return async () => {
    const { storage, uncertain } = await storageAnswer();
    const isDraining = options.isDraining();
    const jobs = jobsOf(engine, options);
    const isReachable = storage.kind === 'reachable';
    const isStalled = jobs.kind === 'stalled';
    const { workers, deliveries } = options.parts;
    return {
      isReady: isReachable && !isStalled && !isDraining,
      isAlive: !(isReachable && isStalled),
      isDraining,
      storage,
      jobs,
      workers: { working: workers.count() },
      outbox: { lagMs: deliveries?.eventLagMs() ?? null, delivering: deliveries?.count() ?? 0 },
      uncertain,
    };
  };
};
