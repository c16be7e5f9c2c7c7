import {
  batchKind,
  cancelResource,
  createEngine,
  createResource,
  deleteResource,
  parkRunning,
  releaseUnconfirmed,
  renewLeases,
  sweep,
  videoKind,
  type Engine,
  type EngineOptions,
} from '@tollgate/engine';
import type { Provider } from '@tollgate/provider';

/** What is proved: the functions of the engine that open, work on and end what is done later. */
export interface WorkSubject {
  readonly createEngine: (options: EngineOptions) => Engine;
  /** Teaches an engine the kinds that histories order, made by this provider. */
  readonly teach: (engine: Engine, provider: Provider) => void;
  readonly createResource: typeof createResource;
  readonly cancelResource: typeof cancelResource;
  readonly deleteResource: typeof deleteResource;
  readonly sweep: (engine: Engine) => Promise<unknown>;
  readonly renewLeases: (engine: Engine) => Promise<void>;
  readonly releaseUnconfirmed: (engine: Engine) => Promise<void>;
  readonly parkRunning: (engine: Engine) => Promise<number>;
}

const itemsAtOnce = 2;

const teach = (engine: Engine, provider: Provider): void => {
  const findMaker = () => ({ provider, upstreamModel: 'upstream' });
  engine.workshop.add(videoKind({ engine, findMaker, contentUrl: (id, index) => `/videos/${id}/${index}` }));
  const answers = {
    generation: ({ text }: { readonly text: string }) => JSON.stringify({ text }),
    embedding: () => '{}',
  };
  engine.workshop.add(batchKind({ engine, findMaker, answers, itemsAtOnce }));
};

/** The engine as it ships. */
export const shippingWork: WorkSubject = {
  createEngine,
  teach,
  createResource,
  cancelResource,
  deleteResource,
  sweep,
  renewLeases,
  releaseUnconfirmed,
  parkRunning,
};
