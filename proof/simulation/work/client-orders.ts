import {
  inputBlobKeys,
  openBatch,
  storeBatchInput,
  type StoredItem,
} from '../../../packages/engine/src/resources/batch/batch-work.ts';
import { openVideo, type VideoOrder } from '../../../packages/engine/src/resources/video/video-work.ts';
import type { ResourcePlan } from '../../../packages/engine/src/resources/resource-plan.ts';
import type { Engine } from '@tollgate/engine';
import type { Life } from '../life.ts';
import { accountId, keyId, modelId, projectIds } from '../world.ts';
import { holdMicros } from './upstream-script.ts';
import type { WorkWorld } from './work-world.ts';

const inputKeptMs = 1_000_000_000;

const common = {
  access: { accountId, projectId: projectIds[0], keyId },
  model: modelId,
  refusal: null,
  uses: [],
} as const;

const videoOrder: VideoOrder = {
  prompt: 'A harbour.',
  image: null,
  lastFrame: null,
  references: [],
  extends: null,
  durationSeconds: holdMicros,
  resolution: null,
  aspectRatio: null,
  negativePrompt: null,
  seed: null,
};

export const videoPlan = (identity: string | null): ResourcePlan => ({
  ...common,
  kind: 'video',
  identity,
  fingerprint: 'a video',
  estimate: [{ unit: 'video_seconds', quantity: holdMicros }],
  draft: openVideo(videoOrder, { duration_seconds: holdMicros }),
});

const item: StoredItem = {
  kind: 'generation',
  cache: null,
  call: {
    upstreamModel: 'upstream',
    systemInstruction: null,
    contents: [{ role: 'user', parts: [{ kind: 'text', text: 'Say something.' }] }],
    tools: [],
    toolChoice: { kind: 'auto' },
    responseFormat: { kind: 'text' },
    sampling: {},
    outputTokensMax: holdMicros,
  },
};

const batchPlan = async (engine: Engine, identity: string | null, count: number): Promise<ResourcePlan> => {
  const items = Array.from({ length: count }, () => item);
  const input = await storeBatchInput(engine, items);
  return {
    ...common,
    kind: 'batch',
    identity,
    fingerprint: `a batch of ${count}`,
    estimate: [{ unit: 'input_text_tokens', quantity: holdMicros * count }],
    draft: openBatch({ displayName: null, keys: items.map((_, place) => `item-${place}`) }, input),
    guard: { blobKeys: inputBlobKeys(input), keptMs: inputKeptMs },
  };
};

export interface OrderInput {
  readonly kind: 'video' | 'batch';
  readonly identity: string | null;
  /** Of a batch. */
  readonly items: number;
}

/** Orders work from a process, and records what it received. */
export const order = async (world: WorkWorld, { engine }: Life, input: OrderInput): Promise<void> => {
  const { kind, identity, items } = input;
  const plan = kind === 'video' ? videoPlan(identity) : await batchPlan(engine, identity, items);
  const outcome = await world.subject.createResource(engine, plan);
  if (outcome.kind === 'created') world.orders.push({ id: outcome.found.operation.id, kind });
};
