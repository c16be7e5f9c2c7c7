import { createHash } from 'node:crypto';
import {
  NotExecuted,
  type CallContext,
  type EmbeddingCall,
  type Embeddings,
  type Part,
  type Usage,
} from '@tollgate/provider';
import { conduct, type SandboxWorld } from './conduct.ts';
import { parseDirectives, withoutDirectives, type Directive } from './directives.ts';
import { featureVector } from './feature-vector.ts';
import { countPart, mediaKind, textTokens, toldCounts, usageOf } from './sandbox-usage.ts';
import { textFeatures, type Features } from './text-features.ts';

const dimensionsDefault = 3_072;
const dimensionsMax = 3_072;

/** What the sandbox tells from the upstream's name of an embedding model; the first row that fits counts. */
const embeddingModels = [
  { name: /embedding-001$/, textTokensMax: 2_048, media: false },
  { name: /^/, textTokensMax: 8_192, media: true },
] as const;

/** Weights beside the text's own: the task colours a vector without hiding what it is of. */
const taskWeight = 0.15;
const titleWeight = 0.5;
const mediaKindWeight = 1;
const mediaBytesWeight = 0.5;
/** How many features the bytes of a medium have. */
const mediaBytesFeatures = 32;

/** Embeds as the directives in its texts say. */
export const runEmbedding = (world: SandboxWorld, call: EmbeddingCall, context: CallContext): Promise<Embeddings> => {
  const directives = textsOf(call).flatMap((text) => parseDirectives(text, 'embedding'));
  return conduct({ world, context, directives }, async () => {
    checkModel(call);
    const dimensions = call.dimensions ?? dimensionsDefault;
    const own = (await featuresOf(call)).map((features) => addFeatures(features, callFeatures(call, features)));
    return {
      vectors: own.map((features) => featureVector(features, dimensions)),
      usage: measure(call, directives),
    };
  });
};

const textsOf = ({ input }: EmbeddingCall): readonly string[] =>
  input.kind === 'texts' ? input.texts : input.parts.flatMap((part) => (part.kind === 'text' ? part.text : []));

const partsOf = ({ input }: EmbeddingCall): readonly Part[] =>
  input.kind === 'content' ? input.parts : input.texts.map((text) => ({ kind: 'text', text }));

/** Refuses what the model cannot take; nothing is cut. */
const checkModel = (call: EmbeddingCall): void => {
  const model = embeddingModels.find(({ name }) => name.test(call.upstreamModel)) ?? embeddingModels[1];
  const { input, dimensions = dimensionsDefault } = call;
  const media = input.kind === 'content' && partsOf(call).some(({ kind }) => kind !== 'text');
  const flags = input.kind === 'content' && (input.documentOcr === true || input.audioTrackExtraction === true);
  const known = Number.isInteger(dimensions) && dimensions >= 1 && dimensions <= dimensionsMax;
  if (!known) throw new NotExecuted({ reason: 'invalid_request', field: 'dimensions', cause: 'no such length' });
  if ((media || flags) && !model.media)
    throw new NotExecuted({ reason: 'unsupported', field: 'contents', cause: `not for ${call.upstreamModel}` });
  const tokens = textsOf(call).map(textTokens);
  const longest = input.kind === 'texts' ? Math.max(0, ...tokens) : tokens.reduce((sum, count) => sum + count, 0);
  if (longest > model.textTokensMax) throw new NotExecuted({ reason: 'input_limit', cause: `${longest} tokens` });
};

const measure = (call: EmbeddingCall, directives: readonly Directive[]): readonly Usage[] => {
  if (directives.some(({ kind }) => kind === 'unknown-usage')) return [];
  const tokens = partsOf(call).reduce((sum, part) => sum + countPart(part)[1], 0);
  return usageOf(toldCounts(directives, ['embedding_tokens']) ?? new Map([['embedding_tokens', tokens]]));
};

/** The features of each vector: one for each text, or one for all parts of a content together. */
const featuresOf = async (call: EmbeddingCall): Promise<readonly Features[]> => {
  const { input } = call;
  if (input.kind === 'texts') return input.texts.map((text) => textFeatures(withoutDirectives(text)));
  let all: Features = new Map();
  for (const part of input.parts) all = addFeatures(all, await partFeatures(part));
  return [all];
};

const addFeatures = (left: Features, right: Features): Features => {
  const sum = new Map(left);
  for (const [feature, weight] of right) sum.set(feature, (sum.get(feature) ?? 0) + weight);
  return sum;
};

const scaled = (features: Features, factor: number): Features =>
  new Map([...features].map(([feature, weight]) => [feature, weight * factor]));

/** What a call says beside its texts, in proportion to them. */
const callFeatures = ({ task, title }: EmbeddingCall, own: Features): Features => {
  const length = Math.sqrt([...own.values()].reduce((sum, weight) => sum + weight * weight, 0));
  const taskFeatures: Features = new Map(task === undefined ? [] : [[`task ${task}`, length * taskWeight]]);
  return title === undefined ? taskFeatures : addFeatures(taskFeatures, scaled(textFeatures(title), titleWeight));
};

const partFeatures = async (part: Part): Promise<Features> => {
  switch (part.kind) {
    case 'text':
      return textFeatures(withoutDirectives(part.text));
    case 'media':
      return mediaFeatures(part.mimeType, [Buffer.from(part.data, 'base64')]);
    case 'blob':
      return mediaFeatures(part.mimeType, part.read());
    case 'function_call':
    case 'function_response':
    case 'executable_code':
    case 'code_execution_result':
      throw new NotExecuted({ reason: 'unsupported', field: 'contents', cause: `${part.kind} has no vector` });
  }
};

/** Media of a kind are a little alike; the same bytes are the same. */
const mediaFeatures = async (
  mimeType: string,
  bytes: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): Promise<Features> => {
  const hash = createHash('sha256');
  for await (const chunk of bytes) hash.update(chunk);
  const features = new Map([[`media ${mediaKind(mimeType)}`, mediaKindWeight]]);
  for (const [index, byte] of [...hash.digest().subarray(0, mediaBytesFeatures)].entries()) {
    features.set(`byte ${index} ${byte}`, mediaBytesWeight);
  }
  return features;
};
