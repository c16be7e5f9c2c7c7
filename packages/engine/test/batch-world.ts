import { NotExecuted, type CallContext, type Generation, type GenerationCall, type Provider } from '@tollgate/provider';
import type { BatchItemRecord } from '@tollgate/storage';
import type { Engine } from '../src/engine.ts';
import { batchKind } from '../src/resources/batch/batch-kind.ts';
import type { BatchKindOptions } from '../src/resources/batch/batch-options.ts';
import { inputBlobKeys, openBatch, storeBatchInput, type StoredItem } from '../src/resources/batch/batch-work.ts';
import { listItems } from '../src/resources/batch/run-items.ts';
import { createResource } from '../src/resources/create-resource.ts';
import { findResource, type FoundResource } from '../src/resources/find-resource.ts';
import type { EngineWorld } from './engine-world.ts';
import { giveKinds, sweep, workersOf } from './process-parts.ts';

/** What a scripted item does: responds with so many tokens, or throws. */
export type ItemScript = (key: string, tries: number, context: CallContext) => Promise<number>;

/** A provider whose every item is its own key, and who remembers what was handed to it. */
export interface BatchProvider {
  readonly provider: Provider;
  /** How often each item was handed over. */
  readonly handed: Map<string, number>;
}

const keyOf = ({ contents }: GenerationCall): string => {
  const [part] = contents[0]?.parts ?? [];
  return part?.kind === 'text' ? part.text : '';
};

export const generationOf = (text: string, tokens: number): Generation => ({
  text,
  functionCalls: [],
  finish: 'stop',
  usage: [{ unit: 'input_text_tokens', quantity: tokens, confirmed: true }],
});

/** Every item responds with 3 tokens unless the script says otherwise. */
export const batchProvider = (script: ItemScript = () => Promise.resolve(3)): BatchProvider => {
  const handed = new Map<string, number>();
  const generate = async (call: GenerationCall, context: CallContext): Promise<Generation> => {
    const key = keyOf(call);
    const tries = (handed.get(key) ?? 0) + 1;
    handed.set(key, tries);
    context.recordAttempt({ startedAtMs: 0, durationMs: 1, status: 200, outcome: 'answered' });
    return generationOf(`answer to ${key}`, await script(key, tries, context));
  };
  return { handed, provider: { name: 'scripted', generate } };
};

export const failing = (reason: NotExecuted['reason']): Promise<never> => Promise.reject(new NotExecuted({ reason }));

export const registerBatches = (engine: Engine, provider: Provider, more: Partial<BatchKindOptions> = {}): void =>
  giveKinds(
    engine,
    batchKind({
      engine,
      findRoute: () => ({ provider, upstreamModel: 'upstream' }),
      answers: {
        generation: ({ text }) => JSON.stringify({ text }),
        embedding: (_, { vectors }) => JSON.stringify({ vectors }),
      },
      ...more,
    }),
  );

const itemOf = (key: string, cache: string | null): StoredItem => ({
  kind: 'generation',
  cache,
  call: {
    upstreamModel: 'upstream',
    systemInstruction: null,
    contents: [{ role: 'user', parts: [{ kind: 'text', text: key }] }],
    tools: [],
    toolChoice: { kind: 'auto' },
    responseFormat: { kind: 'text' },
    sampling: {},
    outputTokensMax: 8,
  },
});

/** Creates a batch of these keys, each estimated at 5 tokens. Every item names the cache, if there is one. */
export const createBatch = async (
  world: EngineWorld,
  keys: readonly string[],
  cache: string | null = null,
): Promise<string> => {
  const items = keys.map((key) => itemOf(key, cache));
  const input = await storeBatchInput(world.engine, items);
  const created = await createResource(world.engine, {
    access: { keyId: world.keyId, projectId: world.projectId, accountId: world.accountId },
    kind: 'batch',
    model: 'model',
    identity: null,
    fingerprint: 'body',
    estimate: [{ unit: 'input_text_tokens', quantity: 5 * keys.length }],
    refusal: null,
    draft: openBatch({ displayName: null, keys }, input),
    uses: [],
    guard: { blobKeys: inputBlobKeys(input), keptMs: 1_000_000_000 },
  });
  if (created.kind !== 'created') throw new Error(`refused: ${created.code}`);
  return created.found.operation.id;
};

export const findBatch = async (world: EngineWorld, id: string): Promise<FoundResource> => {
  const found = await findResource(world.engine, world.projectId, 'batch', id);
  if (found === null) throw new Error('no such batch');
  return found;
};

/** The state of each item by its key. */
export const itemStates = async (world: EngineWorld, id: string): Promise<Record<string, BatchItemRecord['state']>> =>
  Object.fromEntries((await listItems(world.engine, id)).map(({ key, state }) => [key, state]));

/** The results by key; null where there are none to be seen. */
export const resultsOf = async (world: EngineWorld, id: string): Promise<Record<string, unknown> | null> => {
  const { result } = await findBatch(world, id);
  if (result === null) return null;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what the kind wrote
  const { results } = JSON.parse(result) as { readonly results: readonly { readonly key: string }[] };
  return Object.fromEntries(results.map(({ key, ...rest }) => [key, rest]));
};

export const doWork = async (engine: Engine): Promise<void> => {
  await sweep(engine);
  await workersOf(engine).idle();
};
