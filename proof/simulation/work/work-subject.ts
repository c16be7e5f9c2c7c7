import {
  batchKind,
  cancelResource,
  createDeliveries,
  createEngine,
  createResource,
  createWorkerPool,
  deleteResource,
  markRunningUncertain,
  releaseUnconfirmed,
  renewLeases,
  sweep,
  videoKind,
  type Engine,
  type EngineOptions,
  type JobParts,
  type ResourceKinds,
  type StartScheduledRun,
  type WorkerPool,
  type WorkKind,
} from '@tollgate/engine';
import type { Provider } from '@tollgate/provider';

/** What is proved: the functions of the engine that open, work on and end what is done later. */
export interface WorkSubject {
  readonly createEngine: (options: EngineOptions) => Engine;
  /** The kinds that histories order, made by this provider. */
  readonly kindsOf: (engine: Engine, provider: Provider) => readonly WorkKind[];
  readonly createWorkers: (engine: Engine, kinds: ResourceKinds) => WorkerPool;
  readonly createDeliveries: typeof createDeliveries;
  /** How a process starts the runs of schedules, given how a history does. */
  readonly startRunWith: (engine: Engine, startRun: StartScheduledRun) => StartScheduledRun;
  readonly createResource: typeof createResource;
  readonly cancelResource: typeof cancelResource;
  readonly deleteResource: typeof deleteResource;
  readonly sweep: (engine: Engine, parts: JobParts) => Promise<unknown>;
  readonly renewLeases: (engine: Engine, workers: WorkerPool) => Promise<void>;
  readonly releaseUnconfirmed: (engine: Engine) => Promise<void>;
  readonly markRunningUncertain: (engine: Engine) => Promise<number>;
}

const itemsAtOnce = 2;

const kindsOf: WorkSubject['kindsOf'] = (engine, provider) => {
  const findRoute = () => ({ provider, upstreamModel: 'upstream' });
  const answers = {
    generation: ({ text }: { readonly text: string }) => JSON.stringify({ text }),
    embedding: () => '{}',
  };
  return [
    videoKind({ engine, findRoute, contentUrl: (id, index) => `/videos/${id}/${index}` }),
    batchKind({ engine, findRoute, answers, itemsAtOnce }),
  ];
};

/** The engine as it ships. */
export const shippingWork: WorkSubject = {
  createEngine,
  kindsOf,
  createWorkers: createWorkerPool,
  createDeliveries,
  startRunWith: (_, startRun) => startRun,
  createResource,
  cancelResource,
  deleteResource,
  sweep,
  renewLeases,
  releaseUnconfirmed,
  markRunningUncertain,
};
