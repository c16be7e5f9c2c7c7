import { NotExecuted, type BatchCall, type BatchCallItem, type CallContext } from '@tollgate/provider';
import { cannotEmbed, countInput, embeddingContents, embeddingSettings } from './embed.ts';
import { contentJson } from './content-json.ts';
import { blobsOf, inlineBytesOf, placeBlobs, type CopyOptions } from './place-blobs.ts';
import type { WireContent } from './to-google-contents.ts';
import { cannotSend, toGoogle } from './to-google.ts';
import { modelPath, servicePath, type Upstream } from './upstream.ts';

type Generating = Extract<BatchCallItem, { readonly kind: 'generation' }>;
type Embedding = Extract<BatchCallItem, { readonly kind: 'embedding' }>;

/** One item as it is found again among the results. */
export interface BatchJobItem {
  readonly key: string;
  readonly outputTokensMax?: number;
  /** Vectors that it comes to; each is a request of its own. */
  readonly vectors?: number;
  /** What its input was counted as beforehand; null where it could not be. */
  readonly tokens?: number | null;
}

/** A batch ready to be handed over. */
export interface GoogleBatch {
  /** From the origin's root. */
  readonly path: string;
  readonly body: object;
  readonly items: readonly BatchJobItem[];
}

/** Requests are named by the places of item and vector: clients' keys are theirs. */
export const wireKey = (item: number, vector = 0): string => `${item}.${vector}`;

/** Whether any item of a batch holds a blob. */
export const hasBlobs = ({ items }: BatchCall): boolean =>
  items.some((item) => {
    if (item.kind === 'generation') return blobsOf(item.call.contents).length > 0;
    const { input } = item.call;
    return input.kind === 'content' && input.parts.some((part) => part.kind === 'blob');
  });

const isGenerating = (item: BatchCallItem): item is Generating => item.kind === 'generation';
const isEmbedding = (item: BatchCallItem): item is Embedding => item.kind === 'embedding';

const refuse = (obstacle: string | undefined): void => {
  if (obstacle !== undefined) throw new NotExecuted({ reason: 'unsupported', cause: obstacle });
};

const batchBody = ({ displayName, operationId }: BatchCall, requests: readonly object[]): object => ({
  batch: { displayName: displayName ?? operationId, inputConfig: { requests: { requests } } },
});

const toGenerations = async (
  upstream: Upstream,
  call: BatchCall,
  items: readonly Generating[],
  options: CopyOptions,
): Promise<GoogleBatch> => {
  const traits = upstream.traitsOf(call.upstreamModel);
  for (const item of items) refuse(cannotSend(item.call, traits)?.why);
  const all = items.flatMap((item) => item.call.contents);
  // All items travel in one request, and have its room together.
  const uriOf = await placeBlobs(upstream, blobsOf(all), { ...options, inlineBytes: inlineBytesOf(all) });
  const requests = items.map((item, place) => {
    const { contents, rest } = toGoogle(item.call, traits, uriOf);
    return { request: { contents: contents.map(contentJson), ...rest }, metadata: { key: wireKey(place) } };
  });
  return {
    path: servicePath(upstream, `${encodeURI(modelPath(call.upstreamModel))}:batchGenerateContent`),
    body: batchBody(call, requests),
    items: items.map((item) => ({ key: item.key, outputTokensMax: item.call.outputTokensMax })),
  };
};

/** Counts at the same time at the most. */
const countsAtOnce = 8;

/** Some models do not say in their results what they used, and counting is free. */
const countAll = async (
  upstream: Upstream,
  model: string,
  contents: readonly (readonly WireContent[])[],
  options: CopyOptions,
): Promise<readonly (number | null)[]> => {
  const counts: (number | null)[] = [];
  for (let from = 0; from < contents.length; from += countsAtOnce) {
    const group = contents.slice(from, from + countsAtOnce);
    const counted = await Promise.all(group.map((each) => countInput(upstream, { model, contents: each }, options)));
    counts.push(...counted.map((count) => count ?? null));
  }
  return counts;
};

const toEmbeddings = async (
  upstream: Upstream,
  call: BatchCall,
  items: readonly Embedding[],
  options: CopyOptions,
): Promise<GoogleBatch> => {
  for (const item of items) refuse(cannotEmbed(item.call.input));
  const contents: (readonly WireContent[])[] = [];
  for (const item of items) contents.push(await embeddingContents(upstream, item.call, options));
  const counts = await countAll(upstream, call.upstreamModel, contents, options);
  const requests = items.flatMap((item, place) =>
    (contents[place] ?? []).map((content, vector) => ({
      request: { content: contentJson(content), ...embeddingSettings(item.call) },
      metadata: { key: wireKey(place, vector) },
    })),
  );
  return {
    path: servicePath(upstream, `${encodeURI(modelPath(call.upstreamModel))}:asyncBatchEmbedContent`),
    body: batchBody(call, requests),
    items: items.map(({ key }, place) => ({
      key,
      vectors: contents[place]?.length ?? 0,
      tokens: counts[place] ?? null,
    })),
  };
};

/** Writes a batch. Files of it are given to the upstream first; throws `NotExecuted` only, for nothing has run. */
export const toGoogleBatch = (
  upstream: Upstream,
  call: BatchCall,
  context: CallContext,
  isFresh: boolean,
): Promise<GoogleBatch> => {
  const options = { context, deadlineMs: upstream.now() + upstream.limits.timeoutMs, isFresh };
  const { items } = call;
  if (items.every(isGenerating)) return toGenerations(upstream, call, items, options);
  if (items.every(isEmbedding)) return toEmbeddings(upstream, call, items, options);
  throw new NotExecuted({ reason: 'unsupported', cause: 'a batch of two kinds' });
};
